"""The seam between one process and several.

A `Node` is a process that has its database to itself: whatever concerns others does nothing here.
Of several processes on one database each has a `ClusterNode` (`table/cluster/cluster_node.py`), which
overrides every method that has something to do. So `Tables`, the hub, attendance, rate limits,
subscriptions and background jobs ask their node, and say nothing of other processes themselves.
"""

import itertools
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from cachetools import LRUCache

from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.presence.hub import OtherPages
from diablerie.table.presence.rate_limits import Limits
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import rows
from diablerie.table.storage.store import Statement, Store
from diablerie.table.storage.uptime_clock import UptimeClock

TABLE_NEWS = "table"  # the kind of message that says which table was changed
PRESENCE_NEWS = "look"  # the kind that says at which table a page was opened or closed
TABLES_IN_MEMORY = 4096  # tables in memory


class Overtaken(Exception):
    """Somebody else has changed a table first: what was to happen is to be thought over."""


class Memory:
    """The tables that this process keeps in memory."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._cache: LRUCache[str, TableState] = LRUCache(TABLES_IN_MEMORY)
        self._versions = itertools.count(1)

    def get(self, table: str) -> TableState | None:
        """A table, if it is in memory."""
        with self._guard:
            return self._cache.get(table)

    def lives(self, tables: Collection[str] = ()) -> list[TableState]:
        """Those of these tables (none: all) that are in memory."""
        with self._guard:
            wanted = tables or tuple(self._cache)
            return [self._cache[table] for table in wanted if table in self._cache]

    @contextmanager
    def held(self, table: str) -> Iterator[None]:
        """A context in which one thread reads or changes a table, and may `keep` it."""
        yield

    def recalled(self, table: str) -> TableState | None:
        """A table as far as memory helps, within `held`. Raises Unavailable."""
        return self.get(table)

    def keep(self, live: TableState) -> TableState:
        """The table with a new version, kept in memory."""
        fresh = replace(live, version=next(self._versions))
        with self._guard:
            self._cache[fresh.id] = fresh
        return fresh

    def forget(self, table: str) -> None:
        """Forget a table, so that it is read from the database when somebody asks for it."""
        with self._guard:
            self._cache.pop(table, None)

    def outdate(self, table: str) -> None:
        """Forget a table that is no more as it was. Never waits."""
        self.forget(table)


class Leader:
    """Calls `begin` when this process becomes the leader, and `end` when it is no more.

    The leader does what is done once for all, such as turn clocks. A process alone leads from
    `elect` to `resign`.
    """

    def __init__(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._begin = begin
        self._end = end
        self.leads = False

    def elect(self) -> None:
        """Become the leader. Raises what `begin` and `end` raise."""
        if not self.leads:
            self._lead()

    def resign(self) -> None:
        """Lead no more, if this process does: another one may."""
        if self.leads:
            self.leads = False
            self._release()
            self._end()

    def _release(self) -> None:
        """Let another process lead."""

    def _lead(self) -> None:
        self.leads = True
        try:
            self._begin()
        except Exception:
            self.resign()
            raise


class Node:
    """One process, alone on its database."""

    plays_bots = True  # whether a change of a table here is what wakes its bots

    def __init__(self, store: Store, *, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.uptime = UptimeClock(store, clock)
        self.others = OtherPages()
        self.limits = Limits(clock)
        self.memory = Memory()

    def start(self) -> None:
        """Begin to tell the other processes and to hear of them. Raises Unavailable."""

    def stop(self) -> None:
        """End that."""

    def leader(self, begin: Callable[[], None], end: Callable[[], None]) -> Leader:
        """Who does what is done once for all; see `Leader`."""
        return Leader(begin, end)

    def read_anew(
        self,
        refresh: Callable[[str], None],
        publish: Callable[[str], None],
        catch_up: Callable[[], None],
    ) -> None:
        """Have functions called with each table that another process has changed.

        `publish` is for those at which there a page was opened or closed. `catch_up` is called
        every few seconds, and when news may have been lost.
        """

    def queue_bots(self, lives: Callable[[Sequence[str]], list[TableState]]) -> None:
        """Have other processes play for the bots of all tables. Raises Unavailable."""

    def writes(self, before: TableState, after: TableState) -> list[Statement]:
        """What is written when a table changes."""
        return rows.difference(before, after)

    def confirm(self, live: TableState) -> None:
        """Raise Overtaken if another process has changed a table since; else Unavailable."""

    def outdated(self, lives: Sequence[TableState]) -> list[str]:
        """Those of these tables that other processes have changed. Raises Unavailable."""
        return []

    def tell(self, kind: str, what: str = "") -> None:
        """Tell the other processes a message of this kind. Never waits."""
