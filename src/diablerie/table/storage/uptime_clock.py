"""House time: the seconds for which a server has run on this database, all runs together.

Turn clocks count in it. It stands still while no server runs, and does not depend on the
machine's clock. After a crash it may have lost up to EVERY seconds.
"""

import threading

import sqlalchemy as sa

from diablerie.runtime.clock import Clock
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Store, Write

EVERY = 5.0  # seconds between two times that it is saved, while a turn clock runs
STEADY = 2.0  # seconds by which a deadline that people see may be wrong before it changes
ONE = 1  # id of the only row of `hours`


class UptimeClock:
    """Stands still until `start`. Several processes on one database count together."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._lock = threading.Lock()
        self._base: float | None = None  # house time when it started, or was last read
        self._since: float | None = None  # that moment by the monotonic clock; None: stopped
        self._ahead: float | None = None  # Unix time minus house time, as last shown to people

    def now(self) -> float:
        """House time now. Raises Unavailable."""
        with self._lock:
            return self._now()

    def start(self) -> None:
        """Go on from where it stood. Raises Unavailable."""
        with self._lock:
            self._base = self._now()
            self._since = self._clock.monotonic()

    def save(self) -> None:
        """Note it in the database, and hear how far other processes are. Raises Unavailable."""
        with self._lock:
            mine, stored = self._now(), self._stored()
            if stored is None:
                self._write(sa.insert(schema.hours).values(id=ONE, seconds=mine))
            elif stored < mine:
                h = schema.hours
                self._write(sa.update(h).where(h.c.id == ONE).values(seconds=mine))
            elif self._since is not None:
                self._base, self._since = stored, self._clock.monotonic()

    def told(self, due: float) -> float:
        """A moment of house time as Unix time, in whole seconds: the same as long as it is true."""
        with self._lock:
            ahead = self._clock() - self._now()
            if self._ahead is None or abs(ahead - self._ahead) > STEADY:
                self._ahead = ahead
            return float(round(due + self._ahead))

    def _now(self) -> float:
        if self._base is None:
            self._base = self._stored() or 0.0
        return self._base + (0.0 if self._since is None else self._clock.monotonic() - self._since)

    def _stored(self) -> float | None:
        row = self._store.row(schema.hours, "id", ONE)
        return None if row is None else float(row.seconds)

    def _write(self, statement: sa.Insert | sa.Update) -> None:
        try:
            self._store.commit([Write(statement)])
        except Conflict:  # another process was first
            return
