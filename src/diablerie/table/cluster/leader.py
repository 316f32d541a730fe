"""The leader of several processes: the one that holds a lock of the database.

The lock goes with its connection: when the process dies or is cut off, another process gets the
lock at its next sweep.
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from diablerie.table.cluster.process_news import listening
from diablerie.table.node import Leader
from diablerie.table.storage.store import Store

if TYPE_CHECKING:
    from psycopg import Connection

log = logging.getLogger(__name__)
LOCK = 0xD1AB0115


class ElectedLeader(Leader):
    """A process that leads while it holds the lock."""

    def __init__(self, store: Store, begin: Callable[[], None], end: Callable[[], None]) -> None:
        super().__init__(begin, end)
        self._store = store
        self._connection: Connection | None = None  # which holds the lock

    def elect(self) -> None:
        """Become the leader if there is none, or note that this process leads no more.

        Raises Unavailable, and what `begin` and `end` raise.
        """
        if self._connection is None:
            if self._lock():
                self._lead()
            return
        try:
            self._connection.execute("SELECT 1")
        except Exception as error:
            log.warning("another process leads now: %s", " ".join(str(error).split()))
            self.resign()

    def _release(self) -> None:
        connection = self._connection
        self._connection = None
        if connection is not None:
            connection.close()

    def _lock(self) -> bool:
        connection = listening(self._store)
        try:
            row = connection.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,)).fetchone()
        except Exception:
            connection.close()
            raise
        if not (row and row[0]):
            connection.close()
            return False
        self._connection = connection
        return True
