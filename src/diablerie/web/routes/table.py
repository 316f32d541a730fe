"""A table's page: what its address asks for, its making, its frame for our script, its log, its data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.runtime.serving import with_pauses
from diablerie.table.commands.command import AnyCommand
from diablerie.table.commands.decisions import Hint
from diablerie.table.errors import Refused
from diablerie.table.state.transitions import split_steps
from diablerie.web.edges import errors, forms
from diablerie.web.edges.forms import Form
from diablerie.web.frames import frames
from diablerie.web.frames.frames import Frame, gather
from diablerie.web.frames.question import prompt_of
from diablerie.web.frames.regions import seat_panels
from diablerie.web.frames.table_page import (
    Fairness,
    FormAnswer,
    Page,
    Recipient,
    Viewpoint,
    screen_of,
    view_table,
)
from diablerie.web.html import assets, templates
from diablerie.web.html.previews import table_card
from diablerie.web.people import identity, language, preferences
from diablerie.web.routes.endpoints import (
    Endpoint,
    Refusing,
    at_table,
    authority_of,
    back,
    caught_up,
    details,
    home_of,
    network_of,
    posting,
    see_other,
    table_of,
)

# -- what the address asks for ---------------------------------------------------------------------


class TableQuery(Form):
    """The query of the address of a table's page."""

    draft: str = ""


def query_of(request: Request) -> TableQuery:
    """What the address of a table's page asks for. Raises BadInput."""
    return forms.typed(TableQuery, request.query_params)


def viewpoint_of(request: Request, query: TableQuery | None = None) -> Viewpoint:
    """The viewpoint that the address asks for. Raises BadInput, and what `view_table` raises.

    query: the address's, if it has been read.
    """
    asked = query or query_of(request)
    table = table_of(request)
    if asked.screen:
        return screen_of(authority_of(request), table)
    visitor = identity.visitor(request)
    return view_table(authority_of(request), table, visitor, asked.chosen, split_steps(asked.draft))


# -- the page --------------------------------------------------------------------------------------


def page_of(request: Request, viewpoint: Viewpoint) -> Page:
    """The page that shows this visitor the viewpoint."""
    whose = recipient_of(request, viewpoint.screen)
    return gather(authority_of(request), viewpoint, whose)


def frame_of(request: Request, viewpoint: Viewpoint, recipient: Recipient | None = None) -> Frame:
    """The frame of that page, from the cache. `recipient` spares finding it out again."""
    state = request.app.state
    whose = recipient or recipient_of(request, viewpoint.screen)
    return frames.cached_frame(state.authority, viewpoint, whose)


def recipient_of(request: Request, screen: bool = False) -> Recipient:
    """All of a request that the content of a page depends on; of a `screen` not who looks.

    But on the static site the host's device may be the screen, and is the host's for all that.
    """
    if screen:
        reach = network_of(request).reach(request)._replace(owner=False)
        host = identity.visitor(request) if reach.alone and not reach.guest else None
        return Recipient(host, language.request_language(request), reach)
    return Recipient(
        visitor=identity.visitor(request),
        locale=language.request_language(request),
        reach=network_of(request).reach(request),
        muted=preferences.mute_marks(request),
        calls=bool(request.app.state.scheduler),
        asked_at=preferences.asking_table(request),
        known_as=preferences.remembered_name(request),
        words=bool(preferences.read_preferences(request).words),
    )


def table_page(
    request: Request,
    viewpoint: Viewpoint,
    control: str = "act",
    status: int = 200,
    link: str = "",
    hints: Sequence[Hint] = (),
) -> Response:
    """The table's page. A refusal of the viewpoint is shown beside `control`."""
    answer = FormAnswer(viewpoint.refusal, control, link, hints)
    # What answers a form is shown once, so it is no part of what is kept for others.
    page = replace(page_of(request, viewpoint), answer=answer)
    return templates.page_response(
        request,
        "table.html",
        status_code=status,
        page=page,
        speech=page.speech,
        frame=frames.make_frame(page),
        style=assets.game_stylesheet(page.game),
        first=_first(request, page),
        card=table_card(
            templates.request_speech(request), home_of(request), page.live, page.game.title
        ),
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


# -- forms of the page -----------------------------------------------------------------------------


def beside(control: str) -> Refusing:
    """Refusals on the table's page: it is shown again, with the refusal beside this control."""

    def refusing(request: Request, fields: Mapping[str, str], error: Refused) -> Response:
        if not errors.wants_page(request.headers):
            return errors.problem(request, error, **details(request, error))
        try:
            seat = forms.typed(Form, fields).chosen
            viewpoint = view_table(
                authority_of(request), table_of(request), identity.visitor(request), seat
            )
        except Refused:
            raise error from None
        response = table_page(request, replace(viewpoint, refusal=error), control, error.status)
        return errors.with_retry_headers(response, error)

    return refusing


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


# -- routes that show it ---------------------------------------------------------------------------


def show_table(request: Request) -> Response:
    """GET /t/{id}"""
    return table_page(request, _looked_at(request))


def show_screen(request: Request) -> Response:
    """GET /t/{id}/screen: the board for all who sit round it. It has no forms and no rights."""
    table = table_of(caught_up(request))
    viewpoint = screen_of(authority_of(request), table)
    page = page_of(request, viewpoint)
    return templates.page_response(
        request,
        "screen.html",
        page=page,
        speech=page.speech,
        frame=frames.make_frame(page),
        style=assets.game_stylesheet(page.game),
    )


def _looked_at(request: Request) -> Viewpoint:
    """What the visitor sees, who was here for a moment."""
    viewpoint = viewpoint_of(caught_up(request))
    visitor = identity.visitor(request)
    authority_of(request).hub.glance(viewpoint.live.id, identity.client(request))
    if visitor and viewpoint.own:
        authority_of(request).attendance.touch(viewpoint.live.id, visitor)
    return viewpoint


def table_frame(request: Request) -> Response:
    """GET /t/{id}/frame: all regions at once, for a page that has no stream now, too."""
    frame = frame_of(request, _looked_at(request))
    now = authority_of(request).clock()
    return JSONResponse(frame.data(frame.regions, now) | {"id": frame.id})


def data(request: Request) -> Response:
    """GET /t/{id}.json: the table as the viewer may see it."""
    return JSONResponse(table_data(page_of(request, viewpoint_of(caught_up(request)))))


def whole_log(request: Request) -> Response:
    """GET /t/{id}/log: every sentence from the first."""
    page = page_of(request, viewpoint_of(request))
    live = page.live
    viewer = page.viewpoint.viewer
    entries = authority_of(request).log(live, viewer) if live.match else []
    return templates.page_response(
        request, "log.html", page=page, speech=page.speech, entries=with_pauses(entries)
    )


def table_data(page: Page) -> dict[str, object]:
    """A table as JSON data."""
    live = page.live
    speech = page.speech
    viewer = page.viewpoint.viewer
    return {
        "id": live.id,
        "game": live.game.name,
        "options": live.option_texts,
        "status": live.status,
        "ply": live.ply,
        "commitment": live.commitment,
        "fair": _fair(page.fair) | {"aborted": live.aborted},
        "seats": _seats(page),
        "viewer": viewer if viewer >= 0 else None,  # None for who watches
        "own": list(page.viewpoint.own),
        "pending": live.pending,
        "prompt": speech.plain(prompt_of(page)),
        "legal": [{"do": m.text, "label": speech.plain(m.line)} for m in page.viewpoint.moves],
        "view": to_builtins(page.viewpoint.view),
        "log": [speech.plain(line) for entry in page.entries for line in entry.lines],
        "chat": [{"seat": said.seat, "text": said.text, "at": said.at} for said in live.chat],
        "rematch": page.context.rematch,
        "pace": live.pace,
        "hints": live.hints,
        "origin": live.origin,
        "taken": live.taken,
    }


def _fair(fair: Fairness) -> dict[str, object]:
    return {
        "phase": fair.phase,
        "asked": fair.asked,
        "hashes": fair.hashes,
        "nonces": [share.nonce for share in fair.shares],
        "by": [share.by for share in fair.shares],
        "digest": fair.digest,
        "seal": fair.seal,
    }


def _seats(page: Page) -> list[dict[str, object]]:
    context = page.context
    parts = zip(
        page.live.seats, context.presence, context.deadlines, seat_panels(page), strict=True
    )
    return [
        {
            "name": panel.name,
            "kind": info.kind,
            "bot": info.driver,
            "own": info.seat in page.viewpoint.own,
            "deciding": panel.deciding,
            "winner": panel.winner,
            "here": presence.here,
            "due": due,
            "badges": list(panel.badges),
        }
        for info, presence, due, panel in parts
    ]
