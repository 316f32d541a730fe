"""The replay of a finished match, step by step, seen by a seat or with everything open."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from markupsafe import Markup
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.art.svg import Svg
from diablerie.bots.analysis.findings import Analysis, Turn, Verdict
from diablerie.engine.queries import redacted
from diablerie.engine.text import Line, SeatRef, say
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
from diablerie.web.people import identity
from diablerie.web.people.opponents import STRONGEST, allowed, company

ALL_EYES = "all"
MOST = 0.5  # the share of a change that luck must have, to be called most of it
JSONL = "application/jsonl; charset=utf-8"


class ReplayQuery(Struct, frozen=True):
    """The query: a step (None: the last), and a seat whose eyes to see through, or "all"."""

    step: Number | None = None
    eyes: Seat | Literal["all"] = "all"


class Explore(Struct, frozen=True):
    """The form that plays on from a step, as a seat (None: the one to decide), against bots."""

    step: Number = 0
    seat: Seat | None = None
    bot: str = STRONGEST


class ReplayPage(NamedTuple):
    """One step of a replay. `eyes` is a seat, or WATCHER for everything.

    `analysis` holds everyone's chances and the turning points; while `analysing` says how far it
    is, it is incomplete. Both are None if the server does not analyse, or is too busy.
    """

    model: PageModel
    step: int
    last: int
    eyes: int
    board: Markup
    lines: tuple[Line, ...]
    moments: str  # what is staged of the step, as in a frame
    badges: list[list[Line]]
    turns: list[tuple[Turn, tuple[Line, ...]]]  # each with its sentences
    analysis: Analysis | None = None
    analysing: AnalysisProgress | None = None
    strongest: str = STRONGEST

    @property
    def bots(self) -> Mapping[str, Line]:
        """The bots against whom the visitor may play on from here."""
        return company(self.model.game)

    @property
    def curve(self) -> Svg:
        """The picture of everyone's chances."""
        assert self.analysis is not None
        return curve_svg(self.analysis, self.step, self.model.speech.plain, self.last)

    @property
    def judged(self) -> bool:
        """Whether the analysis has come to this step."""
        return self.analysis is not None and self.step <= len(self.analysis.chances)

    def percent(self, seat: int) -> int:
        """A seat's chance after this step, in percent."""
        assert self.analysis is not None
        return round(100 * self.analysis.chances[self.step - 1][seat])

    @property
    def seen(self) -> str:
        """`eyes` as addresses write it."""
        return ALL_EYES if self.eyes == WATCHER else str(self.eyes)

    def at(self, step: int) -> str:
        """The address of another step."""
        step = min(max(step, 1), self.last)
        return f"/t/{self.model.live.id}/replay?step={step}&eyes={self.seen}"


def replay_page(request: Request) -> Response:
    """GET /t/{id}/replay: the page, or for our script its changing regions."""
    page = requested_page(request)
    if not errors.wants_page(request.headers):
        return JSONResponse(_frame(request, page))
    return templates.page_response(
        request,
        "replay.html",
        replay=page,
        model=page.model,
        speech=page.model.speech,
        style=assets.game_stylesheet(page.model.game),
    )


def requested_page(request: Request) -> ReplayPage:
    """The step that a request asks for. Raises WrongTime while the match runs, BadInput."""
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
        analysis = analyst.look(live)
    except (TooMany, Failed):
        return shown
    if isinstance(analysis, AnalysisProgress):
        return shown._replace(analysing=analysis, analysis=analysis.so_far)
    log = authority_of(request).log(live, shown.eyes)
    turns = [
        (turn, (*log[turn.step - 1].lines, *remarks(live, analysis, turn)))
        for turn in analysis.turns
    ]
    return shown._replace(analysis=analysis, turns=turns)


def _replay(model: PageModel, step: int, eyes: int) -> ReplayPage:
    assert model.live.match is not None
    viewer = EVERYTHING if eyes == WATCHER else eyes  # after the end nothing is secret
    moved = next(model.live.match.at(step).steps(viewer, step - 1))
    view = model.game.ui.look(moved.state, viewer)
    board = Markup(model.game.ui.draw(view, [], model.speech.plain))
    moments = "".join(f"{step} {moment};" for moment in moved.moments)
    badges = [model.game.ui.panel(view, info.seat) for info in model.live.seats]
    return ReplayPage(model, step, model.live.ply, eyes, board, moved.lines, moments, badges, [])


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
    regions["moments"] = shown.moments
    return {"ply": shown.step, "title": "", "url": shown.at(shown.step), "regions": regions}


def explore(request: Request, form: Explore) -> Response:
    """POST /t/{id}/explore: open a new table that plays on from `step`, against bots."""
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
    """The response that downloads a match file."""
    return _attachment(text, f"{live.game.name}-{live.id}.jsonl")


def _attachment(text: str, name: str) -> Response:
    disposition = f'attachment; filename="{name}"'
    return Response(text, headers={"content-type": JSONL, "content-disposition": disposition})


def raw_rows(request: Request) -> Response:
    """GET /t/{id}/rows.jsonl: download the rows of a match that cannot be read."""
    table = table_of(request)
    text = authority_of(request).raw(table, identity.visitor(request))
    return _attachment(text, f"rows-{table}.jsonl")


# -- remarks on turning points -----------------------------------------------------------------------


def remarks(live: TableState, analysis: Analysis, turn: Turn) -> Iterator[Line]:
    """The sentences on a turning point of a finished match: a mistake, luck, neither."""
    verdict = analysis.verdict(turn.step)
    if verdict is None:
        return
    lucky = verdict.luck is not None and verdict.luck * turn.change > MOST * turn.change**2
    if verdict.better:
        yield _better(live, verdict)
    if lucky:
        yield say("Most of this was luck.")
    elif verdict.asked and not verdict.better:
        yield say(
            "From what {who} could know, the Oberteufel finds nothing better.",
            who=SeatRef(verdict.seat),
        )


def _better(live: TableState, verdict: Verdict) -> Line:
    """The sentence on a better move, which it names as its button does."""
    assert live.match is not None
    seen = redacted(live.match.at(verdict.step - 1).state, verdict.seat)
    action = live.game.notation.parse_action(seen, verdict.seat, verdict.better)
    return say(
        "The Oberteufel would have chosen “{move}”: {who} gave away about {percent}%.",
        move=live.game.ui.label(seen, verdict.seat, action),
        who=SeatRef(verdict.seat),
        percent=round(100 * verdict.cost),
    )
