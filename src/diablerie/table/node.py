"""A process among those that share a database: what `Tables` asks of it.

`AloneNode` is for a process that has its database alone; `cluster_node.ClusterNode` is one of
several. Which of them it is, is decided once, where `Tables` are made.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.presence.attendance import Elsewhere
from diablerie.table.presence.hub import Hub
from diablerie.table.presence.rate_limits import Limits
from diablerie.table.state.table_state import TableState
from diablerie.table.storage.store import Store, Write
from diablerie.table.storage.uptime_clock import UptimeClock

TABLE = "table"  # the kind of news that say which table was changed
News = Callable[[str], None]  # what is called with a table, or whatever else the news say


class TableCache(Protocol):
    """The tables in memory, as a node keeps them up to date."""

    hub: Hub

    def refresh(self, table: str) -> None:
        """Forget a table that another process has changed. Never waits."""

    def catch_up(self, *tables: str) -> None:
        """Forget what other processes have changed, of these tables or of all."""

    def lives(self, tables: Sequence[str]) -> list[TableState]:
        """The tables with these ids that can be read."""


class Node(Protocol):
    """One process, and what it shares with others on the same database."""

    shared: bool  # whether there may be others
    clock: Clock

    @property
    def hours(self) -> UptimeClock:
        """The uptime of the site, in which turn clocks are counted."""

    @property
    def looks(self) -> Elsewhere:
        """Who looks at which table in other processes."""

    @property
    def limits(self) -> Limits:
        """How much each client may ask for."""

    def join(self, tables: TableCache) -> None:
        """Keep these tables up to date from now on. Called once."""

    def job_writes(self, before: TableState | None, after: TableState) -> Sequence[Write]:
        """What to write with a change so that a process which plays for bots finds the turn."""

    def tell(self, kind: str, what: str = "") -> None:
        """Tell the other processes some news of this kind. Never waits."""

    def listen(self, kind: str, listener: News) -> None:
        """Have a function called with what other processes tell of this kind."""

    def on_missed(self, listener: Callable[[], None]) -> None:
        """Have a function called when news may have been lost."""

    def on_sweep(self, listener: Callable[[], None]) -> None:
        """Have a function called every few seconds while there are other processes."""


class AloneNode:
    """A process that has its database alone: it has nobody to tell, and nobody tells it."""

    shared = False

    def __init__(self, store: Store, *, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.hours = UptimeClock(store, clock)
        self.looks = Elsewhere()
        self.limits = Limits(self.clock)

    def join(self, tables: TableCache) -> None:
        """What is in memory is up to date anyway."""

    def job_writes(self, before: TableState | None, after: TableState) -> Sequence[Write]:
        """Nothing: the bots' driver of this process hears of every change."""
        return ()

    def tell(self, kind: str, what: str = "") -> None:
        """Nobody hears of it."""

    def listen(self, kind: str, listener: News) -> None:
        """There is no news."""

    def on_missed(self, listener: Callable[[], None]) -> None:
        """There is no news to be lost."""

    def on_sweep(self, listener: Callable[[], None]) -> None:
        """There are no other processes."""
