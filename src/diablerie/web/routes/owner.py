"""The owner's link, and the switch that opens the server to the local network."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from diablerie.engine.text import say
from diablerie.table.errors import Forbidden
from diablerie.web.edges.requests import authority_of, network_of, see_other
from diablerie.web.people.identity import is_secret, remember_owner, require_owner
from diablerie.web.people.preferences import Back


class Switching(Back):
    """Whether the network is to be open."""

    open: bool = False


def enter(request: Request) -> Response:
    """GET /owner/{secret}: make this browser the owner's, and go to the landing page."""
    secret = network_of(request).secret
    if not is_secret(request.path_params["secret"], secret):
        raise Forbidden(
            say(
                "This link belongs to an earlier start of the server: the terminal shows the new one."
            )
        )
    return remember_owner(RedirectResponse("/", 303), secret)


def switch(request: Request, form: Switching) -> Response:
    """POST /network: open the server to the network, or close it. Raises Forbidden, WrongTime."""
    network = network_of(request)
    require_owner(request, network.secret)
    authority_of(request).clock.apart(network.open if form.open else network.close)
    hub = authority_of(request).hub
    for table in hub.tables():  # its open pages show the link that works now
        hub.publish(table)
    return see_other(request, form.address)
