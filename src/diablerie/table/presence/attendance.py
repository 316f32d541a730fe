"""Attendance: which browsers have a table's page open, and when each was last seen."""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cachetools import LRUCache

from diablerie.table.state.table_state import DECIDERS, TableSeat, TableState
from diablerie.table.state.visitors import Visitor

# browsers at tables remembered; the longest unseen are forgotten first
ATTENDANTS_REMEMBERED = 20_000
AWAY_SECONDS = 45.0  # seconds after which the others may let a bot play
PAGE_LOOK_SECONDS = 30.0  # seconds that a page without a stream counts as looked at


class Place(NamedTuple):
    """A browser at a table; `visitor` and `client` (an address) are "" where they are unknown."""

    table: str
    visitor: str
    client: str


class OpenPages(NamedTuple):
    """How many pages are open, and when (Unix time) the last was opened, closed or loaded."""

    pages: int
    at: float


Opened = Callable[[Place, int], None]
Others = Mapping[tuple[str, Place], OpenPages]  # by process and place


class OtherPages:
    """Which pages are open in other processes, as they have told; where there are none: none."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._lock = threading.Lock()
        self._clock = clock
        self._tables: dict[str, Others] = {}
        self._clients: Counter[str] = Counter()  # pages, by client
        self.on_opened: Opened | None = None  # called when pages are opened or closed here

    def opened(self, table: str, visitor: Visitor | None, client: str, pages: int) -> None:
        """Tell the others that so many pages were opened here (below zero: closed; 0: loaded)."""
        if self.on_opened:
            self.on_opened(Place(table[:32], visitor or "", client[:64]), pages)

    def replace(self, tables: Mapping[str, Others], only: str = "") -> None:
        """Have these pages known from now on, of all tables or of only one."""
        with self._lock:
            if not only:
                self._clients = Counter()
                self._tables = {}
            self._count(self._tables.pop(only, {}), -1)
            for table, pages in tables.items():
                self._count(pages, 1)
                self._tables[table] = pages

    def _count(self, others: Others, sign: int) -> None:
        for (_, place), open_pages in others.items():
            self._clients[place.client] += sign * open_pages.pages

    def _of(self, table: str) -> list[tuple[Place, OpenPages]]:
        with self._lock:
            others = self._tables.get(table, {})
        return [(place, open_pages) for (_, place), open_pages in others.items()]

    def here(self, table: str, visitor: Visitor) -> bool:
        """Whether a visitor has a page of a table open there."""
        return any(place.visitor == visitor and there.pages for place, there in self._of(table))

    def seen(self, table: str, visitor: Visitor) -> float:
        """When a visitor was last seen at a table there (Unix time); 0.0 if never."""
        seen = (there.at for place, there in self._of(table) if place.visitor == visitor)
        return max(seen, default=0.0)

    def watched(self, table: str) -> bool:
        """Whether somebody looks at a table there."""
        recent = self._clock() - PAGE_LOOK_SECONDS
        return any(there.pages or there.at > recent for _, there in self._of(table))

    def pages(self, client: str) -> int:
        """How many pages a client has open there."""
        with self._lock:
            return self._clients[client]


@dataclass(frozen=True)
class Presence:
    """A seat's person: `here` (a page is open), or for how many seconds `away`.

    `due` (Unix time) is when the others may give the seat to a bot; None if that cannot be.
    """

    here: bool
    away: float
    due: float | None


class Attendance:
    """Who has pages open in this process, which is kept in memory only.

    After a restart everybody counts as seen at the start.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        away_after: float = AWAY_SECONDS,
        others: OtherPages | None = None,
    ) -> None:
        self.others = others or OtherPages(clock)
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self._open: defaultdict[tuple[str, Visitor], int] = defaultdict(int)
        self._seen: LRUCache[tuple[str, Visitor], float] = LRUCache(ATTENDANTS_REMEMBERED)
        self._ahead: LRUCache[tuple[str, str], tuple[float, float]] = LRUCache(
            ATTENDANTS_REMEMBERED
        )  # see `_noticed`
        # Called, and must not wait, when a visitor looks at tables
        self.on_visit: list[Callable[[Visitor], None]] = []
        self.away_after = away_after

    def visit(self, visitor: Visitor) -> None:
        """A visitor looks at a table, or at the list of them: tell the listeners."""
        for listener in self.on_visit:
            listener(visitor)

    def enter(self, table: str, visitor: Visitor | None) -> bool:
        """A visitor opens a page; whether that makes the visitor present."""
        if visitor is None:
            return False
        self.visit(visitor)
        with self._lock:
            self._open[table, visitor] += 1
            return self._open[table, visitor] == 1

    def leave(self, table: str, visitor: Visitor | None) -> bool:
        """A visitor closes a page, and has looked at it; whether it was the last at the table."""
        if visitor is None:
            return False
        self.visit(visitor)  # a notification may have come while it was open
        with self._lock:
            self._seen[table, visitor] = self._clock()
            self._open[table, visitor] -= 1
            if self._open[table, visitor] > 0:
                return False
            del self._open[table, visitor]
            return True

    def touch(self, table: str, visitor: Visitor) -> None:
        """A visitor was at a table for a moment, by a page without a stream."""
        self.visit(visitor)
        self.others.opened(table, visitor, "", 0)
        with self._lock:
            self._seen[table, visitor] = self._clock()

    def of(self, live: TableState) -> list[Presence]:
        """Who is here, by seat."""
        return [self._of(live, info) for info in live.seats]

    def _of(self, live: TableState, info: TableSeat) -> Presence:
        if info.owner is None:
            return Presence(False, 0.0, None)
        with self._lock:
            here = self._open.get((live.id, info.owner), 0) > 0
            seen = self._seen.get((live.id, info.owner), self._started)
        if here or self.others.here(live.id, info.owner):
            return Presence(True, 0.0, None)
        elsewhere = self.others.seen(live.id, info.owner)
        seen = self._noticed(live.id, info.owner, seen)
        seen = max(seen, self._noticed(live.id, f"{info.owner} elsewhere", elsewhere))
        since = max(seen, self._noticed(live.id, "", live.created))
        given = info.kind not in DECIDERS or bool(info.stand_in)
        due = None if given else since + self.away_after
        return Presence(False, max(0.0, self._clock() - since), due)

    def _noticed(self, table: str, what: str, at: float) -> float:
        """A time that was noted; one that a clock ahead of this one has noted counts from now on."""
        now = self._clock()
        key = (table, what)
        with self._lock:
            noted, noticed = self._ahead.get(key, (0.0, 0.0))
            if noted == at and noticed <= now:
                return noticed
            if at > now:
                self._ahead[key] = at, now
        return min(at, now)
