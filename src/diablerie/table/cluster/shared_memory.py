"""The tables in this process's memory, where other processes change them, too."""

from collections.abc import Iterator
from contextlib import contextmanager

from cachetools import LRUCache

from diablerie.table.node import TABLES_IN_MEMORY, Memory
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import rows
from diablerie.table.storage.store import Store

TABLES_HEARD = 20_000  # tables whose changes by other processes are counted


class SharedMemory(Memory):
    """Counts the news of each table, and keeps no state that was read before the last of them.

    A table that another process has changed is read on from where it was, if that is enough.
    """

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._old: LRUCache[str, TableState] = LRUCache(TABLES_IN_MEMORY)  # changed since
        self._news: LRUCache[str, int] = LRUCache(TABLES_HEARD)  # of others' changes, by table
        self._heard: dict[str, int] = {}  # `_news` when a table was begun to be held

    @contextmanager
    def held(self, table: str) -> Iterator[None]:
        """See `Memory.held`; one thread at a time holds a table."""
        with self._guard:
            self._heard[table] = self._news.get(table, 0)
        try:
            yield
        finally:
            with self._guard:
                del self._heard[table]

    def recalled(self, table: str) -> TableState | None:
        """See `Memory.recalled`: from memory, or read on from an old state."""
        with self._guard:
            if table in self._cache:
                return self._cache[table]
            old = self._old.pop(table, None)
        stored = old and self._store.load(table, *old.stamp[1:])
        known = rows.further(old, stored) if old and stored else None
        return known and self.keep(known)

    def keep(self, live: TableState) -> TableState:
        """See `Memory.keep`; not kept if another process has told of a change since `held`."""
        fresh = super().keep(live)
        with self._guard:
            if self._news.get(fresh.id, 0) != self._heard.get(fresh.id, 0):
                self._cache.pop(fresh.id, None)
        return fresh

    def forget(self, table: str) -> None:
        """See `Memory.forget`; nothing is read on from an old state."""
        with self._guard:
            self._cache.pop(table, None)
            self._old.pop(table, None)

    def outdate(self, table: str) -> None:
        """See `Memory.outdate`; called when another process has told of a change. Never waits."""
        with self._guard:
            self._news[table] = self._news.get(table, 0) + 1
            if old := self._cache.pop(table, None):
                self._old[table] = old
