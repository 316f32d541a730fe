"""Settings: of a browser, of its programs, what is kept of people, and whether the network is open."""

from collections.abc import Mapping

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from diablerie.api import PREFIX
from diablerie.engine.text import say
from diablerie.table.authority import ABANDONED_SECONDS
from diablerie.table.commands import lobby, tokens
from diablerie.table.commands.tokens import SCOPES
from diablerie.table.errors import BadInput, Forbidden, Refused, WrongTime
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges.forms import Form
from diablerie.web.html import templates
from diablerie.web.people import identity, language
from diablerie.web.people.identity import is_owner, is_secret, remember_owner
from diablerie.web.people.preferences import (
    NAME_COOKIE,
    PREFERENCE_CHOICES,
    Back,
    Preferences,
    dismiss_card,
    read_preferences,
    remember_preference,
)
from diablerie.web.routes.endpoints import (
    authority_of,
    home_of,
    known_visitor,
    network_of,
    see_other,
)

ONLY_OWNER = say(
    "Only the person who started the server may do that: open the link that the terminal shows."
)


class Known(Back):
    """The game whose first-game card is dismissed."""

    game: str = ""


class Switching(Back):
    """Whether the network is to be open."""

    open: bool = False


def settings_page(request: Request) -> Response:
    """GET /settings?back=/t/…"""
    back = Back(back=request.query_params.get("back", "/")).address
    visitor = identity.visitor(request)
    return templates.page_response(
        request,
        "settings.html",
        words=PREFERENCE_CHOICES,
        chosen=read_preferences(request),
        spoken=language.remembered(request),
        back=back,
        path="/settings",
        calls=bool(request.app.state.scheduler),
        meeting=_meeting(request),
        home=home_of(request),
        called=len(authority_of(request).subscriptions.of(visitor)) if visitor else 0,
    )


def save_settings(request: Request, form: Preferences) -> Response:
    """POST /settings"""
    return _remembered(speak(request, form), form, *PREFERENCE_CHOICES)


def switch_sound(request: Request, form: Preferences) -> Response:
    """POST /sound: switch sounds on or off."""
    return _remembered(see_other(request, form.address), form, "sound")


def tell_in_words(request: Request, form: Preferences) -> Response:
    """POST /words: tell the position in sentences from now on, or no longer."""
    return _remembered(see_other(request, form.address), form, "words")


def _remembered(response: Response, form: Preferences, *names: str) -> Response:
    """The response with cookies for these of the settings. Raises BadInput."""
    for name in names:
        text = getattr(form, name)
        if text not in PREFERENCE_CHOICES[name]:
            raise BadInput(say("There is no setting “{text}”.", text=text[:40]))
        remember_preference(response, name, text)
    return response


def speak(request: Request, form: Preferences) -> Response:
    """POST /language"""
    if form.language not in ("", *language.available()):
        raise BadInput(say("There is no setting “{text}”.", text=form.language[:40]))
    response = see_other(request, form.address)
    remember_preference(response, language.LANGUAGE_COOKIE, form.language)
    return response


def put_away(request: Request, form: Known) -> Response:
    """POST /known: stop showing the card for a first game of this kind."""
    game = authority_of(request).game(form.game)
    return dismiss_card(request, see_other(request, form.address), game.name)


# -- what is kept of people ---------------------------------------------------------------------------


def kept_data(request: Request) -> Response:
    """GET /kept: what the server keeps of people, how long, and how to delete it."""
    return templates.page_response(request, "kept.html", days=ABANDONED_SECONDS // (24 * 3600))


def forget_names(request: Request, form: Form) -> Response:
    """POST /forget: delete the names that this browser has given itself."""
    visitor = identity.visitor(request)
    if visitor is not None:
        lobby.delete_names(authority_of(request), visitor)
    response = see_other(request, "/kept")
    response.delete_cookie(NAME_COOKIE)
    return response


def enter_as_owner(request: Request) -> Response:
    """GET /owner/{secret}: make this browser the owner's, and go to the landing page."""
    secret = network_of(request).secret
    if not is_secret(request.path_params["secret"], secret):
        raise Forbidden(
            say(
                "This link belongs to an earlier start of the server: the terminal shows the new one."
            )
        )
    return remember_owner(RedirectResponse("/", 303), secret)


def switch_network(request: Request, form: Switching) -> Response:
    """POST /network: open the server to the network, or close it. Raises Forbidden, WrongTime."""
    network = network_of(request)
    if not is_owner(request, network.secret):
        raise Forbidden(ONLY_OWNER)
    authority_of(request).clock.apart(network.open if form.open else network.close)
    hub = authority_of(request).hub
    for table in hub.tables():  # its open pages show the link that works now
        hub.publish(table)
    return see_other(request, form.address)


def switch_meeting(request: Request, form: Switching) -> Response:
    """POST /meeting: open this server as a meeting point, or close it. Raises Forbidden, WrongTime."""
    rooms = request.app.state.meeting
    if not is_owner(request, network_of(request).secret):
        raise Forbidden(ONLY_OWNER)
    if rooms is None:
        raise WrongTime(say("Several processes run this server, so it cannot be a meeting point."))
    if form.open:
        rooms.open = True
    else:
        rooms.close()
    return see_other(request, form.address)


def _meeting(request: Request) -> str:
    """Whether this server is a meeting point: open or closed; "" where the visitor cannot change it."""
    rooms = request.app.state.meeting
    if rooms is None or not is_owner(request, network_of(request).secret):
        return ""
    return "open" if rooms.open else "closed"


# -- tokens of programs ----------------------------------------------------------------------------


class NewToken(Struct, frozen=True):
    """The form of a new token: the program's name, and a checkbox for each scope."""

    name: str = ""
    scope: dict[str, str] = {}


class RevokedToken(Struct, frozen=True):
    """The token to be revoked, by its hash."""

    token: str


def make_token(request: Request, form: NewToken) -> Response:
    """POST /programs: make a token. Only this answer contains its secret."""
    caller = identity.Caller(request)
    authority = authority_of(request)
    client = identity.client(request)
    asked = tokens.NewToken(form.name, set(form.scope))
    secret = tokens.issue.do(authority, caller.visitor, asked, client)
    return caller.keep(programs_page(request, secret=secret, maker=caller.visitor))


def revoke_token(request: Request, form: RevokedToken) -> Response:
    """POST /programs/revoke"""
    tokens.revoke(authority_of(request), known_visitor(request), form.token)
    return see_other(request, "/programs")


def programs_page(
    request: Request,
    given: Mapping[str, str] | None = None,
    refusal: Refused | None = None,
    secret: str = "",
    maker: Visitor | None = None,
) -> Response:
    """The page, with what was typed in its form (`given`) and why that was refused."""
    visitor = maker or identity.visitor(request)
    return templates.page_response(
        request,
        "programs.html",
        tokens=tokens.made_by(authority_of(request), visitor) if visitor else [],
        scopes=SCOPES,
        given=given or {},
        refusal=refusal,
        secret=secret,
        home=str(request.base_url).rstrip("/"),
        prefix=PREFIX,
    )
