"""House time for several processes: one counts and notes it, the others hear how far it is."""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from diablerie.table.cluster.shared_limits import NOW
from diablerie.table.storage import schema
from diablerie.table.storage.uptime_clock import ONE, UptimeClock

STILL = 12.0  # seconds without a note after which it stands still, for nobody counts


class SharedUptime(UptimeClock):
    """Counts in the process that was told to `start`; elsewhere it is followed."""

    counting = False

    def start(self) -> None:
        """Count for all from now on. Raises Unavailable."""
        self.follow()
        super().start()
        self.counting = True

    def leave(self) -> None:
        """Count no more: another process does."""
        self.counting = False

    def save(self) -> None:
        """Note it for the others. Raises Unavailable."""
        with self._lock:
            h = schema.hours
            noted = insert(h).values(id=ONE, seconds=self._now(), noted=NOW)
            furthest = sa.func.greatest(h.c.seconds, noted.excluded.seconds)
            noted = noted.on_conflict_do_update(
                index_elements=[h.c.id], set_={"seconds": furthest, "noted": NOW}
            )
            with self._store.writing() as connection:
                connection.execute(noted)

    def follow(self) -> None:
        """Hear how far it is, unless it is counted here. Raises Unavailable."""
        if self.counting:
            return
        age = NOW - schema.hours.c.noted
        row = self._store.select(sa.select(schema.hours.c.seconds, age.label("age")))
        with self._lock:
            self._base, self._since = (row[0].seconds if row else 0.0), None
            if row and row[0].age < STILL:
                self._base += max(0.0, row[0].age)
                self._since = self._clock.monotonic()
