"""A finished match, step by step, through the eyes of a seat or of everybody."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.engine.text import Line, say
from diablerie.engine.verbs import WATCHER
from diablerie.table.analysis import Analysis, Analyst, Failed, Progress, Turn
from diablerie.table.errors import BadInput, TooMany, WrongTime
from diablerie.table.live import OVER
from diablerie.web import assets, errors, pages, who
from diablerie.web.curve import curve
from diablerie.web.forms import Form
from diablerie.web.page_model import Scene
from diablerie.web.replays import moment
from diablerie.web.requests import authority_of, done, scene_of, seat_number, sight_of
from diablerie.web.routes.landing import BOTS, STRONGEST

ALL_EYES = "all"


class Replay(NamedTuple):
    """One step of a replay. `eyes` is a seat, or WATCHER for everything.

    `analysis` is what was found about the match, `analysing` how far that is; neither where the
    server does without, or has too much to do.
    """

    scene: Scene
    step: int
    last: int
    eyes: int
    board: Markup
    lines: tuple[Line, ...]
    badges: list[list[Line]]
    turns: list[tuple[Turn, tuple[Line, ...]]]
    analysis: Analysis | None = None
    analysing: Progress | None = None
    bots: Mapping[str, Line] = BOTS
    strongest: str = STRONGEST

    @property
    def curve(self) -> Markup:
        """The picture of everyone's chances."""
        assert self.analysis is not None
        label = self.scene.speech.plain(say("Everyone’s chances, step by step"))
        return Markup(curve(self.analysis, self.step, label))

    def percent(self, seat: int) -> int:
        """A seat's chance after this step, in percent."""
        assert self.analysis is not None
        return round(100 * self.analysis.chances[self.step - 1][seat])

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
    return _analysed(request, _replay(scene, step, eyes))


def _analysed(request: Request, shown: Replay) -> Replay:
    analyst: Analyst | None = request.app.state.analyst
    if analyst is None:
        return shown
    live = shown.scene.live
    try:
        found = analyst.look(live)
    except (TooMany, Failed):
        return shown
    if isinstance(found, Progress):
        return shown._replace(analysing=found)
    told = authority_of(request).log(live, shown.eyes)
    turns = [(turn, told[turn.step - 1].lines) for turn in found.turns]
    return shown._replace(analysis=found, turns=turns)


def _replay(scene: Scene, step: int, eyes: int) -> Replay:
    moved = moment(scene.live, step, eyes)
    view = scene.game.ui.look(moved.state, eyes)
    board = Markup(scene.game.ui.draw(view, [], scene.speech.plain))
    badges = [scene.game.ui.panel(view, info.seat) for info in scene.live.seats]
    return Replay(scene, step, scene.live.seq, eyes, board, moved.lines, badges, [])


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
        for name in ("replay-board", "replay-steps", "replay-curve", "replay-seats")
    }  # fmt: skip
    return {"seq": shown.step, "title": "", "url": shown.at(shown.step), "regions": regions}


def explore(request: Request, form: Form) -> Response:
    """POST /t/{id}/explore: a new table that goes on from `step`, against bots."""
    caller = who.Caller(request)
    step, seat = form.number("step", 0, 0, 10**6), seat_number(form.get("seat"))
    bot = form.get("bot") or STRONGEST
    live = authority_of(request).lobby.explore(
        request.path_params["id"], caller.visitor, step, seat, bot, who.client(request)
    )
    return caller.keep(done(request, f"/t/{live.id}"))


def download(request: Request) -> Response:
    """GET /t/{id}/match.jsonl: the file of the match, of a running one what the viewer may know."""
    seen = sight_of(request)
    text = authority_of(request).export(seen.live, seen.viewer)
    name = f"{seen.live.game.name}-{seen.live.id}.jsonl"
    disposition = f'attachment; filename="{name}"'
    kind = "application/jsonl; charset=utf-8"
    return Response(text, headers={"content-type": kind, "content-disposition": disposition})
