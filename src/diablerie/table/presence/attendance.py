"""Who is here: which browsers have a table's page open, and when each was last seen."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from cachetools import LRUCache

from diablerie.table.state.table_state import PLAYERS, TableSeat, TableState
from diablerie.table.state.visitors import Visitor

KEPT = 20_000  # browsers at tables remembered; the longest unseen are forgotten first
AWAY = 45.0  # seconds after which the others may let a bot play

Place = tuple[str, Visitor]


@dataclass(frozen=True)
class Presence:
    """A seat's person: `here` (a page is open), or for how many seconds `away`.

    `due` (Unix time) is when the others may give the seat to a bot; None if that cannot be.
    """

    here: bool
    away: float
    due: float | None


class Elsewhere:
    """What happens in other processes, where there are none; else see `PresenceStore`."""

    def opened(self, table: str, visitor: Visitor | None, client: str, pages: int) -> None:
        """So many pages of a table were opened here (or, below zero, closed); 0: looked at."""

    def here(self, table: str, visitor: Visitor) -> bool:
        """Whether a visitor has a page of a table open there."""
        return False

    def seen(self, table: str, visitor: Visitor) -> float:
        """When a visitor was last seen at a table there; 0.0 if never."""
        return 0.0

    def watched(self, table: str) -> bool:
        """Whether somebody looks at a table there."""
        return False

    def pages(self, client: str) -> int:
        """How many pages a client has open there."""
        return 0


class Attendance:
    """Kept in memory only: after a restart everybody counts as seen at the start."""

    def __init__(
        self,
        clock: Callable[[], float],
        away_after: float = AWAY,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self._clock, self._elsewhere = clock, elsewhere or Elsewhere()
        self._started = clock()
        self._lock = threading.Lock()
        self._open: Counter[Place] = Counter()
        self._seen: LRUCache[Place, float] = LRUCache(KEPT)
        self._glad: list[Callable[[Visitor], None]] = []
        self.away_after = away_after

    def welcome(self, host: Callable[[Visitor], None]) -> None:
        """Have a function called, which must not wait, when a visitor looks at tables."""
        self._glad.append(host)

    def looks(self, visitor: Visitor) -> None:
        """Somebody looks at a table, or at the list of them."""
        for host in self._glad:
            host(visitor)

    def enter(self, table: str, visitor: Visitor | None) -> bool:
        """A page opens; whether that makes the visitor present."""
        if visitor is None:
            return False
        self.looks(visitor)
        with self._lock:
            self._open[table, visitor] += 1
            return self._open[table, visitor] == 1

    def leave(self, table: str, visitor: Visitor | None) -> bool:
        """A page closes; whether the visitor is gone with it."""
        if visitor is None:
            return False
        with self._lock:
            self._note((table, visitor))
            self._open[table, visitor] -= 1
            if self._open[table, visitor] > 0:
                return False
            del self._open[table, visitor]
            return True

    def touch(self, table: str, visitor: Visitor) -> None:
        """A browser was here for a moment."""
        self.looks(visitor)
        self._elsewhere.opened(table, visitor, "", 0)
        with self._lock:
            self._note((table, visitor))

    def of(self, live: TableState) -> list[Presence]:
        """Who is here, by seat."""
        return [self._of(live, info) for info in live.seats]

    def _of(self, live: TableState, info: TableSeat) -> Presence:
        if info.owner is None:
            return Presence(False, 0.0, None)
        with self._lock:
            here = self._open[live.id, info.owner] > 0
            seen = self._seen.get((live.id, info.owner), self._started)
        if here or self._elsewhere.here(live.id, info.owner):
            return Presence(True, 0.0, None)
        seen = max(seen, self._elsewhere.seen(live.id, info.owner))
        since = min(max(seen, live.created), self._clock())  # made by a clock that was ahead
        given = info.kind not in PLAYERS or bool(info.stand_in)
        due = None if given else since + self.away_after
        return Presence(False, max(0.0, self._clock() - since), due)

    def _note(self, place: Place) -> None:
        self._seen[place] = self._clock()
