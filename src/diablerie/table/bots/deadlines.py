"""Deadlines: background work that lets a bot decide where somebody's time is over.

The deadlines stand in the database, in seconds of uptime, so nothing has to be remembered over a
restart.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from diablerie.runtime.background import Background, Failures
from diablerie.table.errors import NotFound, Unavailable, UnreadableTable
from diablerie.table.state import turn_clock
from diablerie.table.state.table_state import TableState
from diablerie.table.tables import Tables

DEADLINE_RETRY_SECONDS = 5.0  # seconds after a failure
# seconds between two looks at the database, and two saves of the uptime
DEADLINE_LOOK_SECONDS = 5.0


class Deadlines(Background):
    """Watches the turn clocks of all tables, from `start` to `stop`, which saves the uptime.

    `wake` has it look soon whether this process leads, and which time is over.
    """

    def __init__(self, tables: Tables, leads: Callable[[], bool] = lambda: True) -> None:
        """`leads` says whether this process, of those on one database, does it for all."""
        self._tables = tables
        self._leads = leads
        self._counting = False
        super().__init__(
            "deadlines",
            self._run,
            tables.clock,
            failures=Failures(
                backoff=DEADLINE_RETRY_SECONDS, expected=Unavailable, said="turn clocks"
            ),
            cleanup=self._leave,
        )

    def start(self, delay: float = 0.0) -> None:
        """Begin, with the turn clocks that run already."""
        self._tables.listen(self._changed)
        super().start(delay)

    def _changed(self, live: TableState) -> None:
        if live.pace:
            self.wake()

    def look(self) -> None:
        """Let bots decide wherever time is over by now. Raises Unavailable."""
        now = self._tables.uptime.now()
        for table in self._tables.store.overdue(now):
            with suppress(NotFound, UnreadableTable):
                for seat in turn_clock.late(self._tables.live(table), now):
                    self._tables.change(table, partial(self._overrun, seat, now))

    def _overrun(self, seat: int, now: float, live: TableState) -> TableState:
        return turn_clock.overrun(live, seat, now, self._tables.clock(), secrets.randbits(62))

    def _run(self) -> float | None:
        """Begin, look or leave; returns the seconds until there is something to do."""
        if not self._leads():
            self._leave()
            return DEADLINE_LOOK_SECONDS
        if not self._counting:
            self._tables.uptime.start()
            self._counting = True
            return 0.0
        self.look()
        return self._save()

    def _save(self) -> float | None:
        """Save the uptime if it counts; seconds until the next look, None while no clock runs."""
        next_due = self._tables.store.next_due(now := self._tables.uptime.now())
        if next_due is None and not self._tables.uptime.followed:
            return None
        self._tables.uptime.save()
        return (
            DEADLINE_LOOK_SECONDS
            if next_due is None
            else max(0.0, min(DEADLINE_LOOK_SECONDS, next_due - now))
        )

    def _leave(self) -> None:
        if self._counting:
            self._counting = False
            self._tables.uptime.leave()
            self._save()
