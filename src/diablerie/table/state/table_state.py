"""`TableState`: one immutable state of a table, which any thread may read without a lock.

Every accepted change makes a new `TableState`. What a person may see of the position comes from
`position`, which knows only the redacted record.

Plans and walks are several decisions in a row. `foresee` checks them on the redacted record before
anything is played, so that neither the check nor a refusal can tell players more than they see.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from diablerie.bots.spec import bot_title
from diablerie.engine import verbs
from diablerie.engine.fair import Aborted
from diablerie.engine.game import Game, Planned
from diablerie.engine.match import Match
from diablerie.engine.notation import NotationError
from diablerie.engine.options import OptionValues
from diablerie.engine.plies import Ply
from diablerie.engine.queries import chance_outcomes, legal_actions, out_of_turn, redacted, refusal
from diablerie.engine.record import Record, copy
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import WATCHER
from diablerie.table.errors import BadInput, Forbidden, IllegalMove, WrongTime
from diablerie.table.state.visitors import DEVIL_NAMES, Visitor

LONGEST_PREMOVES = 64  # decisions in a row
OPEN_TABLE = "open"
RUNNING = "running"
FINISHED_TABLE = "over"
PERSON = "person"
PROGRAM = "program"
BOT = "bot"
OPEN_SEAT = "open"
CHAT_LINES_KEPT = 200  # of the chat that are kept
DECIDERS = (PERSON, PROGRAM)  # who decide for themselves: a program is somebody's, with a token


# -- what a player's own decisions lead to, as far as the player can know ---------------------------


class Foreseen(NamedTuple):
    """A decision as its player foresees it: the action, and the redacted record after it."""

    action: int
    record: Record


def asks(s: Record, viewer: int) -> bool:
    """Whether the position waits for this viewer's decision."""
    return viewer >= 0 and bool(verbs.pending(s) >> viewer & 1)


def foresee(game: Game, seen: Record, seat: int, texts: Sequence[str]) -> list[Foreseen]:
    """What each of these decisions of `seat` is and leads to, from the record it sees now.

    Chance may come in between at nodes that are decided in one go: there any outcome is assumed.

    Raises BadInput for text that is no decision, Forbidden for a watcher's, IllegalMove if
    one is forbidden or if else chance or another player would come in between.
    """
    if texts and not 0 <= seat < seen.seats:
        raise Forbidden(say("Spectators cannot decide anything."))
    if len(texts) > LONGEST_PREMOVES:
        raise BadInput(say("That is too much at once."))
    after: list[Foreseen] = []
    batched = False
    for text in texts:
        s = copy(after[-1].record if after else seen)
        if batched and verbs.actor(s) == verbs.CHANCE:
            # Whatever comes: what is decided in one go may not depend on it.
            verbs.apply(s, verbs.CHANCE, chance_outcomes(game, s)[0][0])
        if after and not asks(s, seat):
            raise IllegalMove(say("The plan ends before “{text}”.", text=text[:60]))
        action = read_action(game, s, seat, text)
        batched = int(s.node) in game.batched
        verbs.apply(s, seat, action)
        after.append(Foreseen(action, redacted(s, seat)))
    return after


def read_action(game: Game, seen: Record, seat: int, text: str) -> int:
    """The action that a text names, if the seat may do it. Raises BadInput or IllegalMove."""
    if verbs.actor(seen) == verbs.OVER:
        raise IllegalMove(say("The game is over."))
    try:
        action = game.notation.parse_action(seen, seat, text)
    except NotationError as error:
        raise BadInput(error.line) from error
    if not asks(seen, seat):
        raise IllegalMove(out_of_turn(game, seen, seat, action))
    if code := verbs.forbids(seen, seat, action):
        raise IllegalMove(refusal(game, code, seen, action, text).line)
    return action


# -- the table -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableSeat:
    """Who sits on a seat. `stand_in` is the bot that plays for a person who is away."""

    seat: int
    kind: str = OPEN_SEAT
    name: str = ""
    owner: Visitor | None = None
    bot: str = ""
    stand_in: str = ""
    nonce: str = ""
    link: str | None = None  # hash of the personal link's secret
    pledge: str = ""  # hash of the nonce to come, see nonce_exchange.py
    called: str = ""  # the name its player had when the match started
    label: str = ""  # the hash of that, which stays when the name is deleted
    due: float = 0.0  # seconds of uptime when its turn clock runs out, see turn_clock.py
    member: int = 0  # of the table's group who plays here, see commands/groups.py; 0: none
    wanted: Visitor | None = None  # who asks to take over from its bot, see commands/latecomers.py
    wanted_name: str = ""  # what that person is to be called
    declined: Visitor | None = None  # who has been refused last

    @property
    def driver(self) -> str:
        """The spec of the bot that decides for this seat now, "" if a person does."""
        return self.stand_in or self.bot

    def shown_as(self, name: str) -> Line:
        """What the seat is called, if it has been given this name ("" if none)."""
        if name:
            return Line("{name}", {"name": name})
        if self.kind == OPEN_SEAT:
            return say("Open seat")
        if self.bot:
            return say("{bot} {name}", bot=bot_title(self.bot), name=DEVIL_NAMES[self.seat])
        return say("Player {n}", n=self.seat + 1)


class ChatLine(NamedTuple):
    """One line of the chat; seat WATCHER for somebody without one."""

    id: int
    seat: int
    text: str
    at: float


class TakeBackRequest(NamedTuple):
    """A player asks to return to the position after `to` plies; `agreed`: who has said yes."""

    seat: int
    to: int
    agreed: tuple[int, ...] = ()


class LegalMove(NamedTuple):
    """One legal action: its number, notation, and what its button says."""

    action: int
    text: str
    line: Line


@dataclass(frozen=True)
class PositionView:
    """What a viewer sees: the redacted record, after the decisions of his draft.

    `unfinished` says that the draft is a plan to be gone on with before it can be sent; `plan` is
    what is asked of a whole one.
    """

    game: Game
    viewer: int
    record: Record
    draft: tuple[str, ...] = ()
    unfinished: bool = False
    plan: Planned | None = None

    @property
    def view(self) -> object:
        """The position as the game's typed view."""
        return self.plan.view if self.plan else self.game.ui.look(self.record, self.viewer)

    @cached_property
    def prompt(self) -> Line:
        """What is going on, and what is asked of the viewer."""
        if self.plan:
            return self.plan.question
        return self.game.ui.prompt(self.record, self.viewer)

    @cached_property
    def asked(self) -> bool:
        """Whether the viewer is to decide."""
        return asks(self.record, self.viewer)

    @property
    def going_on(self) -> bool:
        """Whether the rules see no end yet (of a match that others have given up, too)."""
        return verbs.actor(self.record) != verbs.OVER

    @property
    def moves(self) -> list[LegalMove]:
        """The viewer's legal actions, in the rules' order."""
        if not self.asked:
            return []
        s = self.record
        seat = self.viewer
        game = self.game
        return [
            LegalMove(a, game.notation.format_action(s, seat, a), game.ui.label(s, seat, a))
            for a in legal_actions(game, s, seat)
        ]


@dataclass(frozen=True)
class TableState:
    """One table: its header, its seats and, once begun, its match.

    `ply` counts plies and is what a client sends back with a decision; `version` changes with
    every news of any kind, within one process. `match` holds secrets: show only `position`.
    """

    id: str
    game: Game
    options: OptionValues
    status: str
    public: bool
    host: Visitor
    commitment: str
    created: float
    seats: tuple[TableSeat, ...]
    match: Match | None = None
    chat: tuple[ChatLine, ...] = ()
    rematch: str = ""  # the table where these players go on
    revision: int = 0  # of all but plies and chat
    version: int = 0
    hints: bool = False  # whether its people may ask for advice
    screen: bool = False  # whether a screen in the middle shows the board, and phones are hands
    origin: str = ""  # the match whose first `taken` plies this one goes on from; "" if of a file
    taken: int = 0
    waits: float = 0.0  # since when the full table waits for hashes, or for nonces
    pace: int = 0  # seconds after which a bot decides, see turn_clock.py
    aborted: int = 0  # how many starts were given up when hashes were fixed, see nonce_exchange.py
    earlier: tuple[Aborted, ...] = ()  # the last of them
    by_lines: bool = False  # whether its match began before 0.4.0, see engine/fair.py
    group: str = ""  # id of the group in whose series this match counts
    request: TakeBackRequest | None = None  # see take_back.py

    @property
    def option_texts(self) -> dict[str, str]:
        """The options as texts, by name."""
        return {
            option.name: option.format(self.options[option.name]) for option in self.game.options
        }

    @property
    def plies(self) -> Sequence[Ply]:
        """The plies so far, none before the start."""
        return self.match.plies if self.match else ()

    @property
    def ply(self) -> int:
        """The number of plies so far."""
        return len(self.plies)

    @property
    def stamp(self) -> tuple[int, int, int]:
        """How far the table is, as `Queries.stamps` has it."""
        return self.revision, self.ply, self.chat[-1].id if self.chat else 0

    @cached_property
    def pending(self) -> list[int]:
        """The seats that are to decide now."""
        return self.match.pending if self.match else []

    @property
    def changed(self) -> float:
        """When the last ply was played (or the table made)."""
        return self.plies[-1].at if self.plies else self.created

    @property
    def free(self) -> int:
        """How many seats nobody has taken."""
        return sum(info.kind == OPEN_SEAT for info in self.seats)

    def seats_of(self, visitor: Visitor | None) -> list[int]:
        """The seats that this browser owns: several, if people share the screen."""
        return [s.seat for s in self.seats if visitor is not None and s.owner == visitor]

    def name(self, seat: int) -> Line:
        """What a seat's player is called."""
        return self.seats[seat].shown_as(self.seats[seat].name)

    def position(self, viewer: int = WATCHER, draft: Sequence[str] = ()) -> PositionView:
        """What `viewer` sees, after the decisions of his draft.

        Raises IllegalMove or BadInput if the draft cannot be played, WrongTime before the start.
        """
        if self.match is None:
            raise WrongTime(say("The game has not begun."))
        seen = redacted(self.match.state, viewer)
        after = foresee(self.game, seen, viewer, draft)
        last = after[-1].record if after else seen
        going_on = bool(after) and int(last.node) in self.game.plan and asks(last, viewer)
        if not after or going_on:
            return PositionView(self.game, viewer, last, tuple(draft), going_on)
        actions = [one.action for one in after]
        plan = self.game.asked_of_plan(seen, actions, last, viewer)
        return PositionView(self.game, viewer, last, tuple(draft), plan=plan)


def reseated(live: TableState, *infos: TableSeat) -> TableState:
    """The table with some seats changed."""
    fresh = {info.seat: info for info in infos}
    return replace(live, seats=tuple(fresh.get(info.seat, info) for info in live.seats))
