"""Routes that show a table: its page, its frame for our script, its log, its data as JSON."""

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.runtime.serving import paced
from diablerie.web.edges.requests import (
    authority_of,
    caught_up,
    frame_of,
    page_of,
    table_page,
    viewpoint_of,
)
from diablerie.web.frames.question import prompt_of
from diablerie.web.frames.seat_panel import seat_panels
from diablerie.web.frames.table_page import Page
from diablerie.web.frames.viewpoint import Viewpoint
from diablerie.web.html import templates
from diablerie.web.html.fairness import Fairness
from diablerie.web.people import identity


def show_table(request: Request) -> Response:
    """GET /t/{id}"""
    seen = _looked_at(request)
    response = table_page(request, seen)
    if seen.live.public:  # on the landing page, too; what else is below /t/ stays unlisted
        response.headers["x-robots-tag"] = "all"
    return response


def _looked_at(request: Request) -> Viewpoint:
    """What the visitor sees, who was here for a moment."""
    seen = viewpoint_of(caught_up(request))
    visitor = identity.visitor(request)
    authority_of(request).hub.glance(seen.live.id, identity.client(request))
    if visitor and seen.own:
        authority_of(request).attendance.touch(seen.live.id, visitor)
    return seen


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
        request, "log.html", page=page, speech=page.speech, entries=paced(entries)
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
        "viewer": viewer if viewer >= 0 else None,
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
