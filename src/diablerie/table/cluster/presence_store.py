"""Which pages are open in this process, for the others; and theirs, for this one.

Each process writes its own to the database, a moment later and many at a time, and reads what the
others have written when they tell of it, and now and then anyway.
"""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from diablerie.table.cluster.bot_jobs import DEAD_PROCESS_SECONDS
from diablerie.table.node import PRESENCE_NEWS
from diablerie.table.presence.hub import PAGE_LOOK_SECONDS, OtherPages
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage import schema
from diablerie.table.storage.database import Now
from diablerie.table.storage.store import Store

PRESENCE_SECONDS = 3600.0  # seconds for which it is known when somebody was last there


class Guest(NamedTuple):
    """A browser at a table; `visitor` and `client` (an address) are "" where they are unknown."""

    table: str
    visitor: str
    client: str


class OpenPages(NamedTuple):
    """How many pages are open, and when (Unix time) the last was opened, closed or loaded."""

    pages: int
    at: float


Opened = Callable[[Guest, int], None]
Others = Mapping[tuple[str, Guest], OpenPages]  # by process and guest


class SharedPages(OtherPages):
    """Which pages are open in other processes, as they have told."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._lock = threading.Lock()
        self._clock = clock
        self._tables: dict[str, Others] = {}
        self._clients: Counter[str] = Counter()  # pages, by client
        self.on_opened: Opened | None = None  # called when pages are opened or closed here

    def opened(self, table: str, visitor: Visitor | None, client: str, pages: int) -> None:
        """Tell the others that so many pages were opened here (below zero: closed; 0: loaded)."""
        if self.on_opened:
            self.on_opened(Guest(table[:32], visitor or "", client[:64]), pages)

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
        for (_, guest), open_pages in others.items():
            self._clients[guest.client] += sign * open_pages.pages

    def _of(self, table: str) -> list[tuple[Guest, OpenPages]]:
        with self._lock:
            others = self._tables.get(table, {})
        return [(guest, open_pages) for (_, guest), open_pages in others.items()]

    def here(self, table: str, visitor: Visitor) -> bool:
        """Whether a visitor has a page of a table open there."""
        return any(guest.visitor == visitor and there.pages for guest, there in self._of(table))

    def seen(self, table: str, visitor: Visitor) -> float:
        """When a visitor was last seen at a table there (Unix time); 0.0 if never."""
        seen = (there.at for guest, there in self._of(table) if guest.visitor == visitor)
        return max(seen, default=0.0)

    def watched(self, table: str) -> bool:
        """Whether somebody looks at a table there."""
        recent = self._clock() - PAGE_LOOK_SECONDS
        return any(there.pages or there.at > recent for _, there in self._of(table))

    def pages(self, client: str) -> int:
        """How many pages a client has open there."""
        with self._lock:
            return self._clients[client]


class PresenceStore:
    """Writes the pages that are open here, and reads those of other processes."""

    def __init__(
        self,
        store: Store,
        me: str,
        clock: Callable[[], float],
        others: SharedPages,
        tell: Callable[[str, str], None],
        changed: Callable[[], None],
    ) -> None:
        """`tell` tells other processes what was written; `changed` is called before `write`."""
        self._store = store
        self._me = me
        self._clock = clock
        self._others = others
        self._tell = tell
        self._changed = changed
        self._lock = threading.Lock()
        self._mine: dict[Guest, OpenPages] = {}
        self._unwritten: set[Guest] = set()
        others.on_opened = self._opened

    def _opened(self, guest: Guest, pages: int) -> None:
        with self._lock:
            before = self._mine.get(guest, OpenPages(0, 0.0))
            self._mine[guest] = OpenPages(max(0, before.pages + pages), self._clock())
            self._unwritten.add(guest)
        self._changed()

    def write_again(self) -> None:
        """Have all open pages written again, for the rows are gone. Never waits."""
        with self._lock:
            self._unwritten |= {guest for guest, mine in self._mine.items() if mine.pages}
        self._changed()

    def write(self) -> None:
        """Write what is not written yet, and tell the others. Raises Unavailable."""
        with self._lock:
            guests = self._unwritten
            self._unwritten = set()
            rows = [
                {
                    "process": self._me,
                    "match": guest.table,
                    "visitor": guest.visitor,
                    "client": guest.client,
                    **self._mine[guest]._asdict(),
                }
                for guest in sorted(guests)
            ]
        if not rows:
            return
        fresh = insert(schema.presence)
        fresh = fresh.on_conflict_do_update(
            index_elements=list(schema.presence.primary_key),
            set_={"pages": fresh.excluded.pages, "at": fresh.excluded.at},
        )
        try:
            with self._store.writing() as connection:
                connection.execute(fresh, rows)
        except Exception:
            # They are written with the next ones; meanwhile others may have noted more.
            with self._lock:
                self._unwritten |= guests
            raise
        for table in {guest.table for guest in guests}:
            self._tell(PRESENCE_NEWS, table)

    def forget(self) -> None:
        """Delete what was written of this process long ago. Raises Unavailable."""
        before = self._clock() - PRESENCE_SECONDS
        k = schema.presence.c
        with self._lock:
            for guest, mine in list(self._mine.items()):
                if not mine.pages and mine.at < before and guest not in self._unwritten:
                    del self._mine[guest]
        gone = sa.and_(k.process == self._me, k.pages == 0, k.at < before)
        self._store.commit(sa.delete(schema.presence).where(gone))

    def read(self, table: str = "") -> None:
        """Read which pages are open in other processes, at all or at one table.

        Raises Unavailable.
        """
        k = schema.presence.c
        p = schema.processes.c
        alive = sa.select(p.id).where(p.beat > Now() - DEAD_PROCESS_SECONDS)
        wanted = sa.select(schema.presence).where(k.process != self._me, k.process.in_(alive))
        rows = self._store.select(wanted.where(k.match == table) if table else wanted)
        tables: defaultdict[str, dict[tuple[str, Guest], OpenPages]] = defaultdict(dict)
        for row in rows:
            guest = Guest(row.match, row.visitor, row.client)
            tables[row.match][row.process, guest] = OpenPages(row.pages, row.at)
        self._others.replace(tables, table)
