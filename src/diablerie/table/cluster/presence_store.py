"""Who looks at which table, in any of the processes.

Each process writes what happens in it, a moment later and many at a time, and reads what the
others have written when they tell of it, and now and then anyway.
"""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from diablerie.table.cluster.bot_jobs import DEAD
from diablerie.table.cluster.process_news import ProcessNews
from diablerie.table.cluster.shared_limits import NOW
from diablerie.table.presence.attendance import Elsewhere
from diablerie.table.presence.hub import GLANCE
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage import schema
from diablerie.table.storage.store import Store

KIND = "look"
KEPT = 3600.0  # seconds for which it is known when somebody was last there


class Place(NamedTuple):
    """Somebody's eyes on a table: `visitor` and `client` are "" where they are not known."""

    table: str
    visitor: str
    client: str


class OpenPages(NamedTuple):
    """How many pages are open, and when the last was opened or closed."""

    pages: int
    at: float


class PresenceStore(Elsewhere):
    """What this process has to say of that, and what it knows of the others."""

    def __init__(
        self, store: Store, me: str, clock: Callable[[], float], news: ProcessNews
    ) -> None:
        self._store, self._me, self._clock, self._news = store, me, clock, news
        self._lock = threading.Lock()
        self._mine: dict[Place, OpenPages] = {}
        self._dirty: set[Place] = set()
        self._theirs: defaultdict[str, dict[tuple[str, Place], OpenPages]] = defaultdict(dict)
        self._pages: Counter[str] = Counter()  # of the others, by client
        self.changed: Callable[[], None] = lambda: None  # called when there is something to write

    # -- what happens here ---------------------------------------------------------------------

    def opened(self, table: str, visitor: Visitor | None, client: str, pages: int) -> None:
        """So many pages of a table were opened (or, below zero, closed); 0: it was looked at."""
        place = Place(table[:32], visitor or "", client[:64])
        with self._lock:
            before = self._mine.get(place, OpenPages(0, 0.0))
            self._mine[place] = OpenPages(max(0, before.pages + pages), self._clock())
            self._dirty.add(place)
        self.changed()

    def again(self) -> None:
        """What was written is gone: write all of it again."""
        with self._lock:
            self._dirty |= {place for place, look in self._mine.items() if look.pages}
        self.changed()

    def write(self) -> None:
        """Write what has happened, and tell of it. Raises Unavailable."""
        with self._lock:
            dirty, self._dirty = self._dirty, set()
            rows = [self._row(place) for place in sorted(dirty)]
        if not rows:
            return
        fresh = insert(schema.looks)
        fresh = fresh.on_conflict_do_update(
            index_elements=list(schema.looks.primary_key),
            set_={"pages": fresh.excluded.pages, "at": fresh.excluded.at},
        )
        try:
            with self._store.writing() as connection:
                connection.execute(fresh, rows)
        except Exception:
            with self._lock:
                self._dirty |= dirty
            raise
        for table in {place.table for place in dirty}:
            self._news.tell(KIND, table)

    def _row(self, place: Place) -> dict[str, object]:
        look = self._mine[place]
        return {
            "process": self._me,
            "match": place.table,
            "visitor": place.visitor,
            "client": place.client,
            "pages": look.pages,
            "at": look.at,
        }

    def forget(self) -> None:
        """Keep no longer what is old. Raises Unavailable."""
        before, k = self._clock() - KEPT, schema.looks.c
        with self._lock:
            old = [
                place
                for place, look in self._mine.items()
                if not look.pages and look.at < before and place not in self._dirty
            ]
            for place in old:
                del self._mine[place]
        gone = sa.and_(k.process == self._me, k.pages == 0, k.at < before)
        with self._store.writing() as connection:
            connection.execute(sa.delete(schema.looks).where(gone))

    # -- what happens elsewhere ----------------------------------------------------------------

    def read(self, table: str = "") -> None:
        """Hear of the others' looks at a table, or at all. Raises Unavailable."""
        k, p = schema.looks.c, schema.processes.c
        alive = sa.select(p.id).where(p.beat > NOW - DEAD)
        wanted = sa.select(schema.looks).where(k.process != self._me, k.process.in_(alive))
        rows = self._store.select(wanted.where(k.match == table) if table else wanted)
        found: defaultdict[str, dict[tuple[str, Place], OpenPages]] = defaultdict(dict)
        for row in rows:
            place = Place(row.match, row.visitor, row.client)
            found[row.match][row.process, place] = OpenPages(row.pages, row.at)
        with self._lock:
            if table:
                self._count(self._theirs.pop(table, {}), -1)
                self._count(found[table], 1)
                if found[table]:
                    self._theirs[table] = found[table]
                return
            self._theirs, self._pages = found, Counter()
            for looks in found.values():
                self._count(looks, 1)

    def _count(self, looks: dict[tuple[str, Place], OpenPages], sign: int) -> None:
        for (_, place), look in looks.items():
            self._pages[place.client] += sign * look.pages

    def _at(self, table: str) -> Iterable[tuple[Place, OpenPages]]:
        with self._lock:
            return [(place, look) for (_, place), look in self._theirs.get(table, {}).items()]

    def here(self, table: str, visitor: Visitor) -> bool:
        """Whether a visitor has a page of a table open in another process."""
        return any(p.visitor == visitor and look.pages for p, look in self._at(table))

    def seen(self, table: str, visitor: Visitor) -> float:
        """When a visitor was last seen at a table in another process; 0.0 if never."""
        return max((look.at for p, look in self._at(table) if p.visitor == visitor), default=0.0)

    def watched(self, table: str) -> bool:
        """Whether somebody looks at a table in another process."""
        recent = self._clock() - GLANCE
        return any(look.pages or look.at > recent for _, look in self._at(table))

    def pages(self, client: str) -> int:
        """How many pages a client has open in other processes."""
        with self._lock:
            return self._pages[client]
