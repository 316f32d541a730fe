"""Tables that wait for compiled rules or for the database.

When a game's rules are compiled, its full tables start, and the bots of its running tables are
woken. If the database refuses that, it is tried again every few seconds. This also finds tables
that were filled between two writes that belong together, or at the moment when compiling ended.
"""

import logging
import threading
from collections.abc import Callable, Iterable

from diablerie.runtime.background import Background
from diablerie.table.errors import Unavailable
from diablerie.table.state.table_state import RUNNING
from diablerie.table.tables import Tables

log = logging.getLogger(__name__)
WAITING_LOOK_SECONDS = 5.0  # seconds


class WaitingTables(Background):
    """Starts waiting tables: in `compiled`, and every few seconds from `start` to `stop`."""

    def __init__(self, tables: Tables, leads: Callable[[], bool] = lambda: True) -> None:
        """`leads` says whether this process, of those on one database, does it for all."""
        self._tables = tables
        self._leads = leads
        self._compiled: set[str] = set()
        self._asleep: set[str] = set()  # games whose running tables are not woken yet
        self._failed: dict[str, str] = {}  # tables that could not be started, and why
        self._lock = threading.Lock()
        super().__init__("waiting", self._run, tables.clock)

    def start(self, delay: float = WAITING_LOOK_SECONDS) -> None:
        """Begin to look every few seconds."""
        super().start(delay)

    def compiled(self, game: str) -> None:
        """Note that a game's rules are compiled, start its full tables, wake the others.

        Never raises.
        """
        with self._lock:
            self._compiled.add(game)
            self._asleep.add(game)
            self._look([game])

    def look(self) -> None:
        """Start all full tables whose rules are compiled. Never raises."""
        with self._lock:
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
                self._raise_if_unavailable(error)
                failed[table] = str(error)
                if self._failed.get(table) != failed[table]:
                    log.error("table %s could not be started: %s", table, error)
        self._failed = failed

    def _wake(self, game: str) -> None:
        """Tell the listeners of a game's running tables, which they could not read before."""
        if not self._tables.node.plays_bots:  # pages alone have to be told
            for table in self._tables.hub.tables():
                self._tables.hub.publish(table)
            return
        for table in self._tables.store.tables((RUNNING,), game=game):
            try:
                self._tables.tell(self._tables.live(table))
            except Exception as error:  # not to be read: the table's page says why
                self._raise_if_unavailable(error)

    def _raise_if_unavailable(self, error: Exception) -> None:
        """Raise Unavailable if the database takes no writes; else it is one table's problem alone."""
        if isinstance(error, Unavailable):
            self._tables.store.check()

    def _run(self) -> float:
        if self._leads():
            self.look()
        return WAITING_LOOK_SECONDS
