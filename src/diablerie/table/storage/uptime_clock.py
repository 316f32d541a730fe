"""Uptime: the seconds for which servers have run on this database, all runs added up.

Turn clocks count uptime instead of Unix time: it stands still while no server runs, and it does
not depend on the machine's clock. One process counts it and saves it every few seconds; other
processes on the same database follow what is saved. A crash loses the seconds since the last save.
"""

import threading

import sqlalchemy as sa

from diablerie.runtime.clock import Clock
from diablerie.table.storage import schema
from diablerie.table.storage.database import Now
from diablerie.table.storage.store import Conflict, Store

STEADY_SECONDS = 2.0  # seconds by which a deadline that people see may be wrong before it changes
# seconds without a save after which no process counts, and followers stand still
STANDSTILL_SECONDS = 12.0
ONLY_ROW = 1  # id of the only row of `hours`


class UptimeClock:
    """The uptime of the site in seconds. It stands still here until `start` or `follow`."""

    followed = False  # whether other processes follow what is saved here

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._base: float | None = None  # uptime when counting began here, or was last read
        self._since: float | None = None  # that moment by the monotonic clock; None: stands still
        self._ahead: float | None = None  # Unix time minus uptime, as last shown to people
        self._counting = False

    def now(self) -> float:
        """Uptime now, in seconds. Raises Unavailable."""
        with self._clock.held(self._lock):
            return self._now()

    def start(self) -> None:
        """Count in this process from now on, from the uptime as it knows it. Raises Unavailable."""
        with self._clock.held(self._lock):
            self._base = self._now()
            self._since = self._clock.monotonic()
            self._counting = True

    def leave(self) -> None:
        """Stop counting here, because another process counts; `follow` goes on from its saves."""
        self._counting = False

    def save(self) -> None:
        """Write the uptime to the database, or adopt what is there if it is more.

        Raises Unavailable.
        """
        with self._clock.held(self._lock):
            mine = self._now()
            row = self._row()
            h = schema.uptime
            if row is not None and row.seconds > mine and self._since is not None:
                mine = self._base = float(row.seconds)
                self._since = self._clock.monotonic()
            values = {"seconds": mine, "noted": Now()}
            write: sa.Insert | sa.Update = sa.insert(h).values(id=ONLY_ROW, **values)
            if row is not None:
                write = sa.update(h).where(h.c.id == ONLY_ROW, h.c.seconds <= mine).values(values)
            try:
                self._store.commit(write)
            except Conflict:  # another process has inserted the row meanwhile
                return

    def follow(self) -> None:
        """Read how far another process has counted; nothing if this one counts.

        Raises Unavailable.
        """
        if self._counting:
            return
        row = self._row()
        with self._clock.held(self._lock):
            self._base = row.seconds if row else 0.0
            self._since = None
            if row and row.age < STANDSTILL_SECONDS:
                self._base += max(0.0, row.age)
                self._since = self._clock.monotonic()

    def as_unix_time(self, due: float) -> float:
        """A moment of uptime as Unix time, in whole seconds.

        The answer for a moment changes only when it has become wrong by more than STEADY_SECONDS.
        """
        with self._clock.held(self._lock):
            ahead = self._clock() - self._now()
            if self._ahead is None or abs(ahead - self._ahead) > STEADY_SECONDS:
                self._ahead = ahead
            return float(round(due + self._ahead))

    def _now(self) -> float:
        if self._base is None:
            row = self._row()
            self._base = 0.0 if row is None else float(row.seconds)
        return self._base + (0.0 if self._since is None else self._clock.monotonic() - self._since)

    def _row(self) -> sa.Row[tuple[float, float]] | None:
        """The saved `seconds`, and `age`: how many seconds ago they were saved."""
        h = schema.uptime.c
        rows = self._store.select(sa.select(h.seconds, (Now() - h.noted).label("age")))
        return rows[0] if rows else None
