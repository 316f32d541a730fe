"""Full tables that wait for the database.

Tables begin as soon as they are full. If the database refuses that, it is tried again every few
seconds. This also finds tables that were filled between two writes that belong together.
"""

import logging
import threading
from collections.abc import Callable

from diablerie.runtime.background import Background
from diablerie.table.errors import Unavailable
from diablerie.table.tables import Tables

log = logging.getLogger(__name__)
WAITING_LOOK_SECONDS = 5.0  # seconds


class WaitingTables(Background):
    """Starts waiting tables, every few seconds from `start` to `stop`."""

    def __init__(self, tables: Tables, leads: Callable[[], bool] = lambda: True) -> None:
        """`leads` says whether this process, of those on one database, does it for all."""
        self._tables = tables
        self._leads = leads
        self._failed: dict[str, str] = {}  # tables that could not be started, and why
        self._lock = threading.Lock()
        super().__init__("waiting", self._run, tables.clock)

    def look(self) -> None:
        """Start all full tables. Never raises."""
        with self._lock:
            try:
                self._start()
            except Unavailable:
                return  # the store has logged why, and it is tried again
            except Exception:
                log.exception("the tables that wait could not be looked for")

    def _start(self) -> None:
        """Start the full tables. Raises Unavailable; then some still wait."""
        failed: dict[str, str] = {}
        for table in self._tables.store.full(sorted(self._tables.games)):
            try:
                self._tables.change(table, self._tables.started)
            except Exception as error:
                self._raise_if_unavailable(error)
                failed[table] = str(error)
                if self._failed.get(table) != failed[table]:
                    log.error("table %s could not be started: %s", table, error)
        self._failed = failed

    def _raise_if_unavailable(self, error: Exception) -> None:
        """Raise Unavailable if the database takes no writes; else it is one table's problem alone."""
        if isinstance(error, Unavailable):
            self._tables.store.check()

    def _run(self) -> float:
        if self._leads():
            self.look()
        return WAITING_LOOK_SECONDS
