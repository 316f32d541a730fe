"""Background jobs for all tables: bots, turn clocks, notifications, tables that wait, the sweep.

A process that has its database alone does all of that. Of several that share one, other processes
play for bots (`diablerie bots`), and the leader (`table/cluster/leader.py`) does the rest.
"""

import logging
from collections.abc import Callable

from diablerie.table.authority import Authority
from diablerie.table.bots.deadlines import Deadlines
from diablerie.table.bots.driver import Driver
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.cluster.cluster_node import ClusterNode
from diablerie.table.cluster.leader import Leader
from diablerie.table.errors import Unavailable
from diablerie.web.notifications.scheduler import NotificationScheduler

log = logging.getLogger(__name__)


class BackgroundJobs:
    """Runs the jobs of this process from `start` to `stop`, some of them while it leads."""

    def __init__(
        self,
        authority: Authority,
        scheduler: NotificationScheduler,
        tempo: float,
        sweep: Callable[[], None],
        node: ClusterNode | None = None,
    ) -> None:
        """`tempo` is the bots' (see `turn_queue`); `sweep` is called when this process leads.

        `node` is the authority's, None where this process has the database alone.
        """
        self._authority = authority
        self._scheduler = scheduler
        self._sweep = sweep
        self._node = node
        self._leader = Leader(authority.store, self._begin, self._end)
        self.deadlines = Deadlines(authority, self.leads)
        self.waiting = WaitingTables(authority, self.leads)
        self.driver = None if node else Driver(authority, tempo=tempo)

    def leads(self) -> bool:
        """Whether this process does what one process does for all."""
        return self._leader.leads

    def start(self) -> None:
        """Begin, and become the leader if there is none."""
        if self.driver:
            self.driver.start()
        self.deadlines.start()
        self.waiting.start()
        self._scheduler.start()
        if self._node:
            try:
                self._node.start()
            except Unavailable:
                log.error("the other processes are not heard of yet")
            self._node.swept.append(self._leader.elect)
        try:
            self._leader.elect()
        except Exception as error:
            log.error("there is no leader yet: %s", " ".join(str(error).split()))

    def stop(self) -> None:
        """End; another process leads a sweep later."""
        self.waiting.stop()
        if self.driver:
            self.driver.stop()
        self.deadlines.stop()
        self._scheduler.stop()
        if self._node:
            self._node.stop()
        self._leader.resign()

    def _begin(self) -> None:
        self.deadlines.wake()
        if self._node:
            self._scheduler.lead()
            self._node.jobs.insert_missing(self._authority)
        self._sweep()

    def _end(self) -> None:
        self.deadlines.wake()
        if self._node:
            self._scheduler.follow()
