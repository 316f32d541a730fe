"""Plain tables and their seats, and what the models of commands share.

A table knows who sits where and what has been acknowledged, and no rule of any game: whose turn it
is, what may be done and what a decision leads to is asked of the engine.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from diablerie.engine.match import Match
from diablerie.engine.plies import Ply, PlyKind
from diablerie.table.errors import Forbidden, Refused, WrongTime
from diablerie.table.state.nonce_exchange import LATE_PLEDGE, PROMISED_PLEDGE
from diablerie.table.state.table_state import OPEN_SEAT, OPEN_TABLE, PERSON

Refusal = type[Refused] | None


@dataclass
class Seat:
    """A seat: who sits there, what was promised for the dice, and its personal link."""

    kind: str = OPEN_SEAT
    owner: str | None = None
    name: str = ""
    called: str = ""
    stand_in: bool = False
    pledge: str = ""
    shown: bool = False  # whether its nonce is in
    secret: str = ""  # of its personal link
    moved_from: str | None = None
    due: float = 0.0
    member: int = 0  # of a group
    bot: str = ""  # its spec
    wanted: str | None = None  # who asks to take over from its bot
    declined: str | None = None  # who was refused last
    asked: float = -1.0  # seconds of the simulation when it was asked for what it is to decide

    @property
    def sent(self) -> str:
        """The hash that was sent."""
        return "" if self.pledge in (PROMISED_PLEDGE, LATE_PLEDGE) else self.pledge

    def unasked(self) -> None:
        """Nobody asks for the seat any more."""
        self.wanted, self.pledge = None, ""

    def unshare(self) -> None:
        self.pledge = PROMISED_PLEDGE if self.pledge and self.kind == PERSON else ""
        self.shown, self.called = False, ""


@dataclass
class Table:
    """A table, and the plies that were acknowledged."""

    id: str
    host: str
    chairs: list[Seat]
    created: float
    pace: int = 0
    status: str = OPEN_TABLE
    public: bool = False
    waits: float = 0.0
    aborted: int = 0
    taken: int = 0
    rematch: str = ""
    request: tuple[int, int, set[int]] | None = None  # to take back: seat, goal, who agreed
    said: list[tuple[int, int, str]] = field(default_factory=list)
    plies: list[Ply] = field(default_factory=list)
    fresh: list[Any] = field(default_factory=list)  # what a command plays: see `play_model`
    match: Match | None = None  # the engine's, made from the acknowledged plies

    # -- what is refused, and why ------------------------------------------------------------

    def foreign(self, who: str, seat: int) -> Refusal:
        return None if seat in self.seats_of(who) else Forbidden

    def stranger(self, who: str) -> Refusal:
        return None if self.seats_of(who) else Forbidden

    def not_host(self, who: str) -> Refusal:
        return None if who == self.host else Forbidden

    def unless(self, *status: str) -> Refusal:
        return None if self.status in status else WrongTime

    def may_not_decide(self, who: str, seat: int) -> Refusal:
        """Why a person cannot decide or take back for a seat, whatever the rules say."""
        if why := self.foreign(who, seat):
            return why
        return Forbidden if self.chairs[seat].stand_in else None

    # -- what there is -----------------------------------------------------------------------

    def seats_of(self, who: str) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.owner == who]

    @property
    def free(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind == OPEN_SEAT]

    @property
    def people(self) -> int:
        return sum(chair.kind == PERSON for chair in self.chairs)

    @property
    def pending(self) -> list[int]:
        return self.match.pending if self.match else []

    @property
    def resigned(self) -> set[int]:
        return {ply.seat for ply in self.plies if ply.kind is PlyKind.RESIGN}

    @property
    def awaited(self) -> str:
        """What a full table waits for: "hashes", "nonces" or nothing."""
        if self.free or self.status != OPEN_TABLE:
            return ""
        if any(chair.pledge == PROMISED_PLEDGE for chair in self.chairs):
            return "hashes"
        return "nonces" if any(c.sent and not c.shown for c in self.chairs) else ""

    def goal(self, seat: int) -> int:
        """Before the last free decision of a seat that stands, as a number of plies; or -1."""
        assert self.match is not None
        k = len(self.plies)
        while k > 0:
            ply, k = self.plies[k - 1], k - 1
            if ply.kind is PlyKind.TAKE_BACK:
                k = ply.to
            elif ply.kind is PlyKind.MOVE and ply.seat == seat and self.was_free(k, seat):
                return k if k >= max(1, self.taken) else -1
        return -1

    def outstanding(self, seat: int, agreed: set[int]) -> list[int]:
        """Who still has to agree that a seat takes back, also of those for whom a bot plays."""
        people = [s for s, c in enumerate(self.chairs) if c.kind == PERSON]
        return [other for other in people if other != seat and other not in agreed]

    def was_free(self, ply: int, seat: int) -> bool:
        """Whether a decision after so many plies was a choice, and not part of a plan."""
        assert self.match is not None
        past = self.match.at(ply)
        node = int(past.state.node)
        alone = node in past.game.forced and len(past.actions(seat)) == 1
        return node not in past.game.plan and not alone

    # -- what commands do --------------------------------------------------------------------

    def empty(self, seat: int) -> None:
        """Somebody goes before the start: the shares of the others are asked for anew."""
        fixed = self.all_promised
        self.chairs[seat] = Seat()
        for chair in self.chairs:
            chair.unshare()
        self.aborted += fixed
        self.waits = 0.0

    @property
    def all_promised(self) -> bool:
        promised = any(chair.pledge == PROMISED_PLEDGE for chair in self.chairs)
        return not self.free and not promised and any(chair.sent for chair in self.chairs)

    def move(self, seat: int, who: str) -> None:
        """A seat becomes another browser's, which knows no nonce of it."""
        chair = self.chairs[seat]
        if self.host == chair.owner:
            self.host = who
        if self.status == OPEN_TABLE and not self.all_promised:
            chair.unshare()
        chair.owner = who


def copied(t: Table) -> Table:
    """An independent copy."""
    return replace(
        t,
        chairs=[replace(chair) for chair in t.chairs],
        said=list(t.said),
        plies=list(t.plies),
        fresh=[],
        match=t.match and t.match.copy(),
        request=t.request and (*t.request[:2], set(t.request[2])),
    )


def play_forced(match: Match) -> None:
    """Play the decisions that the table plays by itself: those without an alternative."""
    while not match.over and match.state.node in match.game.forced:
        alone = [seat for seat in match.pending if len(match.actions(seat)) == 1]
        if not alone:
            return
        match.carry_out(match.actions(alone[0])[0], alone[0])
