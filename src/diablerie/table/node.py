"""What a process has in common with others on its database.

`Node` alone is for a process that has its database to itself. Of several, each has a
`cluster.cluster_node.ClusterNode`, which gives its `Node` the parts that reach the others.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence

from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.presence.hub import OtherPages
from diablerie.table.presence.rate_limits import Limits, SharedCounts
from diablerie.table.state.table_state import TableState
from diablerie.table.storage.store import Statement, Store
from diablerie.table.storage.uptime_clock import UptimeClock

log = logging.getLogger(__name__)
TABLE_NEWS = "table"  # the kind of message that says which table was changed
PRESENCE_NEWS = "look"  # the kind that says at which table a page was opened or closed
Listener = Callable[[str], None]  # called with what a message is about: a table, or a name
JobWrites = Callable[[TableState | None, TableState], Sequence[Statement]]


class Node:
    """One process, and its messages to and from others on the same database."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock = SYSTEM_CLOCK,
        send: Callable[[str, str], None] | None = None,
        counts: SharedCounts | None = None,
        job_writes: JobWrites = lambda *_: (),
    ) -> None:
        """`send` tells the other processes a message, and `counts` are kept together with them.

        Without `send` there are no others. `job_writes` says what a change of a table also writes,
        so that a process which plays for bots finds their turn.
        """
        self.clock = clock
        self.job_writes = job_writes
        self._send = send
        self.shared = send is not None  # whether there may be other processes
        self.uptime = UptimeClock(store, clock)
        self.others = OtherPages(clock)
        self.limits = Limits(clock, shared=counts)
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)
        self.missed: list[Callable[[], None]] = []  # called when messages may have been lost
        self.swept: list[Callable[[], None]] = []  # called every few seconds if `shared`

    def tell(self, kind: str, what: str = "") -> None:
        """Tell the other processes a message of this kind. Never waits."""
        if self._send:
            self._send(kind, what)

    def listen(self, kind: str, listener: Listener) -> None:
        """Have a function called with each message of this kind; it should not wait."""
        self._listeners[kind].append(listener)

    def hear(self, kind: str, what: str) -> None:
        """Another process has told this: call the listeners."""
        for listener in self._listeners[kind]:
            try:
                listener(what)
            except Exception:  # the other listeners are called all the same
                log.exception("news of %s", kind)
