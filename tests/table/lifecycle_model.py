"""A plain model of tables: what `test_lifecycle` expects of them after each command.

It knows who sits where and what has been acknowledged, and no rule of any game: whose turn it is,
what may be done and what a decision leads to is asked of the engine.
"""

from dataclasses import dataclass, field
from typing import Any

from diablerie.engine.match import Match
from diablerie.engine.plies import Ply, PlyKind
from diablerie.table.errors import Forbidden, Refused, WrongTime
from diablerie.table.state.nonce_exchange import LATE, PROMISED
from diablerie.table.state.table_state import BOT, EMPTY, OPEN, OVER, PERSON, RUNNING, TableState

Refusal = type[Refused] | None


@dataclass
class Chair:
    """A seat: who sits there, what was promised for the dice, and its personal link."""

    kind: str = EMPTY
    owner: str | None = None
    name: str = ""
    called: str = ""
    stand_in: bool = False
    pledge: str = ""
    shown: bool = False  # whether its nonce is in
    secret: str = ""  # of its personal link
    moved_from: str | None = None
    due: float = 0.0

    @property
    def sent(self) -> str:
        """The hash that was sent."""
        return "" if self.pledge in (PROMISED, LATE) else self.pledge

    def unshare(self) -> None:
        self.pledge = PROMISED if self.pledge and self.kind == PERSON else ""
        self.shown, self.called = False, ""

    def facts(self) -> tuple[Any, ...]:
        return (
            *(self.kind, self.owner, self.name, self.called, self.stand_in),
            *(self.pledge, self.shown, self.due),
        )


@dataclass
class Table:
    """A table, and the plies that were acknowledged."""

    id: str
    host: str
    chairs: list[Chair]
    created: float
    pace: int = 0
    status: str = OPEN
    public: bool = False
    waits: float = 0.0
    aborted: int = 0
    taken: int = 0
    rematch: str = ""
    request: tuple[int, int, set[int]] | None = None  # to take back: seat, goal, who agreed
    said: list[tuple[int, int, str]] = field(default_factory=list)
    plies: list[Ply] = field(default_factory=list)
    fresh: list[Ply] = field(default_factory=list)  # those of the last command
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

    def owner(self, seat: int) -> str | None:
        return self.chairs[seat].owner if 0 <= seat < len(self.chairs) else None

    @property
    def free(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind == EMPTY]

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
        if self.free or self.status != OPEN:
            return ""
        if any(chair.pledge == PROMISED for chair in self.chairs):
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
        """Who still has to agree that a seat takes back."""
        people = [s for s, c in enumerate(self.chairs) if c.kind == PERSON and not c.stand_in]
        return [other for other in people if other != seat and other not in agreed]

    def was_free(self, ply: int, seat: int) -> bool:
        """Whether a decision after so many plies was a choice, and not part of a plan."""
        assert self.match is not None
        past = self.match.at(ply)
        node = int(past.state.node)
        alone = node in past.game.forced and len(past.actions(seat)) == 1
        return node not in past.game.plan and not alone

    # -- what commands do --------------------------------------------------------------------

    def sit(self, seat: int, who: str, name: str = "", pledge: str = "") -> None:
        self.chairs[seat] = Chair(PERSON, who, name, pledge=pledge)

    def seat_bot(self, seat: int, name: str = "") -> None:
        self.chairs[seat] = Chair(BOT, name=name)

    def empty(self, seat: int) -> None:
        """Somebody goes before the start: the shares of the others are asked for anew."""
        fixed = self.all_promised
        self.chairs[seat] = Chair()
        for chair in self.chairs:
            chair.unshare()
        self.aborted += fixed
        self.waits = 0.0

    @property
    def all_promised(self) -> bool:
        promised = any(chair.pledge == PROMISED for chair in self.chairs)
        return not self.free and not promised and any(chair.sent for chair in self.chairs)

    def move(self, seat: int, who: str) -> None:
        """A seat becomes another browser's, which knows no nonce of it."""
        chair = self.chairs[seat]
        if self.host == chair.owner:
            self.host = who
        if self.status == OPEN and not self.all_promised:
            chair.unshare()
        chair.owner = who

    def start_if_full(self, now: float, waiting: bool = True) -> None:
        if self.status != OPEN or self.free:
            return
        if waiting and self.awaited:
            self.waits = self.waits or now
            return
        self.status, self.waits = RUNNING, 0.0
        for chair in self.chairs:
            chair.called, chair.shown = chair.name, True  # who sends no nonce is given one

    def follow(self, live: TableState, now: float) -> None:
        """Take over the plies that a command has acknowledged, which only add to the old ones."""
        assert list(live.plies[: len(self.plies)]) == self.plies
        old, asked = len(self.plies), set(self.pending)
        self.fresh = list(live.plies[old:])
        self.plies, self.match = list(live.plies), live.match
        if self.match and self.status != OPEN:
            self.status = OVER if self.match.over else RUNNING
        back = any(ply.kind is PlyKind.TAKE_BACK for ply in self.fresh)
        moved = {ply.seat for ply in self.fresh if ply.kind is PlyKind.MOVE}
        if self.request and (back or self.request[0] in moved or self.status == OVER):
            self.request = None
        if self.pace:
            self._ask(old, asked, now)

    def _ask(self, old: int, asked: set[int], now: float) -> None:
        """Turn clocks: each runs from when its seat is asked, whatever others decide in secret."""
        movers = {ply.seat for ply in self.fresh if ply.kind is PlyKind.MOVE}
        for seat, chair in enumerate(self.chairs):
            waits = seat in self.pending and chair.kind == PERSON and not chair.stand_in
            if not waits or self.status != RUNNING:
                chair.due = 0.0
            elif not (chair.due and seat in asked - movers and self.plies[-1].since <= old):
                chair.due = now + self.pace

    def facts(self) -> tuple[Any, ...]:
        return (
            *(self.status, self.host, self.public, self.pace, self.waits, self.aborted),
            *(self.taken, self.rematch, self.request, self.said, self.plies),
            [chair.facts() for chair in self.chairs],
        )


def facts_of(live: TableState) -> tuple[Any, ...]:
    """What the model says of a table, of a table."""
    return (
        *(live.status, live.host, live.public, live.pace, live.waits, live.aborted),
        *(live.taken, live.rematch),
        live.request and (live.request.seat, live.request.to, set(live.request.agreed)),
        [(line.id, line.seat, line.text) for line in live.chat],
        list(live.plies),
        [
            (
                *(info.kind, info.owner, info.name, info.called, bool(info.stand_in)),
                *(info.pledge, bool(info.nonce), info.due),
            )
            for info in live.seats
        ],
    )
