"""A finished match, step by step, through the eyes of a seat or of everybody."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from markupsafe import Markup
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.bots.analysis.findings import Analysis, Turn
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import EVERYTHING, WATCHER
from diablerie.table.bots.match_analysis import AnalysisProgress, Analyst, Failed
from diablerie.table.commands import lobby
from diablerie.table.errors import BadInput, TooMany, WrongTime
from diablerie.table.state.table_state import OVER, TableState
from diablerie.web.edges import errors
from diablerie.web.edges.forms import Number, Seat, typed
from diablerie.web.edges.requests import (
    authority_of,
    page_model_of,
    see_other,
    table_of,
    viewpoint_of,
)
from diablerie.web.frames.page_model import PageModel
from diablerie.web.html import assets, templates
from diablerie.web.html.curve import curve_svg
from diablerie.web.html.remarks import remarks
from diablerie.web.people import identity
from diablerie.web.people.opponents import STRONGEST, allowed, company

ALL_EYES = "all"
JSONL = "application/jsonl; charset=utf-8"


class ReplayQuery(Struct, frozen=True):
    """The step asked for (None: the last), and through whose eyes."""

    step: Number | None = None
    eyes: Seat | Literal["all"] = "all"


class Explore(Struct, frozen=True):
    """Going on from a step as a seat (None: who is to decide there) against such bots."""

    step: Number = 0
    seat: Seat | None = None
    bot: str = STRONGEST


class ReplayPage(NamedTuple):
    """One step of a replay. `eyes` is a seat, or WATCHER for everything.

    `analysis` is what was found about the match, so far while `analysing` tells how far that is;
    neither where the server does without, or has too much to do.
    """

    model: PageModel
    step: int
    last: int
    eyes: int
    board: Markup
    lines: tuple[Line, ...]
    badges: list[list[Line]]
    turns: list[tuple[Turn, tuple[Line, ...]]]  # each with what is told of it
    analysis: Analysis | None = None
    analysing: AnalysisProgress | None = None
    strongest: str = STRONGEST

    @property
    def bots(self) -> Mapping[str, Line]:
        """Against whom one may go on from here."""
        return company(self.model.game)

    @property
    def curve(self) -> Markup:
        """The picture of everyone's chances."""
        assert self.analysis is not None
        return Markup(curve_svg(self.analysis, self.step, self.model.speech.plain, self.last))

    @property
    def judged(self) -> bool:
        """Whether everyone's chances after this step are known by now."""
        return self.analysis is not None and self.step <= len(self.analysis.chances)

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
        return f"/t/{self.model.live.id}/replay?step={step}&eyes={self.seen}"


def replay_page(request: Request) -> Response:
    """GET /t/{id}/replay: the page, or for our script its changing regions."""
    shown = made(request)
    if not errors.wants_page(request.headers):
        return JSONResponse(_frame(request, shown))
    return templates.page_response(
        request,
        "replay.html",
        replay=shown,
        model=shown.model,
        speech=shown.model.speech,
        style=assets.game_stylesheet(shown.model.game),
    )


def made(request: Request) -> ReplayPage:
    """What a request asks to see. Raises WrongTime while the match runs."""
    model = page_model_of(request, viewpoint_of(request))
    live, asked = model.live, typed(ReplayQuery, request.query_params, 400)
    if live.status != OVER:
        raise WrongTime(say("The replay is there when the game is over."))
    eyes = WATCHER if asked.eyes == ALL_EYES else int(asked.eyes)
    if eyes >= len(live.seats):
        raise BadInput(say("There is no seat “{text}”.", text=str(eyes)))
    step = live.ply if asked.step is None else min(max(asked.step, 1), live.ply)
    with authority_of(request).reading(live):
        return _analysed(request, _replay(model, step, eyes))


def _analysed(request: Request, shown: ReplayPage) -> ReplayPage:
    analyst: Analyst | None = request.app.state.analyst
    if analyst is None:
        return shown
    live = shown.model.live
    try:
        found = analyst.look(live)
    except (TooMany, Failed):
        return shown
    if isinstance(found, AnalysisProgress):
        return shown._replace(analysing=found, analysis=found.so_far)
    told = authority_of(request).log(live, shown.eyes)
    turns = [
        (turn, (*told[turn.step - 1].lines, *remarks(live, found, turn))) for turn in found.turns
    ]
    return shown._replace(analysis=found, turns=turns)


def _replay(model: PageModel, step: int, eyes: int) -> ReplayPage:
    assert model.live.match is not None
    viewer = EVERYTHING if eyes == WATCHER else eyes  # all is open, for the match is over
    moved = next(model.live.match.at(step).steps(viewer, step - 1))
    view = model.game.ui.look(moved.state, viewer)
    board = Markup(model.game.ui.draw(view, [], model.speech.plain))
    badges = [model.game.ui.panel(view, info.seat) for info in model.live.seats]
    return ReplayPage(model, step, model.live.ply, eyes, board, moved.lines, badges, [])


def _frame(request: Request, shown: ReplayPage) -> dict[str, Any]:
    tongue = shown.model.tongue
    regions = {
        name: templates.render_template(
            tongue,
            f"parts/{name}.html",
            replay=shown,
            model=shown.model,
            speech=shown.model.speech,
        )
        for name in ("replay-board", "replay-steps", "replay-curve", "replay-seats")
    }
    return {"ply": shown.step, "title": "", "url": shown.at(shown.step), "regions": regions}


def explore(request: Request, form: Explore) -> Response:
    """POST /t/{id}/explore: a new table that goes on from `step`, against bots."""
    caller = identity.Caller(request)
    live = lobby.explore(
        authority_of(request),
        table_of(request),
        caller.visitor,
        form.step,
        form.seat,
        allowed(form.bot),
        identity.client(request),
    )
    return caller.keep(see_other(request, f"/t/{live.id}"))


def download(request: Request) -> Response:
    """GET /t/{id}/match.jsonl: the file of the match, of a running one what the viewer may know."""
    seen = viewpoint_of(request)
    return matchfile(seen.live, authority_of(request).export(seen.live, seen.viewer))


def matchfile(live: TableState, text: str) -> Response:
    """A match file, to be kept under a name of its own."""
    disposition = f'attachment; filename="{live.game.name}-{live.id}.jsonl"'
    return Response(text, headers={"content-type": JSONL, "content-disposition": disposition})


def raw_rows(request: Request) -> Response:
    """GET /t/{id}/rows.jsonl: what there is of a match that cannot be read."""
    table = table_of(request)
    text = authority_of(request).raw(table, identity.visitor(request))
    disposition = f'attachment; filename="rows-{table}.jsonl"'
    return Response(text, headers={"content-type": JSONL, "content-disposition": disposition})
