"""What the routes share: reading a request, answering a form, making a table's page."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from diablerie.engine.text import Line, say
from diablerie.table.authority import Authority
from diablerie.table.commands.command import AnyCommand
from diablerie.table.commands.decisions import Hint, thinkers
from diablerie.table.errors import Forbidden, Refused, TooMany
from diablerie.table.state.table_state import TableState
from diablerie.table.state.transitions import split_steps
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges import errors, forms
from diablerie.web.edges.forms import F, Form
from diablerie.web.edges.network_switch import NetworkSwitch
from diablerie.web.edges.rate_limiter import refusal_response
from diablerie.web.edges.turns import turn
from diablerie.web.frames import frame_cache, frames
from diablerie.web.frames.frame_cache import gather
from diablerie.web.frames.frames import Frame
from diablerie.web.frames.table_page import FormAnswer, Page, Recipient
from diablerie.web.frames.viewpoint import Viewpoint, view_table
from diablerie.web.html import assets, templates
from diablerie.web.html.previews import Card
from diablerie.web.people import identity, language, mutes, preferences

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]
Reading = Callable[[Request], Awaitable[dict[str, str]]]
Refusing = Callable[[Request, Mapping[str, str], Refused], Response]


class TableQuery(Form):
    """The query of the address of a table's page."""

    draft: str = ""


def authority_of(request: Request) -> Authority:
    """The authority over this server's tables."""
    return cast(Authority, request.app.state.authority)


async def served(request: Request, work: Callable[[], T]) -> T:
    """What `work` returns, called in the event loop, which goes on where it waits."""
    return await authority_of(request).clock.serve(work)


def page(path: str, make: Callable[[Request], Response], name: str | None = None) -> Route:
    """The route of a page, which `make` makes of a request."""

    async def endpoint(request: Request) -> Response:
        return await served(request, lambda: make(request))

    return Route(path, endpoint, name=name)


def network_of(request: Request) -> NetworkSwitch:
    """The switch that opens this server to the local network."""
    return cast(NetworkSwitch, request.app.state.network)


def table_of(request: Request) -> str:
    """The id of the table that a request is about."""
    return str(request.path_params["id"])


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
            request.state.chosen = forms.typed(Form, fields).chosen
        return work(request, forms.typed(kind, fields))

    async def endpoint(request: Request) -> Response:
        fields = await reading(request)
        client = identity.client(request)
        try:
            if limit:
                authority_of(request).limits.count_here(limit, client)
            place = (
                thinkers.place(client, request.is_disconnected) if thinks else turn(client, "write")
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
        async with turn(client):
            return await served(request, lambda: refusing(request, fields, refused))

    return endpoint


def beside(control: str) -> Refusing:
    """Refusals on the table's page: it is shown again, with the refusal beside this control."""

    def refusing(request: Request, fields: Mapping[str, str], error: Refused) -> Response:
        if not errors.wants_page(request.headers):
            return errors.problem(request, error, **details(request, error))
        try:
            seat = forms.typed(Form, fields).chosen
            seen = view_table(
                authority_of(request), table_of(request), identity.visitor(request), seat
            )
        except Refused:
            raise error from None
        response = table_page(request, replace(seen, refusal=error), control, error.status)
        return errors.with_retry_headers(response, error)

    return refusing


def details(request: Request, error: Refused) -> dict[str, object]:
    """More fields of a problem document: `rule`, where the clause can be read, and `ply`."""
    more: dict[str, object] = {}
    if error.clause and "id" in request.path_params:
        live = authority_of(request).live(table_of(request))
        more["rule"] = f"/rules/{live.game.name}#{error.clause}"
    ply = getattr(error, "ply", None)
    return more if ply is None else more | {"ply": ply}


def known_visitor(request: Request) -> Visitor:
    """The visitor. Raises Forbidden for a browser that has done nothing here yet."""
    visitor = identity.visitor(request)
    if visitor is None:
        raise Forbidden(say("You have no seat at this table."))
    return visitor


def at_table(request: Request) -> tuple[Authority, str, Visitor]:
    """What every command at a table takes first. Raises Forbidden for an unknown visitor."""
    return authority_of(request), table_of(request), known_visitor(request)


def commanding(command: AnyCommand, control: str, url: str = "") -> Endpoint:
    """An endpoint that gives a command by a form of a table's page; refusals stand beside `control`.

    Without `seat` the form is about the seat which that page was shown as. The answer leads back
    to the page, or to `url`.
    """

    async def read(request: Request) -> dict[str, str]:
        fields = await forms.read_form(request)
        return {"seat": fields.get("as", ""), **fields}

    def work(request: Request, asked: msgspec.Struct) -> Response:
        command.do(*at_table(request), asked)
        response = see_other(request, url) if url else back(request)
        return preferences.keep_name(response, getattr(asked, "name", ""))

    asks = command.operation
    return posting(asks.takes, work, beside(control), limit=asks.limit, reading=read)


def shown_again(page: Callable[[Request, Mapping[str, str], Refused], Response]) -> Refusing:
    """Refusals on a page of its own: it is shown again, with what was typed and why not."""

    def refusing(request: Request, fields: Mapping[str, str], error: Refused) -> Response:
        if not errors.wants_page(request.headers):
            raise error
        return page(request, fields, error)

    return refusing


def query_of(request: Request) -> TableQuery:
    """What the address of a table's page asks for. Raises BadInput."""
    return forms.typed(TableQuery, request.query_params)


def viewpoint_of(request: Request, query: TableQuery | None = None) -> Viewpoint:
    """The viewpoint that the address asks for. Raises BadInput, and what `view_table` raises.

    query: the address's, if it has been read.
    """
    asked = query or query_of(request)
    table = table_of(request)
    visitor = identity.visitor(request)
    return view_table(authority_of(request), table, visitor, asked.chosen, split_steps(asked.draft))


def home_of(request: Request) -> str:
    """The server's address as other devices reach it, without a slash at the end."""
    return network_of(request).home(request)


def house_card(request: Request, title: str, path: str = "/") -> Card:
    """The preview of a link to a page that is about no single table."""
    speech = templates.request_speech(request)
    home = home_of(request)
    return Card(
        title=title,
        description=speech.plain(
            say(
                "Devil games, most of them long out of print. Play them with friends, on one "
                "screen or far apart, or against devils."
            )
        ),
        url=home + path,
        image=f"{home}/preview.png",
        alt=speech.plain(say("A grinning devil")),
    )


def group_card(request: Request, name: str, path: str, score: Line | None, matches: int) -> Card:
    """What a link to a group's page shows: its score, if there is one, also in the picture."""
    card = house_card(request, name, path)
    told = templates.request_speech(request).plain(score) if score else ""
    return card._replace(
        description=told or card.description,
        image=f"{home_of(request)}{path}/preview.png?n={matches}",
        alt=told or card.alt,
    )


def card_of(request: Request, live: TableState, title: Line, path: str = "") -> Card:
    """What a link to a page of a table shows: what anybody may see of it. path: behind the table's."""
    speech = templates.request_speech(request).at(live)
    home = home_of(request)
    game = speech.plain(live.game.title)
    taken = [speech.name(info.seat) for info in live.seats if info.kind != "open"]
    return Card(
        title=speech.plain(title),
        description=", ".join(taken) + " – " + speech.plain(live.game.tagline),
        url=f"{home}/t/{live.id}{path}",
        image=f"{home}/t/{live.id}/preview.png?ply={live.ply}",
        alt=speech.plain(say("The board of {game}, as everybody may see it", game=game)),
    )


def caught_up(request: Request) -> Request:
    """The request, after this process has read what other processes changed at its table."""
    authority_of(request).catch_up(table_of(request))
    return request


def page_of(request: Request, seen: Viewpoint) -> Page:
    """The page that shows this visitor the viewpoint."""
    return gather(authority_of(request), request.app.state.compiler, seen, recipient_of(request))


def frame_of(request: Request, seen: Viewpoint, recipient: Recipient | None = None) -> Frame:
    """The frame of that page, from the cache. `recipient` spares finding it out again."""
    state = request.app.state
    whose = recipient or recipient_of(request)
    return frame_cache.cached_frame(state.authority, state.compiler, seen, whose)


def recipient_of(request: Request) -> Recipient:
    """All of a request that the content of a page depends on."""
    return Recipient(
        visitor=identity.visitor(request),
        locale=language.request_language(request),
        reach=network_of(request).reach(request),
        muted=mutes.marks(request),
        calls=bool(request.app.state.scheduler),
        asked_at=preferences.asking_table(request),
        known_as=preferences.remembered_name(request),
        words=bool(preferences.read_preferences(request).words),
    )


def table_page(
    request: Request,
    seen: Viewpoint,
    control: str = "act",
    status: int = 200,
    link: str = "",
    hints: Sequence[Hint] = (),
) -> Response:
    """The table's page. A refusal of the viewpoint is shown beside `control`."""
    answer = FormAnswer(seen.refusal, control, link, hints)
    page = replace(page_of(request, seen), answer=answer)
    return templates.page_response(
        request,
        "table.html",
        status_code=status,
        page=page,
        speech=page.speech,
        frame=frames.make_frame(page),
        style=assets.game_stylesheet(page.game),
        first=_first(request, page),
        card=card_of(request, page.live, page.game.title),
    )


def _first(request: Request, page: Page) -> bool:
    """Whether to show the card for a first game: the visitor plays, and did not dismiss it."""
    lesson = page.game.lesson
    live = page.live
    resigned = live.match.resigned if live.match else ()
    plays = not (page.over or live.free) and any(
        seat not in resigned for seat in page.viewpoint.own
    )
    dismissed = page.game.name in preferences.dismissed_cards(request)
    return bool(lesson and lesson.glance) and plays and not dismissed


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
    return f"/t/{table_of(request)}" + ("" if chosen is None else f"?as={chosen}")
