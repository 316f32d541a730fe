"""Requests and places of clients, counted in the database by all processes together.

The rows are no secret and need not outlive a crash: they are written without waiting for the disk.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.sql.dml import ReturningInsert

from diablerie.table.errors import TooMany
from diablerie.table.presence.rate_limits import Limits, Rate
from diablerie.table.storage import schema
from diablerie.table.storage.database import Now
from diablerie.table.storage.store import Store

PLACE = "thinking"
# seconds after which a place counts as free though nobody has given it back
LONGEST_PLACE_SECONDS = 120.0
FORGOTTEN_SECONDS = 24 * 3600.0  # seconds after which a count is deleted
b = schema.rate_counts
COUNT_KEY = [b.c.kind, b.c.client]


@cache
def _counted(rate: Rate) -> ReturningInsert[float]:
    """The statement that counts a request and returns what is left, no row if it is refused.

    Every decision needs it, and to build it takes longer than to carry it out.
    """
    refilled = b.c.level + sa.func.greatest(0, Now() - b.c.at) / rate.seconds
    level = sa.func.least(rate.burst, refilled)
    which: dict[str, object] = {
        "kind": sa.bindparam("its_kind"),
        "client": sa.bindparam("its_client"),
    }
    row = insert(b).values(**which, level=rate.burst - 1.0, at=Now())
    row = row.on_conflict_do_update(
        index_elements=COUNT_KEY, set_={"level": level - 1, "at": Now()}, where=level >= 1
    )
    return row.returning(b.c.level)


class DatabaseCounts:
    """Token buckets and places, a row of `budgets` each."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def take(self, kind: str, client: str, rate: Rate) -> None:
        """Count one request of a client. Raises TooMany, Unavailable."""
        asked = {"its_kind": kind, "its_client": client}
        if self._store.write(lambda here: here.execute(_counted(rate), asked).scalar()) is None:
            raise TooMany

    @contextmanager
    def place(self, client: str) -> Iterator[bool]:
        """The one place of a client in all processes; whether it was free. Raises Unavailable."""
        row = insert(b).values(kind=PLACE, client=client, level=1.0, at=Now())
        row = row.on_conflict_do_update(
            index_elements=COUNT_KEY,
            set_={"level": 1.0, "at": Now()},
            where=sa.or_(b.c.level < 1, b.c.at < Now() - LONGEST_PLACE_SECONDS),
        )
        taking = row.returning(b.c.level)
        free = self._store.write(lambda here: here.execute(taking).scalar()) is not None
        try:
            yield free
        finally:
            if free:
                mine = sa.and_(b.c.kind == PLACE, b.c.client == client)
                self._store.commit(sa.delete(b).where(mine))

    def sweep(self) -> None:
        """Delete the counts of long ago. Raises Unavailable."""
        self._store.commit(sa.delete(b).where(b.c.at < Now() - FORGOTTEN_SECONDS))


class SharedLimits(Limits):
    """Limits that count the requests to other processes, too."""

    def __init__(self, clock: Callable[[], float], counts: DatabaseCounts) -> None:
        super().__init__(clock)
        self._counts = counts

    def count(self, kind: str, client: str) -> None:
        """See `Limits.count`; "" as client is not limited."""
        if client:
            self._counts.take(kind, client, self._rates[kind])

    def place(self, client: str) -> AbstractContextManager[bool]:
        """See `Limits.place`; for "" as client it is always free."""
        return self._counts.place(client) if client else nullcontext(True)
