"""The leader: the one process that does what is done once for all, such as turn clocks.

A process that has its database alone leads. Of several, that one leads which holds a lock of the
database, which goes with its connection: when the process dies or is cut off, another process gets
the lock at its next sweep.
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from diablerie.table.storage.store import Store

if TYPE_CHECKING:
    from psycopg import Connection

log = logging.getLogger(__name__)
LOCK = 0xD1AB0115


class Leader:
    """Calls `begin` when this process becomes the leader, and `end` when it is no more."""

    def __init__(self, store: Store, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._store = store
        self._begin = begin
        self._end = end
        self.leads = False
        self._connection: Connection | None = None  # which holds the lock

    def elect(self) -> None:
        """Become the leader if there is none, or note that this process leads no more.

        Raises Unavailable, and what `begin` and `end` raise.
        """
        if not self.leads:
            self._try()
        elif self._connection is not None:
            try:
                self._connection.execute("SELECT 1")
            except Exception as error:
                log.warning("another process leads now: %s", " ".join(str(error).split()))
                self.resign()

    def resign(self) -> None:
        """Lead no more, if this process does: another one may."""
        if not self.leads:
            return
        self.leads = False
        connection = self._connection
        self._connection = None
        if connection is not None:
            connection.close()
        self._end()

    def _try(self) -> None:
        if self._store.shared and not self._lock():
            return
        self.leads = True
        try:
            self._begin()
        except Exception:
            self.resign()
            raise

    def _lock(self) -> bool:
        connection = self._store.listening()
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
