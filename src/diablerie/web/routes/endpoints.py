"""Endpoints: reading a request, giving what it asks for, answering it; what all routes share."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from diablerie.engine.text import say
from diablerie.table.authority import Authority
from diablerie.table.commands.decisions import thinkers
from diablerie.table.errors import Forbidden, Refused, TooMany
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges import errors, forms
from diablerie.web.edges.forms import F, Form
from diablerie.web.edges.limits import client_turn, refusal_response
from diablerie.web.edges.network_switch import NetworkSwitch
from diablerie.web.people import identity

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]
Reading = Callable[[Request], Awaitable[dict[str, str]]]
Refusing = Callable[[Request, Mapping[str, str], Refused], Response]


# -- what a request is about -----------------------------------------------------------------------


def authority_of(request: Request) -> Authority:
    """The authority over this server's tables."""
    return cast(Authority, request.app.state.authority)


def network_of(request: Request) -> NetworkSwitch:
    """The switch that opens this server to the local network."""
    return cast(NetworkSwitch, request.app.state.network)


def home_of(request: Request) -> str:
    """The server's address as other devices reach it, without a slash at the end."""
    return network_of(request).home(request)


def table_of(request: Request) -> str:
    """The id of the table that a request is about."""
    return str(request.path_params["id"])


def caught_up(request: Request) -> Request:
    """The request, after this process has read what other processes changed at its table."""
    authority_of(request).catch_up(table_of(request))
    return request


def known_visitor(request: Request) -> Visitor:
    """The visitor. Raises Forbidden for a browser that has done nothing here yet."""
    visitor = identity.visitor(request)
    if visitor is None:
        raise Forbidden(say("You have no seat at this table."))
    return visitor


def at_table(request: Request) -> tuple[Authority, str, Visitor]:
    """What every command at a table takes first. Raises Forbidden for an unknown visitor."""
    return authority_of(request), table_of(request), known_visitor(request)


# -- endpoints -------------------------------------------------------------------------------------


async def served(request: Request, work: Callable[[], T]) -> T:
    """What `work` returns, called in the event loop, which goes on where it waits."""
    return await authority_of(request).clock.serve(work)


def page(path: str, make: Callable[[Request], Response], name: str | None = None) -> Route:
    """The route of a page, which `make` makes of a request."""

    async def endpoint(request: Request) -> Response:
        return await served(request, lambda: make(request))

    return Route(path, endpoint, name=name)


def posting(
    kind: type[F],
    work: Callable[[Request, F], Response],
    refusing: Refusing | None = None,
    *,
    limit: str = "writes",
    thinks: bool = False,
    reading: Reading = forms.read_form,
) -> Endpoint:
    """An endpoint that parses a form of one kind and calls `work`.

    With `thinks`, that takes long: clients take turns.
    `refusing` makes the response to a refusal from the fields as they were sent; without it the
    response is a page (or a problem document) with the refusal alone. `limit` names the rate limit
    (see `rate_limits.RATES`); "" where the command takes it itself.
    `reading` makes the fields of the request's body.
    """

    def work_on(request: Request, fields: Mapping[str, str], client: str) -> Response:
        tables = authority_of(request)
        if limit:
            tables.limits.count(limit, client)
        if "id" in request.path_params:
            tables.catch_up(table_of(request))
            shown_as = forms.typed(Form, fields)
            request.state.chosen = shown_as.chosen
            request.state.screen = shown_as.screen
        return work(request, forms.typed(kind, fields))

    async def endpoint(request: Request) -> Response:
        fields = await reading(request)
        client = identity.client(request)
        try:
            if limit:
                authority_of(request).limits.count_here(limit, client)
            place = (
                thinkers.place(client, request.is_disconnected)
                if thinks
                else client_turn(client, "write")
            )
            async with place:
                return await served(request, lambda: work_on(request, fields, client))
        except Refused as error:
            refused = error
        if refusing is None:
            raise refused
        if errors.wants_page(request.headers):  # which counts as any other page
            try:
                authority_of(request).limits.count_here("pages", client)
            except TooMany:
                return refusal_response(request.scope, refused)
        async with client_turn(client):
            return await served(request, lambda: refusing(request, fields, refused))

    return endpoint


def shown_again(page: Callable[[Request, Mapping[str, str], Refused], Response]) -> Refusing:
    """Refusals on a page of its own: it is shown again, with what was typed and why not."""

    def refusing(request: Request, fields: Mapping[str, str], error: Refused) -> Response:
        if not errors.wants_page(request.headers):
            raise error
        return page(request, fields, error)

    return refusing


# -- answers ---------------------------------------------------------------------------------------


def see_other(request: Request, url: str) -> Response:
    """The answer to an accepted form: a redirect, or JSON with the address for our script."""
    if errors.wants_page(request.headers):
        return RedirectResponse(url, 303)
    return JSONResponse({"url": url})


def back(request: Request) -> Response:
    """The answer that leads back to the table's page that a form was on."""
    return see_other(request, table_url(request))


def table_url(request: Request) -> str:
    """The address of the table's page that a form was on, shown as the same seat."""
    chosen = request.state.chosen
    page = f"/t/{table_of(request)}" + ("/screen" if request.state.screen else "")
    return page + ("" if chosen is None else f"?as={chosen}")


def details(request: Request, error: Refused) -> dict[str, object]:
    """More fields of a problem document: `rule`, where the clause can be read, and `ply`."""
    more: dict[str, object] = {}
    if error.clause and "id" in request.path_params:
        live = authority_of(request).live(table_of(request))
        more["rule"] = f"/rules/{live.game.name}#{error.clause}"
    ply = getattr(error, "ply", None)
    return more if ply is None else more | {"ply": ply}
