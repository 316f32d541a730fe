"""Deadlines: background work that lets a devil decide where somebody's time is over.

What is due stands in the database, so a restart only has to look there. House time begins when
the rules of all games are compiled, for before that nobody can play.
"""

import secrets
import threading

from diablerie.runtime.background import Background
from diablerie.table.errors import NotFound, Preparing, Unavailable, UnreadableTable
from diablerie.table.state import turn_clock
from diablerie.table.state.table_state import TableState
from diablerie.table.storage.uptime_clock import EVERY
from diablerie.table.tables import Tables

GONE = (NotFound, Preparing, UnreadableTable)
RETRY = 5.0  # seconds after a failure


class Deadlines:
    """Watches over the turn clocks of all tables, from `start` to `stop`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._due: dict[str, float] = {}  # house time, by table
        self._lock = threading.Lock()
        self._started = False
        self._background = Background(
            "deadlines",
            self._run,
            tables.clock,
            backoff=RETRY,
            expected=Unavailable,
            failure="turn clocks",
            cleanup=self._farewell,
        )

    def start(self) -> None:
        """Begin, with all clocks that run already."""
        self._tables.listen(self.poke)
        self._background.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End, and note house time."""
        self._background.stop(timeout)

    def poke(self, live: TableState) -> None:
        """Look whether somebody's clock runs at this table; from any thread, never waits."""
        due = min((info.due for info in live.seats if info.due), default=0.0)
        with self._lock:
            if due == self._due.get(live.id, 0.0):
                return
            self._due[live.id] = due
            if not due:
                del self._due[live.id]
        self._background.wake()

    def look(self) -> None:
        """Let devils decide wherever time is over by now."""
        now = self._tables.hours.now()
        with self._lock:
            ripe = [table for table, due in self._due.items() if due <= now]
        for table in ripe:
            try:
                self._expire(table, now)
            except GONE:
                with self._lock:
                    self._due.pop(table, None)

    def _expire(self, table: str, now: float) -> None:
        for seat in turn_clock.late(self._tables.live(table), now):
            self._tables.change(table, lambda live, seat=seat: self._overrun(live, seat, now))  # type: ignore[misc]
        self.poke(self._tables.live(table))

    def _overrun(self, live: TableState, seat: int, now: float) -> TableState:
        return turn_clock.overrun(live, seat, now, self._tables.clock(), secrets.randbits(62))

    def _run(self) -> float | None:
        """Look once, or begin; the seconds until there is something to do."""
        if not self._started:
            self._started = self._begun()
        else:
            self.look()
            self._tables.hours.save()
        return self._rest() if self._started else RETRY

    def _begun(self) -> bool:
        """Whether house time goes on, and all clocks are known."""
        if not all(self._tables.ready(game) for game in self._tables.games):
            return False
        self._tables.hours.start()
        for live in self._tables.lives(self._tables.store.clocked()):
            self.poke(live)
        return True

    def _rest(self) -> float | None:
        """Seconds until there is something to do; None while no clock runs."""
        if not self._due:
            return None
        with self._lock:
            soonest = min(self._due.values())
        return max(0.0, min(EVERY, soonest - self._tables.hours.now()))

    def _farewell(self) -> None:
        if self._started and self._due:
            self._tables.hours.save()
