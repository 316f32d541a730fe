"""Looking at a table: the page, the frame for our script, and plain data for programs."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.web import frames, pages, who
from diablerie.web.page_model import Scene
from diablerie.web.requests import authority_of, scene_of, sight_of, table_page


def page(request: Request) -> Response:
    """GET /t/{id}"""
    seen, visitor = sight_of(request), who.visitor(request)
    if visitor and seen.own:
        authority_of(request).touch(seen.live.id, visitor)
    return table_page(request, seen)


def frame(request: Request) -> Response:
    """GET /t/{id}/frame: all regions at once."""
    made = frames.frame(scene_of(request, sight_of(request)))
    return JSONResponse(made.data(made.regions) | {"id": made.id})


def data(request: Request) -> Response:
    """GET /t/{id}.json: what the viewer may see."""
    return JSONResponse(table_data(scene_of(request, sight_of(request))))


def whole_log(request: Request) -> Response:
    """GET /t/{id}/log: every sentence from the first."""
    shown = scene_of(request, sight_of(request))
    entries = authority_of(request).log(shown.live, shown.sight.viewer) if shown.live.match else []
    return pages.answer(request, "log.html", scene=shown, speech=shown.speech, entries=entries)


def table_data(scene: Scene) -> dict[str, Any]:
    """A table as JSON data."""
    live, speech = scene.live, scene.speech
    return {
        "id": live.id,
        "game": live.game.name,
        "options": {o.name: o.format(live.options[o.name]) for o in live.game.options},
        "status": live.status,
        "seq": live.seq,
        "commitment": live.commitment,
        "seats": [_seat(scene, place) for place in scene.places],
        "viewer": scene.sight.viewer,
        "own": list(scene.sight.own),
        "pending": live.pending,
        "prompt": speech.plain(scene.prompt),
        "legal": [{"do": m.text, "label": speech.plain(m.line)} for m in scene.sight.moves],
        "view": scene.sight.view,
        "log": [speech.plain(line) for _, line in scene.told],
        "chat": [{"seat": said.seat, "text": said.text, "at": said.at} for said in live.chat],
        "rematch": live.rematch,
        "hints": live.hints,
        "origin": live.origin,
        "taken": live.taken,
    }


def _seat(scene: Scene, place: Any) -> dict[str, Any]:
    return {
        "name": place.name,
        "kind": place.info.kind,
        "bot": place.info.driver,
        "own": place.own,
        "deciding": place.deciding,
        "winner": place.winner,
        "here": place.presence.here,
        "badges": [scene.speech.plain(line) for line in place.badges],
    }
