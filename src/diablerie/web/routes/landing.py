"""The landing page, and opening a table."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from diablerie.art.poses import POSES
from diablerie.engine.game import Game
from diablerie.engine.text import Line, Seat, say, says
from diablerie.table.errors import BadInput, Refused
from diablerie.table.live import OPEN, RUNNING, Live
from diablerie.table.pace import USUAL as USUAL_PACES
from diablerie.table.pace import in_words
from diablerie.table.shares import PROMISED
from diablerie.table.visitors import Visitor
from diablerie.table.warm import Progress, Warm
from diablerie.web import errors, looks, pages, who
from diablerie.web.forms import Count
from diablerie.web.opponents import USUAL, allowed, company
from diablerie.web.requests import authority_of, done
from diablerie.web.routes import history
from diablerie.web.seat_panel import house_rules
from diablerie.web.speech import Speech

AMONG_US = ("bots", "here")  # ways to begin where nobody minds if one asks the devils
LATELY = 3  # finished games on this page; the others have their own
OPTION = "option-"  # before an option's name, in the form's field; see forms.typed


class Opening(Struct, frozen=True):
    """Opening a table: by a way that asks nothing (`way`), or with so many of each kind."""

    game: str = ""
    way: str = ""
    here: Count = 0
    open: Count = 0
    bots: Count = 0
    bot: str = USUAL
    devil: dict[str, str] = {}  # of single devils, by number from 1; the others are `bot`
    names: str = ""  # at this screen, with commas between
    option: dict[str, str] = {}
    pledge: str = ""  # "?": this browser will have a share in the dice
    clock: int = 0  # seconds after which a devil decides
    hints: bool = False
    public: bool = False


class Row(NamedTuple):
    """A table in a list: how its people are called, and whether the visitor is to decide."""

    live: Live
    names: Speech
    mine: bool

    @property
    def turn(self) -> Line:
        """Whose turn it is, or for what the table waits."""
        free, pending = self.live.free, self.live.pending
        if self.live.status == OPEN and not free:
            return say("about to begin")
        if self.live.status == OPEN:
            return says("{n} seat is free", "{n} seats are free", free)
        if self.mine:
            return say("Your turn")
        if len(pending) == 1:
            return say("{who} is to decide", who=Seat(pending[0]))
        return says("{n} player is to decide", "{n} players are to decide", len(pending))

    @property
    def options(self) -> list[tuple[str, str]]:
        """The options in which the match differs from the usual."""
        return house_rules(self.live, self.names)


class Rows(NamedTuple):
    """The tables a visitor may go to: one's own, those one may join, those to watch."""

    mine: list[Row]
    open: list[Row]
    running: list[Row]


def landing(request: Request) -> Response:
    """GET /"""
    if visitor := who.visitor(request):
        authority_of(request).attendance.looks(visitor)
    return _page(request, {}, None)


def _page(request: Request, given: Mapping[str, str], refusal: Refused | None) -> Response:
    return pages.answer(
        request,
        "landing.html",
        status_code=refusal.status if refusal else 200,
        games=authority_of(request).games.values(),
        pose=pose,
        rows=_rows(request),
        usual=usual,
        company=company,
        usual_bot=USUAL,
        given=given,
        refusal=refusal,
        name=looks.name(request),
        past=_past(request),
        option=OPTION,
        changed=changed,
        clocks={seconds: in_words(seconds) for seconds in USUAL_PACES if seconds},
        compiling=_compiling(request),
    )


def _past(request: Request) -> list[history.Row]:
    """The latest finished games of this browser."""
    visitor = who.visitor(request)
    games = authority_of(request).history.of(visitor, LATELY) if visitor else []
    return history.rows(request, games)


def _compiling(request: Request) -> dict[str, Progress]:
    """How far the rules are that are not compiled yet."""
    warm: Warm | None = request.app.state.warm
    steps = warm.progress() if warm else {}
    return {name: step for name, step in steps.items() if not step.ready}


def _rows(request: Request) -> Rows:
    authority, visitor = authority_of(request), who.visitor(request)
    mine = authority.mine(visitor) if visitor else []
    listed, speech = {live.id for live in mine}, pages.speech(request)
    found = [live for live in authority.listing() if live.id not in listed]
    return Rows(
        sorted((_row(live, visitor, speech) for live in mine), key=_urgency),
        [_row(live, visitor, speech) for live in found if live.status == OPEN and live.free],
        [_row(live, visitor, speech) for live in found if live.status == RUNNING],
    )


def _row(live: Live, visitor: Visitor | None, speech: Speech) -> Row:
    names = Speech(speech.texts, [speech.plain(live.name(s.seat)) for s in live.seats])
    playing = [s for s in live.seats_of(visitor) if not live.seats[s].stand_in]
    return Row(live, names, any(seat in live.pending for seat in playing))


def _urgency(row: Row) -> tuple[bool, bool, float]:
    """First where one is to decide, then what runs, then what waits; the latest first."""
    return (not row.mine, row.live.status != RUNNING, -row.live.changed)


def usual(game: Game) -> int:
    """How many play if nobody says otherwise."""
    return game.seats[len(game.seats) // 2]


def changed(game: Game, given: Mapping[str, str]) -> bool:
    """Whether a form has anything else than the usual among a game's options."""
    usually = {OPTION + rule.name: rule.format(rule.default) for rule in game.options}
    return any(given.get(field, value) != value for field, value in usually.items())


def pose(game: Game) -> str:
    """The devil's pose on a game's poster; that of the house where the game has none."""
    return game.poster if game.poster in POSES else "grin"


def create(request: Request, form: Opening) -> Response:
    """POST /tables"""
    caller, game = who.Caller(request), authority_of(request).games.get(form.game)
    if game is None:
        raise BadInput(say("There is no game “{name}” here.", name=form.game[:40]))
    plan = _plan(form, game)
    names = form.names.split(",") if form.names.strip() else [looks.name(request)]
    live = authority_of(request).lobby.open_table(
        caller.visitor,
        game.name,
        plan,
        options=form.option,
        names=names[: plan.count("me")],  # devils have their own
        public=form.public,
        pace=form.clock,
        hints=form.hints or form.way in AMONG_US,
        pledge=PROMISED if form.pledge else "",
        client=who.client(request),
    )
    said = form.names.partition(",")[0]
    return looks.keep_name(caller.keep(done(request, f"/t/{live.id}")), said)


def _plan(form: Opening, game: Game) -> list[str]:
    """Who is to sit where: three ways that need no form, and the form."""
    bot = allowed(form.bot)
    quick = {
        "bots": ["me"] + [bot] * (usual(game) - 1),
        "friends": ["me", "open"] + [bot] * (usual(game) - 2),
        "here": ["me"] * game.seats[0],
    }
    devils = [allowed(form.devil.get(str(k + 1)) or bot) for k in range(form.bots)]
    ways = ["me"] * form.here + ["open"] * form.open + devils
    return quick.get(form.way, ways)


def once_more(request: Request, fields: Mapping[str, str], error: Refused) -> Response:
    """The answer to a form that was refused: the page again, with what was typed and why not."""
    if not errors.wants_page(request.headers):
        raise error
    return _page(request, fields, error)
