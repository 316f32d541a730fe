"""What clients have had of what is bounded, counted by all processes together.

Each process counts for itself first, so that a flood in one does not reach the database. The rows
are no secret and need not outlive a crash: they are written without waiting for the disk.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import sqlalchemy as sa
from cachetools import LRUCache
from sqlalchemy.dialects.postgresql import insert

from diablerie.table.errors import TooMany
from diablerie.table.presence.rate_limits import CLIENTS, RATES, Limits, LimitStatus, Rate
from diablerie.table.storage import schema
from diablerie.table.storage.store import Store

PLACE = "thinking"
LONGEST = 120.0  # seconds for which a place to think is kept by who does not give it back
FORGOTTEN = 24 * 3600.0  # seconds after which what was had is no longer kept
CLOCK = "extract(epoch FROM clock_timestamp())::float8"  # of the database, for all processes
NOW: sa.ColumnClause[float] = sa.literal_column(CLOCK, sa.Float)


class SharedLimits(Limits):
    """A token bucket for each kind of request and client, for all processes."""

    def __init__(
        self, store: Store, clock: Callable[[], float], rates: Mapping[str, Rate] = RATES
    ) -> None:
        super().__init__(clock, rates)
        self._store = store
        self._last: LRUCache[tuple[str, str], LimitStatus] = LRUCache(CLIENTS)

    def count(self, kind: str, client: str) -> None:
        """Count one request with those of other processes. Raises TooMany, Unavailable."""
        if not client:
            return
        rate, b = self._rates[kind], schema.budgets
        level = sa.func.least(
            rate.burst, b.c.level + sa.func.greatest(0, NOW - b.c.at) / rate.seconds
        )
        fresh = {"kind": kind, "client": client, "level": rate.burst - 1.0, "at": NOW}
        taken = insert(b).values(fresh)
        taken = taken.on_conflict_do_update(
            index_elements=[b.c.kind, b.c.client],
            set_={"level": level - 1, "at": NOW},
            where=level >= 1,
        )
        with self._store.writing() as connection:
            left = connection.execute(taken.returning(b.c.level)).scalar()
        with self._lock:
            told = 0.0 if left is None else float(left)
            self._last[kind, client] = LimitStatus(int(told), (1 - told % 1) * rate.seconds)
        if left is None:
            raise TooMany

    def standing(self, kind: str, client: str) -> LimitStatus:
        """How a client stands, as it was last heard."""
        mine = super().standing(kind, client)
        with self._lock:
            last = self._last.get((kind, client))
        return mine if last is None else min(mine, last, key=lambda standing: standing.left)

    @contextmanager
    def place(self, client: str) -> Iterator[bool]:
        """The one place to think that a client has in all processes; whether it was free."""
        if not client:
            yield True
            return
        b = schema.budgets
        mine = insert(b).values(kind=PLACE, client=client, level=1.0, at=NOW)
        mine = mine.on_conflict_do_update(
            index_elements=[b.c.kind, b.c.client],
            set_={"level": 1.0, "at": NOW},
            where=sa.or_(b.c.level < 1, b.c.at < NOW - LONGEST),
        )
        with self._store.writing() as connection:
            free = connection.execute(mine.returning(b.c.level)).scalar() is not None
        try:
            yield free
        finally:
            if free:
                here = sa.and_(b.c.kind == PLACE, b.c.client == client)
                with self._store.writing() as connection:
                    connection.execute(sa.delete(b).where(here))

    def sweep(self) -> None:
        """Forget what was had long ago."""
        b = schema.budgets
        with self._store.writing() as connection:
            connection.execute(sa.delete(b).where(b.c.at < NOW - FORGOTTEN))
