"""A finished match, step by step, through the eyes of a seat or of everybody."""

from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.engine.text import Line, say
from diablerie.engine.verbs import WATCHER
from diablerie.table.errors import BadInput, WrongTime
from diablerie.table.live import OVER
from diablerie.web import assets, errors, pages
from diablerie.web.desk import authority_of, scene_of, seat_number, sight_of
from diablerie.web.replays import moment
from diablerie.web.scene import Scene

ALL_EYES = "all"


class Replay(NamedTuple):
    """One step of a replay. `eyes` is a seat, or WATCHER for everything."""

    scene: Scene
    step: int
    last: int
    eyes: int
    board: Markup
    lines: tuple[Line, ...]
    badges: list[list[Line]]

    @property
    def seen(self) -> str:
        """The eyes, as addresses name them."""
        return ALL_EYES if self.eyes == WATCHER else str(self.eyes)

    def at(self, step: int) -> str:
        """The address of another step."""
        step = min(max(step, 1), self.last)
        return f"/t/{self.scene.live.id}/replay?step={step}&eyes={self.seen}"


def replay(request: Request) -> Response:
    """GET /t/{id}/replay: the page, or for our script its changing regions."""
    shown = made(request)
    if not errors.wants_page(request.headers):
        return JSONResponse(_frame(request, shown))
    style = f"games/{shown.scene.game.name}.css"
    return pages.answer(
        request,
        "replay.html",
        replay=shown,
        scene=shown.scene,
        speech=shown.scene.speech,
        style=style if assets.exists(style) else "",
    )


def made(request: Request) -> Replay:
    """What a request asks to see. Raises WrongTime while the match runs."""
    scene = scene_of(request, sight_of(request))
    live, asked = scene.live, request.query_params
    if live.status != OVER:
        raise WrongTime(say("The replay is there when the game is over."))
    eyes = _eyes(asked.get("eyes") or ALL_EYES)
    if eyes >= len(live.seats):
        raise BadInput(say("There is no seat “{text}”.", text=str(eyes)))
    step = min(max(_step(asked.get("step") or str(live.seq)), 1), live.seq)
    return _replay(scene, step, eyes)


def _replay(scene: Scene, step: int, eyes: int) -> Replay:
    record, lines = moment(scene.live, step, eyes)
    view = scene.game.view.look(record, eyes)
    board = Markup(scene.game.draw.board(view, [], scene.speech.plain))
    badges = [scene.game.view.panel(view, info.seat) for info in scene.live.seats]
    return Replay(scene, step, scene.live.seq, eyes, board, tuple(lines), badges)


def _eyes(text: str) -> int:
    seat = None if text == ALL_EYES else seat_number(text)
    return WATCHER if seat is None else seat


def _step(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise BadInput(say("“{text}” is no step of this match.", text=text[:20]))
    return int(text)


def _frame(request: Request, shown: Replay) -> dict[str, Any]:
    tongue = shown.scene.tongue
    regions = {
        name: pages.render(tongue, f"parts/{name}.html", replay=shown, scene=shown.scene,
                           speech=shown.scene.speech)
        for name in ("replay-board", "replay-steps", "replay-seats")
    }  # fmt: skip
    return {"seq": shown.step, "title": "", "url": shown.at(shown.step), "regions": regions}


def download(request: Request) -> Response:
    """GET /t/{id}/match.jsonl: the file of the match, of a running one what the viewer may know."""
    seen = sight_of(request)
    text = authority_of(request).export(seen.live, seen.viewer)
    name = f"{seen.live.game.name}-{seen.live.id}.jsonl"
    disposition = f'attachment; filename="{name}"'
    kind = "application/jsonl; charset=utf-8"
    return Response(text, headers={"content-type": kind, "content-disposition": disposition})
