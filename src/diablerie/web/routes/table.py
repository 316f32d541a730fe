"""Routes that show a table: its page, its frame for our script, its log, its data as JSON."""

from typing import Any

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.web.edges.requests import (
    authority_of,
    caught_up,
    frame_of,
    page_model_of,
    table_page,
    viewpoint_of,
)
from diablerie.web.frames.page_model import PageModel
from diablerie.web.frames.seat_panel import SeatPanel
from diablerie.web.html import templates
from diablerie.web.html.fairness import Fairness
from diablerie.web.people import identity


def show_table(request: Request) -> Response:
    """GET /t/{id}"""
    seen, visitor = viewpoint_of(caught_up(request)), identity.visitor(request)
    authority_of(request).hub.glance(seen.live.id, identity.client(request))
    if visitor and seen.own:
        authority_of(request).touch(seen.live.id, visitor)
    return table_page(request, seen)


def table_frame(request: Request) -> Response:
    """GET /t/{id}/frame: all regions at once."""
    frame = frame_of(request, viewpoint_of(caught_up(request)))
    now = authority_of(request).clock()
    return JSONResponse(frame.data(frame.regions, now) | {"id": frame.id})


def data(request: Request) -> Response:
    """GET /t/{id}.json: the table as the viewer may see it."""
    return JSONResponse(table_data(page_model_of(request, viewpoint_of(caught_up(request)))))


def whole_log(request: Request) -> Response:
    """GET /t/{id}/log: every sentence from the first."""
    model = page_model_of(request, viewpoint_of(request))
    live, viewer = model.live, model.viewpoint.viewer
    entries = authority_of(request).log(live, viewer) if live.match else []
    return templates.page_response(
        request, "log.html", model=model, speech=model.speech, entries=entries
    )


def table_data(model: PageModel) -> dict[str, Any]:
    """A table as JSON data."""
    live, speech = model.live, model.speech
    return {
        "id": live.id,
        "game": live.game.name,
        "options": {o.name: o.format(live.options[o.name]) for o in live.game.options},
        "status": live.status,
        "ply": live.ply,
        "commitment": live.commitment,
        "fair": _fair(model.fair) | {"aborted": live.aborted},
        "seats": [_seat(model, panel) for panel in model.panels],
        "viewer": model.viewpoint.viewer if model.viewpoint.viewer >= 0 else None,
        "own": list(model.viewpoint.own),
        "pending": live.pending,
        "prompt": speech.plain(model.prompt),
        "legal": [{"do": m.text, "label": speech.plain(m.line)} for m in model.viewpoint.moves],
        "view": to_builtins(model.viewpoint.view),
        "log": [speech.plain(line) for _, line in model.told],
        "chat": [{"seat": said.seat, "text": said.text, "at": said.at} for said in live.chat],
        "rematch": model.rematch,
        "pace": live.pace,
        "hints": live.hints,
        "origin": live.origin,
        "taken": live.taken,
    }


def _fair(fair: Fairness) -> dict[str, Any]:
    return {
        "phase": fair.phase,
        "asked": fair.asked,
        "hashes": fair.hashes,
        "nonces": [share.nonce for share in fair.shares],
        "by": [share.by for share in fair.shares],
        "digest": fair.digest,
        "seal": fair.seal,
    }


def _seat(model: PageModel, panel: SeatPanel) -> dict[str, Any]:
    return {
        "name": panel.name,
        "kind": panel.info.kind,
        "bot": panel.info.driver,
        "own": panel.own,
        "deciding": panel.deciding,
        "winner": panel.winner,
        "here": panel.presence.here,
        "due": panel.due,
        "badges": [model.speech.plain(line) for line in panel.badges],
    }
