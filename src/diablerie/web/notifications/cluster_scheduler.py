"""The scheduler of notifications where several processes share the tables: the leader alone sends."""

from diablerie.table.authority import Authority
from diablerie.table.cluster.cluster_node import ClusterNode
from diablerie.table.commands.subscriptions import CALLS
from diablerie.table.outbound import Courier
from diablerie.table.state.visitors import Visitor
from diablerie.web.notifications.messages import Keys
from diablerie.web.notifications.scheduler import WEBHOOK_DELAY_SECONDS, Key, NotificationScheduler

DUE_NEWS = "call"  # the news by which other processes tell the leader who is to be notified


class ClusterScheduler(NotificationScheduler):
    """One of several schedulers: as leader it sends for all, else it tells the leader who is due."""

    def __init__(
        self,
        authority: Authority,
        node: ClusterNode,
        keys: Keys,
        courier: Courier | None = None,
        window: float = WEBHOOK_DELAY_SECONDS,
    ) -> None:
        super().__init__(authority, keys, courier, window)
        self._node = node
        self._known: set[str] = set()  # visitors with a subscription at the last look
        self.leading = False  # see `lead`

    def listen(self) -> None:
        """See `NotificationScheduler.listen`; and to what the other processes tell."""
        super().listen()
        self._node.listen(CALLS, lambda _: self._renew())
        self._node.listen(DUE_NEWS, self._asked)
        self._node.missed.append(self._anew)
        self._node.swept.append(self._renew)

    def lead(self) -> None:
        """Become the leader: send the notifications of all processes."""
        self.leading = True
        self._renew()
        self._anew()

    def follow(self) -> None:
        """Another process is the leader: stop sending, and tell it who is to be notified."""
        self.leading = False
        with self._lock:
            self._due.clear()

    def _asked(self, key: str) -> None:
        kind, _, name = key.partition(" ")
        if self.leading:
            self._later((kind, name), self._window)

    def _anew(self) -> None:
        """As leader look at every subscription: none is known yet, or news of them may be lost."""
        if self.leading:
            super()._anew()

    def _renew(self) -> None:
        """Read again who has subscribed, and who was notified already: other processes change it."""
        self._subscriptions.stale()
        self._notified = self._subscriptions.notified()
        fresh = self._subscriptions.owners() - self._known
        self._known |= fresh
        for owner in fresh if self.leading else ():
            self._later(("push", owner), self._window)

    def _later(self, key: Key, seconds: float) -> None:
        if self.leading:
            super()._later(key, seconds)
        else:
            self._node.tell(DUE_NEWS, " ".join(key))

    def _call(self, visitor: Visitor) -> None:
        if self.leading:
            super()._call(visitor)
