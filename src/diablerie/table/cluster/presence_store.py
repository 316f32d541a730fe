"""Which pages are open in this process, for the others; and theirs, for this one.

Each process writes its own to the database, a moment later and many at a time, and reads what the
others have written when they tell of it, and now and then anyway.
"""

import threading
from collections import defaultdict
from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from diablerie.table.cluster.bot_jobs import DEAD_PROCESS_SECONDS
from diablerie.table.node import PRESENCE_NEWS
from diablerie.table.presence.hub import OpenPages, OtherPages, Place
from diablerie.table.storage import schema
from diablerie.table.storage.database import Now
from diablerie.table.storage.store import Store

PRESENCE_SECONDS = 3600.0  # seconds for which it is known when somebody was last there


class PresenceStore:
    """Writes the pages that are open here, and reads those of other processes."""

    def __init__(
        self,
        store: Store,
        me: str,
        clock: Callable[[], float],
        others: OtherPages,
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
        self._mine: dict[Place, OpenPages] = {}
        self._unwritten: set[Place] = set()
        others.on_opened = self._opened

    def _opened(self, place: Place, pages: int) -> None:
        with self._lock:
            before = self._mine.get(place, OpenPages(0, 0.0))
            self._mine[place] = OpenPages(max(0, before.pages + pages), self._clock())
            self._unwritten.add(place)
        self._changed()

    def write_again(self) -> None:
        """Have all open pages written again, for the rows are gone. Never waits."""
        with self._lock:
            self._unwritten |= {place for place, mine in self._mine.items() if mine.pages}
        self._changed()

    def write(self) -> None:
        """Write what is not written yet, and tell the others. Raises Unavailable."""
        with self._lock:
            places = self._unwritten
            self._unwritten = set()
            rows = [
                {
                    "process": self._me,
                    "match": place.table,
                    "visitor": place.visitor,
                    "client": place.client,
                    **self._mine[place]._asdict(),
                }
                for place in sorted(places)
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
                self._unwritten |= places
            raise
        for table in {place.table for place in places}:
            self._tell(PRESENCE_NEWS, table)

    def forget(self) -> None:
        """Delete what was written of this process long ago. Raises Unavailable."""
        before = self._clock() - PRESENCE_SECONDS
        k = schema.presence.c
        with self._lock:
            for place, mine in list(self._mine.items()):
                if not mine.pages and mine.at < before and place not in self._unwritten:
                    del self._mine[place]
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
        tables: defaultdict[str, dict[tuple[str, Place], OpenPages]] = defaultdict(dict)
        for row in rows:
            place = Place(row.match, row.visitor, row.client)
            tables[row.match][row.process, place] = OpenPages(row.pages, row.at)
        self._others.replace(tables, table)
