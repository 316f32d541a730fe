"""What one process does for all: turn clocks, calls, what is swept every day.

Who does it holds a lock of the database, which goes with its connection: when the process dies or
is cut off, another one has the lock a sweep later.
"""

import logging
from collections.abc import Callable
from typing import Any

from diablerie.table.bots.deadlines import Deadlines
from diablerie.table.cluster.cluster_node import SWEEP, ClusterNode
from diablerie.table.storage.store import Store

log = logging.getLogger(__name__)
LOCK = 0xD1AB0115


class Leader:
    """Tries in every sweep to be the one who does them; `begin` and `end` say what it came to."""

    def __init__(self, store: Store, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._store, self._begin, self._end = store, begin, end
        self._held: Any = None

    @property
    def ours(self) -> bool:
        """Whether this process does them."""
        return self._held is not None

    def join(self, node: ClusterNode) -> None:
        """Try now, and in every sweep."""
        node.on_sweep(self.look)
        try:
            self.look()
        except Exception as error:
            log.error("the chores are not begun yet: %s", " ".join(str(error).split()))

    def look(self) -> None:
        """Find out whether the lock is (still) held, or take it if nobody has it."""
        if self._held is None:
            self._try()
            return
        try:
            self._held.execute("SELECT 1")
        except Exception as error:
            log.warning("another process does the chores now: %s", " ".join(str(error).split()))
            self.leave()

    def leave(self) -> None:
        """Do them no more."""
        if self._held is not None:
            held, self._held = self._held, None
            held.close()
            self._end()

    def _try(self) -> None:
        held = self._store.listening()
        try:
            found = held.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,)).fetchone()
        except Exception:
            held.close()
            raise
        if not found[0]:
            held.close()
            return
        self._held = held
        try:
            self._begin()
        except Exception:
            self.leave()
            raise


class SharedDeadlines(Deadlines):
    """Turn clocks of all tables, whoever has changed them: what is due is asked of the database."""

    def start(self) -> None:
        """Begin; house time is counted here from now on."""
        self._background.start()

    def look(self) -> None:
        """Let devils decide wherever time is over by now."""
        for table in self._tables.store.ripe(self._tables.hours.now()):
            self._due[table] = 0.0
        super().look()
        self._due.clear()

    def _begun(self) -> bool:
        if not all(self._tables.ready(game) for game in self._tables.games):
            return False
        self._tables.hours.start()
        return True

    def _rest(self) -> float:
        return SWEEP
