"""The replay of a finished match, step by step, seen by a seat or with everything open."""

from collections.abc import Mapping
from functools import partial
from typing import Literal, NamedTuple

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.api import Frozen, Number, Seat
from diablerie.art.svg import Svg
from diablerie.bots.analysis.findings import Analysis
from diablerie.engine.match import Chapter, Match, chapters
from diablerie.engine.plies import resigned
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import EVERYTHING, WATCHER
from diablerie.runtime.serving import apart
from diablerie.table.bots.match_analysis import AnalysisProgress, Analyst, Failed
from diablerie.table.commands import sequels
from diablerie.table.commands.lobby import allowed, company
from diablerie.table.errors import BadInput, WrongTime
from diablerie.table.state.table_state import FINISHED_TABLE, PERSON, TableState
from diablerie.table.state.transitions import pending_after
from diablerie.web.edges import errors
from diablerie.web.edges.forms import typed
from diablerie.web.edges.security import EMBED_PATH
from diablerie.web.frames.board import Board, SeatPanel
from diablerie.web.frames.table_page import Page
from diablerie.web.html import assets, templates
from diablerie.web.html.chances import (
    ENOUGH_OWN_POINTS,
    Point,
    chapter_of,
    curve_svg,
    of_100,
    others_points,
    turning_points,
    unlogged_decision,
)
from diablerie.web.html.previews import table_card
from diablerie.web.people import identity
from diablerie.web.routes.endpoints import authority_of, home_of, see_other, table_of
from diablerie.web.routes.table import page_of, viewpoint_of

ALL_EYES = "all"
REPLAY_REGIONS = (
    "board",
    "steps",
    "curve",
    "on",
    "seats",
    "words",
)  # of the page that change with the step
JSONL = "application/jsonl; charset=utf-8"


class ReplayQuery(Frozen):
    """The query: a step (None: the last), a seat whose eyes to see through, or "all".

    who: the seat whose turning points are told (None: the visitor's, else a person's).
    """

    step: Number | None = None
    eyes: Seat | Literal["all"] = "all"
    who: Seat | None = None


class Explore(Frozen):
    """The form that plays on from a step, as a seat (None: the one to decide), against bots.

    bot: "" for those of the match.
    """

    step: Number = 0
    seat: Seat | None = None
    bot: str = ""


class Contents(NamedTuple):
    """What a match has in a replay, whoever looks.

    chapters: its rounds; playable: the last step after which somebody may still decide.
    """

    chapters: list[Chapter]
    playable: int


class ReplayPage(NamedTuple):
    """One step of a replay. `eyes` is a seat, or WATCHER for everything.

    `who` is the seat whose turning points are told, `asked` what the address says of it.
    `analysis` holds everyone's chances and the turning points; while `analysing` says how far it
    is, it is incomplete. Both are None if the server does not analyse.
    """

    page: Page
    step: int
    last: int
    eyes: int
    board: Board
    lines: tuple[Line, ...]
    moments: str  # what is staged of the step, as in a frame
    contents: Contents
    who: int
    asked: int | None = None
    points: tuple[Point, ...] = ()
    analysis: Analysis | None = None
    analysing: AnalysisProgress | None = None
    embedded: bool = False  # in a page of another site: nothing to press that changes anything

    @property
    def panels(self) -> list[SeatPanel]:
        """What is shown of each seat."""
        won = self.page.winners
        return [self.board.panel(seat, winner=seat in won) for seat in range(self.board.seats)]

    @property
    def words(self) -> Markup:
        """The position in sentences, if the visitor wants it."""
        return self.board.in_words() if self.page.recipient.words else Markup()

    @property
    def bots(self) -> Mapping[str, Line]:
        """The bots against whom the visitor may play on from here."""
        return company(self.page.game)

    @property
    def curve(self) -> Svg:
        """The picture of everyone's chances."""
        assert self.analysis is not None
        speech = self.page.speech
        own = [point.step for point in self.mine]
        names = [speech.who(info.seat) for info in self.page.live.seats]
        return curve_svg(
            self.analysis,
            self.step,
            speech.plain,
            steps=self.last,
            who=self.who,
            points=own,
            names=names,
            starts=[one.first for one in self.contents.chapters],
        )

    @property
    def mine(self) -> list[Point]:
        """The turning points of the seat that is looked at."""
        return [point for point in self.points if point.seat == self.who]

    @property
    def others(self) -> list[Point]:
        """Turning points of others, if that seat has few."""
        assert self.analysis is not None
        return others_points(self.points, self.analysis, self.who)

    @property
    def lacking(self) -> bool:
        """Whether the whole match has few turning points, so that no more of them can be told."""
        return len(self.points) < ENOUGH_OWN_POINTS

    @property
    def mistakes(self) -> list[Point]:
        """The mistakes among them."""
        return [point for point in self.mine if point.kind == "mistake"]

    @property
    def chapter(self) -> int | None:
        """The place of this step's chapter in `contents.chapters`."""
        return chapter_of(self.contents.chapters, self.step)

    def title(self, step: int) -> Line | None:
        """The title of a step's chapter."""
        place = chapter_of(self.contents.chapters, step)
        return None if place is None else self.contents.chapters[place].title

    @property
    def seats(self) -> list[int]:
        """The seats that somebody may play on from here: who has resigned by now may not."""
        gone = resigned(self.page.live.plies[: self.step])
        return [info.seat for info in self.page.live.seats if info.seat not in gone]

    @property
    def judged(self) -> bool:
        """Whether the analysis has come to this step."""
        return self.analysis is not None and self.step <= len(self.analysis.chances)

    def wins(self, seat: int) -> int:
        """How many of 100 games a seat would win after this step, about."""
        assert self.analysis is not None
        return of_100(self.analysis.chance(self.step, seat))

    @property
    def eyes_query(self) -> str:
        """`eyes` as addresses write it."""
        return ALL_EYES if self.eyes == WATCHER else str(self.eyes)

    def at(self, step: int) -> str:
        """The address of another step."""
        step = min(max(step, 1), self.last)
        who = "" if self.asked is None else f"&who={self.asked}"
        return f"{self.address}?step={step}&eyes={self.eyes_query}{who}"

    @property
    def address(self) -> str:
        """The address of the page, without a step."""
        table = self.page.live.id
        return f"{EMBED_PATH}replay/{table}" if self.embedded else f"/t/{table}/replay"

    def of(self, seat: int) -> str:
        """The address of this step with another seat's turning points."""
        return self._replace(asked=seat).at(self.step)


def replay_page(request: Request) -> Response:
    """GET /t/{id}/replay: the page, or for our script its changing regions.

    GET /embed/replay/{id}: the same for the pages of other sites, the board and its steps alone.
    """
    shown = requested_page(request)._replace(embedded=request.url.path.startswith(EMBED_PATH))
    if errors.wants_data(request.headers):
        return JSONResponse(_frame(shown))
    title = say("{game}: the replay", game=shown.page.game.title)
    speech = templates.request_speech(request)
    return templates.page_response(
        request,
        "embed/replay.html" if shown.embedded else "replay.html",
        replay=shown,
        page=shown.page,
        speech=shown.page.speech,
        style=assets.game_stylesheet(shown.page.game),
        card=table_card(speech, home_of(request), shown.page.live, title, "/replay"),
    )


def requested_page(request: Request) -> ReplayPage:
    """The step that a request asks for. Raises WrongTime while the match runs, BadInput."""
    page = page_of(request, viewpoint_of(request))
    live = page.live
    asked = typed(ReplayQuery, request.query_params, 400)
    if live.status != FINISHED_TABLE:
        raise WrongTime(say("The replay is available when the game is over."))
    eyes = WATCHER if asked.eyes == ALL_EYES else int(asked.eyes)
    if (seat := max(eyes, asked.who or 0)) >= len(live.seats):
        raise BadInput(say("There is no seat “{text}”.", text=str(seat)))
    step = live.ply if asked.step is None else min(max(asked.step, 1), live.ply)
    with authority_of(request).reading(live):
        return _analysed(request, _replay(page, step, eyes, asked.who))


def _analysed(request: Request, shown: ReplayPage) -> ReplayPage:
    analyst: Analyst | None = request.app.state.analyst
    if analyst is None:
        return shown
    live = shown.page.live
    try:
        analysis = analyst.look(live, identity.client(request))
    except Failed:
        return shown
    if isinstance(analysis, AnalysisProgress):
        return shown._replace(analysing=analysis, analysis=analysis.so_far)
    assert live.match is not None
    match = live.match
    points = shown.page.memory.get(
        ("turning points", live.id), lambda: apart(lambda: turning_points(match, analysis))
    )
    return shown._replace(analysis=analysis, points=tuple(points))


def _replay(page: Page, step: int, eyes: int, asked: int | None) -> ReplayPage:
    live = page.live
    match = page.live.match
    assert match is not None
    viewer = EVERYTHING if eyes == WATCHER else eyes  # after the end nothing is secret
    moved = apart(lambda: next(match.at(step).steps(viewer, step - 1)))
    hidden = partial(unlogged_decision, match, step, moved.lines)
    decided = apart(hidden) if eyes == WATCHER else None
    lines = (*moved.lines[:1], decided, *moved.lines[1:]) if decided else moved.lines
    view = page.game.ui.look(moved.state, viewer)
    board = Board(page.game, view, len(live.seats), page.speech)
    moments = "".join(f"{step} {moment};" for moment in moved.moments)
    contents = page.memory.get(("contents", live.id), lambda: apart(lambda: _contents(match)))
    who = _whose(page) if asked is None else asked
    return ReplayPage(page, step, live.ply, eyes, board, lines, moments, contents, who, asked)


def _contents(match: Match) -> Contents:
    playable = next((step for step in range(match.ply, 0, -1) if pending_after(match, step)), 0)
    return Contents(chapters(match), playable)


def _whose(page: Page) -> int:
    """The seat whose turning points come first: the visitor's, else the first person's."""
    people = [info.seat for info in page.live.seats if info.kind == PERSON]
    return next(iter([*page.viewpoint.own, *people, 0]))


def _frame(shown: ReplayPage) -> dict[str, object]:
    regions = {
        f"replay-{name}": shown.page.render(f"replay-{name}", replay=shown)
        for name in REPLAY_REGIONS
    }
    regions["moments"] = shown.moments
    return {"ply": shown.step, "title": "", "url": shown.at(shown.step), "regions": regions}


def explore(request: Request, form: Explore) -> Response:
    """POST /t/{id}/explore: open a new table that plays on from `step`, against bots."""
    caller = identity.Caller(request)
    asked = sequels.Exploring(form.step, form.seat, form.bot and allowed(form.bot))
    client = identity.client(request)
    live = sequels.explore.do(
        authority_of(request), table_of(request), caller.visitor, asked, client
    )
    return caller.keep(see_other(request, f"/t/{live.id}"))


def download(request: Request) -> Response:
    """GET /t/{id}/match.jsonl: the file of the match, of a running one what the viewer may know."""
    viewpoint = viewpoint_of(request)
    text = authority_of(request).export(viewpoint.live, viewpoint.viewer)
    return matchfile(viewpoint.live, text)


def matchfile(live: TableState, text: str) -> Response:
    """The response that downloads a match file."""
    disposition = f'attachment; filename="{live.game.name}-{live.id}.jsonl"'
    return Response(text, headers={"content-type": JSONL, "content-disposition": disposition})
