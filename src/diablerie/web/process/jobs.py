"""What is done for all tables beside answering: bots, turn clocks, calls, what is swept daily.

A process that has its database alone does all of that. Of several that share one, bots are the
matter of others (`diablerie bots`), and one of these does the rest.
"""

import logging
from collections.abc import Callable

from diablerie.table.authority import Authority
from diablerie.table.bots.deadlines import Deadlines
from diablerie.table.bots.driver import Driver
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.cluster.cluster_node import ClusterNode
from diablerie.table.cluster.leader import Leader, SharedDeadlines
from diablerie.table.errors import Unavailable
from diablerie.web.notifications.scheduler import NotificationScheduler

log = logging.getLogger(__name__)


class LocalJobs:
    """All of it in this process, from `start` to `stop`."""

    ours = True

    def __init__(
        self,
        authority: Authority,
        bell: NotificationScheduler,
        tempo: float,
        sweep: Callable[[], None],
    ) -> None:
        self.driver = Driver(authority, tempo=tempo)
        self.deadlines = Deadlines(authority)
        self.waiting = WaitingTables(authority)
        self._bell, self._sweep = bell, sweep

    def start(self) -> None:
        """Begin."""
        self.driver.start()
        self.deadlines.start()
        self.waiting.start()
        self._bell.start()
        self._sweep()

    def stop(self) -> None:
        """End."""
        self.waiting.stop()
        self.driver.stop()
        self.deadlines.stop()
        self._bell.stop()


class LeaderJobs:
    """Done by one of several processes, which is this one while `ours`."""

    def __init__(
        self,
        authority: Authority,
        bell: NotificationScheduler,
        node: ClusterNode,
        sweep: Callable[[], None],
    ) -> None:
        self._authority, self._bell, self._node, self._sweep = authority, bell, node, sweep
        self._deadlines: SharedDeadlines | None = None
        self._chores = Leader(authority.store, self._begin, self._end)
        self.waiting = WaitingTables(authority, lambda: self.ours)

    @property
    def ours(self) -> bool:
        """Whether this process does them."""
        return self._chores.ours

    def start(self) -> None:
        """Begin to live with the others, and do the chores if nobody does."""
        self._bell.start()
        try:
            self._node.start()
        except Unavailable:
            log.error("the other processes are not heard of yet")
        self._chores.join(self._node)
        self.waiting.start()

    def stop(self) -> None:
        """End; another process does the chores a sweep later."""
        self.waiting.stop()
        self._bell.stop()
        self._node.stop()
        self._chores.leave()

    def _begin(self) -> None:
        self._deadlines = SharedDeadlines(self._authority)
        self._deadlines.start()
        self._bell.lead()
        self._node.remind()
        self._sweep()

    def _end(self) -> None:
        self._bell.follow()
        if self._deadlines:
            self._deadlines.stop()
        self._node.hours.leave()
