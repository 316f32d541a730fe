"""`Page`: what the regions of a table's page have in common, for one viewer in one language.

Its `Viewpoint` says through the eyes of which seat a browser sees the table, and with which draft. A
browser with several seats shows the one that is to decide. If that would show one person another's
secrets, the page shows what anybody may see and asks to pass the device on (`cover`).

What one region shows besides is a small model, made by a function that takes the page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from cachetools import LRUCache, cached

from diablerie.engine import files, proof, verbs
from diablerie.engine.game import Game
from diablerie.engine.plies import NEWCOMER
from diablerie.engine.queries import redacted
from diablerie.engine.record import same
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import EVERYONE, WATCHER
from diablerie.table.authority import Authority
from diablerie.table.commands.command import leads
from diablerie.table.commands.decisions import Hint
from diablerie.table.commands.forfeits import Owed
from diablerie.table.commands.history import Series
from diablerie.table.commands.logbook import LogEntry, recorded
from diablerie.table.commands.recollections import Recollection
from diablerie.table.commands.subscriptions import Hook
from diablerie.table.errors import BadInput, Forbidden, IllegalMove, Refused
from diablerie.table.presence.hub import Presence
from diablerie.table.state import nonce_exchange
from diablerie.table.state.nonce_exchange import Phase, grace
from diablerie.table.state.table_state import (
    BOT,
    FINISHED_TABLE,
    OPEN_TABLE,
    RUNNING,
    LegalMove,
    PositionView,
    TableState,
)
from diablerie.table.state.visitors import Visitor
from diablerie.web.frames.board import Board
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.recollection_lines import recollection_told
from diablerie.web.html import endings, templates
from diablerie.web.html.reach import Reach
from diablerie.web.html.speech import Speech, nameless_reader, speech_for

# -- through whose eyes ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Viewpoint:
    """One table as one browser sees it.

    own: the browser's seats. viewer: the seat whose eyes it sees through, or WATCHER. chosen: the seat
    that the address asks for (`?as=`). cover: the seat to pass the device to. draft: decisions that
    are shown but not yet played. screen: it is the one in the middle of the table, which has no seat
    whoever looks: it shows what anybody may see.
    """

    live: TableState
    own: tuple[int, ...]
    viewer: int
    chosen: int | None = None
    cover: int | None = None
    draft: tuple[str, ...] = ()
    refusal: Refused | None = None  # of the draft, or of what was just tried
    screen: bool = False

    def drafted(self, draft: Sequence[str]) -> "Viewpoint":
        """The same viewpoint with these decisions shown, but not played."""
        return replace(self, draft=tuple(draft))

    @cached_property
    def position(self) -> PositionView | None:
        """What the viewer sees, once the game has begun."""
        return self.live.position(self.viewer, self.draft) if self.live.match else None

    @cached_property
    def view(self) -> Any:
        """The view that the game's `ui` makes of the position; {} before the start.

        When the game is over nothing is secret any more, here as in the replay.
        """
        if self.live.match is not None and self.live.status == FINISHED_TABLE:
            return self.live.game.ui.look(self.live.match.state, self.viewer)
        return self.position.view if self.position else {}

    @cached_property
    def moves(self) -> list[LegalMove]:
        """What the viewer may do now."""
        running = self.live.status == RUNNING  # else it may be over by resignation
        return self.position.moves if self.position and running else []

    @cached_property
    def planned(self) -> list[Line]:
        """The draft in words: the label of each of its decisions."""
        return [self._step(i, step) for i, step in enumerate(self.draft)]

    def _step(self, number: int, step: str) -> Line:
        moves = self.live.position(self.viewer, self.draft[:number]).moves
        labels = (move.line for move in moves if move.text == step)
        return next(labels, Line("{step}", {"step": step}))

    @property
    def shared(self) -> bool:
        """Whether several people share this screen."""
        return len(self.own) > 1

    @property
    def query(self) -> str:
        """The query of the address that shows this viewpoint again, "" for none."""
        seat = {} if self.chosen is None else {"as": str(self.chosen)}
        draft = {"draft": ";".join(self.draft)} if self.draft else {}
        screen = {"screen": "1"} if self.screen else {}
        return urlencode(seat | draft | screen)

    @property
    def url(self) -> str:
        """The address of the page with this viewpoint."""
        path = f"/t/{self.live.id}" + ("/screen" if self.screen else "")
        return path + (f"?{self.query}" if self.query else "")


def view_table(
    authority: Authority,
    table: str,
    visitor: Visitor | None,
    seat: int | None = None,
    draft: Sequence[str] = (),
) -> Viewpoint:
    """The viewpoint of a visitor. Raises NotFound, and Forbidden for somebody else's seat.

    A draft that cannot be played (any more) is dropped, and `refusal` says why.
    """
    viewpoint = choose_viewpoint(authority.live(table), visitor, seat)
    if not draft or viewpoint.live.status != RUNNING:
        return viewpoint
    try:
        viewpoint.live.position(viewpoint.viewer, draft)
    except (IllegalMove, BadInput) as error:
        return replace(viewpoint, refusal=error)
    return viewpoint.drafted(draft)


def screen_of(authority: Authority, table: str) -> Viewpoint:
    """The viewpoint of the screen in the middle of a table. Raises NotFound."""
    return Viewpoint(authority.live(table), (), WATCHER, screen=True)


def choose_viewpoint(live: TableState, visitor: Visitor | None, seat: int | None) -> Viewpoint:
    """The viewpoint of a visitor, without a draft. Raises Forbidden for somebody else's seat."""
    own = tuple(live.seats_of(visitor))
    if seat is not None and seat not in own:
        raise Forbidden(say("You may not watch from that seat."))
    if len(own) < 2:
        return Viewpoint(live, own, own[0] if own else WATCHER)
    if seat is not None:
        return Viewpoint(live, own, seat, seat)
    waiting = [s for s in own if s in live.pending]
    if not secrets_at_stake(live, own):
        return Viewpoint(live, own, waiting[0] if waiting else own[0])
    return Viewpoint(live, own, WATCHER, cover=waiting[0] if waiting else None)


def secrets_at_stake(live: TableState, own: Sequence[int]) -> bool:
    """Whether one of the people who share a screen knows or decides what another may not see."""
    if live.match is None or live.status != RUNNING:
        return False
    state = live.match.state
    first, *others = (redacted(state, seat) for seat in own)
    if not all(same(first, other) for other in others):
        return True
    return verbs.witness(state) != EVERYONE and any(s in live.pending for s in own)


# -- fair dice: the players' nonces, and what the browser is to send -------------------------------

SEALS_KEPT = 256  # cached seals of finished matches


class NonceShare(NamedTuple):
    """A seat's nonce, who made it, whether its player withheld it after promising it, or was late."""

    seat: int
    nonce: str
    by: str
    withheld: bool
    late: bool


class Fairness(NamedTuple):
    """The state of the dice at one table; `asked` are the seats for which this browser is to send."""

    phase: Phase
    asked: list[int]
    hashes: list[str]
    digest: str
    seal: str
    shares: list[NonceShare]
    missing: bool  # whether the match began without a nonce of this browser
    later: bool  # whether this browser came when the dice were fixed


def fairness(live: TableState, visitor: Visitor | None) -> Fairness:
    """The state of the dice at a table, for a visitor."""
    hashes = [*map(nonce_exchange.promised_hash, live.seats)]
    digest = proof.match_digest(live.match) if live.match else ""
    shares = _shares(live) if digest and live.status != OPEN_TABLE else []
    own = [] if live.taken else live.seats_of(visitor)
    without = [share.seat for share in shares if share.seat in own and share.by == "table"]
    later = {ply.seat for ply in live.plies if ply.by == NEWCOMER} if without else set()
    return Fairness(
        nonce_exchange.phase(live),
        nonce_exchange.asked(live, visitor),
        hashes if live.match or nonce_exchange.phase(live) is Phase.NONCES else [],
        digest,
        _seal(live) if digest and live.status == FINISHED_TABLE else "",
        shares,
        not later.issuperset(without),
        not later.isdisjoint(without),
    )


def _shares(live: TableState) -> list[NonceShare]:
    assert live.match is not None
    stream = live.match.fair
    nonces = enumerate(zip(stream.nonces, stream.by, strict=True))
    return [
        NonceShare(seat, nonce, by, seat in stream.withheld, seat in stream.late)
        for seat, (nonce, by) in nonces
    ]


@cached(LRUCache(SEALS_KEPT), key=lambda live: live.id)
def _seal(live: TableState) -> str:
    return files.match_seal(recorded(live))


# -- the page --------------------------------------------------------------------------------------

CUT_MARK = "\0"  # cuts a template where parts are put in that are made by themselves
# Of the seats, as tokens.css has them; the last is black by day and white by night.
SEAT_COLOURS = (
    say("yellow"),
    say("violet"),
    say("blue"),
    say("green"),
    say("red"),
    say("the ring"),
)


class Recipient(NamedTuple):
    """All of a browser that the content of a page depends on."""

    visitor: Visitor | None
    locale: str
    reach: Reach = Reach()  # the server's address for others, and who may open it to them
    muted: frozenset[str] = frozenset()  # of players, see preferences.py
    calls: bool = False  # whether this server sends notifications
    known_as: str = ""  # the name that the visitor used last
    asked_at: str = ""  # the table at which this browser is asked for a name
    words: bool = False  # whether the position is told in sentences, too


class PageContext(NamedTuple):
    """What a page shows that changes without a change of the table."""

    now: float
    presence: Sequence[Presence]
    deadlines: Sequence[float | None]
    hook: Hook | None
    series: Series | None  # of the table's group, when the game is over
    rematch: str  # the table where these players go on, while it is there
    other_games: Sequence[Game] = ()  # which they could go on with, when this one is over
    weaker: bool = False  # devils play as archdevils until what they search by is compiled
    owed: Owed | None = None  # by the last of a group's game, told to the group's browsers
    recalled: Recollection | None = None  # by a devil, at the beginning of a group's game


class FormAnswer(NamedTuple):
    """The outcome of the form that a page answers."""

    refusal: Refused | None = None
    control: str = ""  # where the refusal is shown
    link: str = ""  # a personal link, shown once
    hints: Sequence[Hint] = ()  # what a devil would do, shown once


NO_FORM = FormAnswer()


@dataclass(frozen=True)
class Page:
    """One table for one viewer."""

    viewpoint: Viewpoint
    recipient: Recipient
    context: PageContext
    entries: Sequence[LogEntry]  # the latest of the log
    memory: MemoCache  # of parts, the server's
    answer: FormAnswer = NO_FORM

    @property
    def live(self) -> TableState:
        """The table."""
        return self.viewpoint.live

    @property
    def game(self) -> Game:
        """The game played there."""
        return self.live.game

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.live.status == FINISHED_TABLE

    @property
    def running(self) -> bool:
        """Whether the game is being played."""
        return self.live.status == RUNNING

    @property
    def seated(self) -> bool:
        """Whether the viewer has a seat."""
        return bool(self.viewpoint.own)

    @property
    def sociable(self) -> bool:
        """Whether somebody else plays, or may sit down."""
        own = self.viewpoint.own
        return any(info.kind != BOT and info.seat not in own for info in self.live.seats)

    @property
    def nameless(self) -> int | None:
        """The viewer's seat, if its player is to be asked for a name while the game runs."""
        seat = self.viewpoint.viewer
        viewpoint = self.viewpoint
        asking = self.running and seat >= 0
        asking &= viewpoint.shared or self.recipient.asked_at == self.live.id
        return seat if asking and not self.live.seats[seat].name else None

    @property
    def hosting(self) -> bool:
        """Whether the viewer opened this table."""
        return self.recipient.visitor == self.live.host

    @property
    def leading(self) -> bool:
        """Whether the viewer may begin the game and choose who plays."""
        return leads(self.live, self.recipient.visitor)

    @property
    def hand(self) -> bool:
        """Whether the page is a hand: a screen in the middle of the table shows the board."""
        return self.live.screen and self.running and self.viewpoint.viewer >= 0

    @cached_property
    def asked(self) -> bool:
        """Whether the viewer is to decide."""
        return bool(self.viewpoint.position and self.viewpoint.position.asked and self.running)

    @property
    def deciding(self) -> bool:
        """Whether the viewer is to decide, or to send a whole plan or call it off."""
        position = self.viewpoint.position
        return self.asked or bool(self.running and position and position.plan)

    @property
    def shows(self) -> str:
        """What the page shows, in words for the style sheets; `mark` in frames.js keeps them right."""
        begun = self.drawn and self.viewpoint.position is not None
        words = {
            "board": self.drawn,
            "invite": self.inviting,
            "ending": self.over and begun,
            f"own-{max(0, self.viewpoint.viewer)}": self.seated and begun,
        }
        return " ".join(word for word, shown in words.items() if shown)

    @property
    def drawn(self) -> bool:
        """Whether there is a picture: as soon as all seats are taken, nobody waits for one."""
        return self.viewpoint.cover is None and not self.live.free

    @property
    def inviting(self) -> bool:
        """Whether the viewer is shown how others come to the open seats."""
        reach = self.recipient.reach
        if self.viewpoint.screen:
            return bool(self.live.free)
        host = self.hosting and not reach.guest
        return bool(self.live.free) and (host if reach.alone else self.seated)

    @property
    def address(self) -> str:
        """The address of the table, which is also its invitation link."""
        return f"{self.recipient.reach.home}/t/{self.live.id}"

    @cached_property
    def title(self) -> str:
        """The title of the window; it says so when it is the viewer's turn."""
        name = self.speech.plain(self.game.title)
        if self.viewpoint.cover is None and not self.deciding:
            return name
        return self.speech.plain(say("Your turn: {game}", game=name))

    @cached_property
    def board(self) -> Board:
        """The position, with what the viewer may decide."""
        viewpoint = self.viewpoint
        position = viewpoint.position
        view = viewpoint.view if position else self._first_view
        amount = None
        if position and self.asked:
            amount = self.game.amount(position.record, position.viewer)
        return Board(self.game, view, len(self.live.seats), self.speech, viewpoint.moves, amount)

    @property
    def _first_view(self) -> Any:
        """While the dice are made, the position from which the match will begin: nothing is secret yet."""
        live = self.live
        if live.free:
            return None
        return self.game.ui.look(self.game.start(len(live.seats), live.options), WATCHER)

    @cached_property
    def winners(self) -> list[int]:
        """The seats that have won, once the game is over; empty if all returns are equal."""
        return endings.winners(self.live.match) if self.over and self.live.match else []

    @cached_property
    def ending(self) -> endings.Ending:
        """What is told of the end, once the game is over."""
        match = self.live.match
        own = self.viewpoint.own
        assert match
        key = ("turn", self.live.id, self.live.ply)
        (turning,) = self.memory.get(key, lambda: (endings.turning_step(match),))
        return endings.ending(match, self.speech, own, turning)

    @property
    def recalled(self) -> Line | None:
        """What a devil tells of the group's series, for who is seated: all of them belong to it."""
        recalled = self.context.recalled
        return recollection_told(recalled) if recalled and self.seated else None

    @property
    def forfeit(self) -> Line | None:
        """What the last owe, where the viewer's browser belongs to the group."""
        owed = self.context.owed
        return owed and endings.forfeited(owed, self.viewpoint.own)

    # -- before the start --------------------------------------------------------------------------

    @cached_property
    def fair(self) -> Fairness:
        """How the players share in the dice (commit and reveal)."""
        live = self.live
        visitor = self.recipient.visitor
        if not self.running:
            return fairness(live, visitor)
        key = ("fair", live.id, live.revision, visitor)  # plies change nothing of it
        return self.memory.get(key, lambda: fairness(live, visitor))

    @property
    def grace(self) -> float:
        """For how many seconds the table waits for the browsers' parts of the dice."""
        return grace(self.live, [there.here for there in self.context.presence])

    @property
    def until(self) -> float | None:
        """The moment (Unix time) at which the page changes without any change of the table."""
        now = self.context.now
        presence = self.context.presence
        moments = [who.due for who in presence if who.due and self.running and self.seated]
        moments += [self.live.waits + self.grace] * (self.seated and bool(self.fair.phase))
        return min((at for at in moments if at > now), default=None)

    # -- text --------------------------------------------------------------------------------------

    @property
    def colour(self) -> Line:
        """The viewer's colour: that of the seat, unless the view tells another (`own`)."""
        return SEAT_COLOURS[getattr(self.viewpoint.view, "own", 0) or self.viewpoint.viewer]

    @cached_property
    def speech(self) -> Speech:
        """How sentences become text at this table: the language and the players' names.

        A viewer without a name is called by colour, since sentences are in the third person.
        """
        locale = self.recipient.locale
        live = self.live
        bare = speech_for(locale)
        key = ("names", live.id, live.revision, locale)
        names = [*self.memory.get(key, lambda: bare.names_at(live))]
        me = nameless_reader(live, self.viewpoint.own)
        if me >= 0:
            names[me] = bare.plain(self.colour).capitalize()
        return speech_for(locale, *names, me=me)

    def render(self, template: str, **context: object) -> str:
        """A template below `parts`, about this page."""
        return templates.render_template(
            self.recipient.locale,
            f"parts/{template}.html",
            page=self,
            speech=self.speech,
            cut=CUT_MARK,
            **context,
        )

    def clause_link(self, line: Line) -> str:
        """The link to the clause of a line of the log."""
        locale = self.recipient.locale
        game = self.game
        bare = Line("", {}, "", line.clause)  # the link is the same for all lines of a clause

        def link() -> str:
            return str(templates.macro(locale, "clause")(bare, game, True))

        return self.memory.get(("clause", locale, game.name, line.clause), link)
