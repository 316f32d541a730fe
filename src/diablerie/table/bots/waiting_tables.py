"""Tables that wait: full ones for their rules or the database, running ones for their rules.

When a game's rules are compiled its full tables start, and the bots of its running ones are woken.
What the database refuses then is tried again every few seconds. Those seconds also find the tables
that were filled while nobody looked: between two writes that belong together, or at the very
moment at which compiling ended.
"""

import logging
import threading
from collections.abc import Callable, Iterable

from diablerie.runtime.background import Background
from diablerie.table.errors import Unavailable
from diablerie.table.state.table_state import RUNNING
from diablerie.table.tables import Tables

log = logging.getLogger(__name__)
EVERY = 5.0  # seconds


class WaitingTables:
    """Starts what waits: at once when it is told of compiled rules, and from `start` to `stop`."""

    def __init__(self, tables: Tables, ours: Callable[[], bool] = lambda: True) -> None:
        """`ours` says whether this process, of several, looks after the tables of all."""
        self._tables, self._ours = tables, ours
        self._compiled: set[str] = set()
        self._asleep: set[str] = set()  # games whose running tables are not woken yet
        self._failed: dict[str, str] = {}  # tables that could not be started, and why
        self._looking = threading.Lock()
        self._background = Background("waiting", self._run, tables.clock)

    def start(self) -> None:
        """Begin to look every few seconds."""
        self._background.start(EVERY)

    def stop(self, timeout: float = 3.0) -> None:
        """Look no more."""
        self._background.stop(timeout)

    def compiled(self, game: str) -> None:
        """A game's rules are compiled: start its full tables, wake the others. Never raises."""
        with self._looking:
            self._compiled.add(game)
            self._asleep.add(game)
            self._look([game])

    def look(self) -> None:
        """Start all full tables whose rules are compiled. Never raises."""
        with self._looking:
            self._look(self._compiled)

    def _look(self, games: Iterable[str]) -> None:
        try:
            self._start(games)
            for game in sorted(self._asleep):
                self._wake(game)
                self._asleep.discard(game)
        except Unavailable:
            return  # the store has logged why, and it is tried again
        except Exception:
            log.exception("the tables that wait could not be looked for")

    def _start(self, games: Iterable[str]) -> None:
        """Start the full tables of these games. Raises Unavailable; then some still wait."""
        failed: dict[str, str] = {}
        for table in self._tables.store.full(sorted(games)):
            try:
                self._tables.change(table, self._tables.started)
            except Exception as error:
                self._only_there(error)
                failed[table] = str(error)
                if self._failed.get(table) != failed[table]:
                    log.error("table %s could not be started: %s", table, error)
        self._failed = failed

    def _wake(self, game: str) -> None:
        """Have those hear of a game's running tables who could not read them before."""
        if self._tables.node.shared:  # whoever claims bots' turns comes back to those of this game
            for table in self._tables.hub.tables():
                self._tables.hub.publish(table)
            return
        for table in self._tables.store.tables((RUNNING,), game=game):
            try:
                self._tables.tell(self._tables.live(table))
            except Exception as error:  # not to be read: the table's page says why
                self._only_there(error)

    def _only_there(self, error: Exception) -> None:
        """Go on, for this was one table's problem alone, unless the database takes no writes.

        Raises Unavailable.
        """
        if isinstance(error, Unavailable):
            self._tables.store.check()

    def _run(self) -> float:
        if self._ours():
            self.look()
        return EVERY
