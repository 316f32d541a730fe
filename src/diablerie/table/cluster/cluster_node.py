"""One process among several that share the tables: its heartbeat, and its sweep.

Messages of other processes come at once and may be lost; the sweep asks the database every few
seconds for what they did not tell. So whatever one process has changed, all others show it at most
NODE_SWEEP_SECONDS later.
"""

import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from diablerie.runtime.background import Background, Failures
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.bots.driver import BOT_SECONDS
from diablerie.table.cluster.bot_jobs import DEAD_PROCESS_SECONDS, BotJobs
from diablerie.table.cluster.leader import ElectedLeader
from diablerie.table.cluster.presence_store import PresenceStore, SharedPages
from diablerie.table.cluster.process_news import ProcessNews
from diablerie.table.cluster.shared_counts import DatabaseCounts, SharedLimits
from diablerie.table.cluster.shared_memory import SharedMemory
from diablerie.table.errors import Unavailable
from diablerie.table.node import PRESENCE_NEWS, TABLE_NEWS, Node, Overtaken
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import rows, schema
from diablerie.table.storage.database import Now
from diablerie.table.storage.store import Statement, Store

log = logging.getLogger(__name__)
NODE_SWEEP_SECONDS = 3.0  # seconds
SWEEPS_TO_DELETION = 20  # sweeps between two in which old rows are deleted
# seconds for which opened and closed pages are gathered before they are written
FLUSH_SECONDS = 0.05
Listener = Callable[[str], None]  # called with what a message is about: a table, or a name


class ClusterNode(Node):
    """What this process shares with others; a part of its `Tables`, from `start` to `stop`."""

    plays_bots = False  # whoever claims their turns comes back to them

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock = SYSTEM_CLOCK,
        tempo: float = BOT_SECONDS,
        threads: int = 0,
    ) -> None:
        """`tempo` is the bots' (see `table/bots/driver.py`).

        `threads` is how many this process has for them.
        """
        self.me = secrets.token_hex(8)
        self.threads = threads
        self._store = store
        self._counts = DatabaseCounts(store)
        self.jobs = BotJobs(store, tempo)
        self.news = ProcessNews(store, self.me, self.hear, self._missed, clock)
        # A node alone, and in place of what does nothing there what reaches the others.
        super().__init__(store, clock=clock)
        self.limits = SharedLimits(clock, self._counts)
        self.memory = SharedMemory(store)
        others = SharedPages(clock)
        self.others = others
        self.presence = PresenceStore(
            store,
            self.me,
            clock,
            others,
            tell=self.tell,
            changed=lambda: self._writing.wake(FLUSH_SECONDS),
        )
        self.uptime.followed = True
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)
        self.missed: list[Callable[[], None]] = []  # called when messages may have been lost
        self.swept: list[Callable[[], None]] = []  # called at each sweep
        self.listen(PRESENCE_NEWS, self.presence.read)
        self._processes: frozenset[str] = frozenset()
        self._sweeps = 0
        self._sweeping = self._background("sweep", self.sweep, "the sweep")
        self._writing = self._background("looks", self.presence.write, "who looks is not written")

    def writes(self, before: TableState, after: TableState) -> list[Statement]:
        """See `Node.writes`; a turn of a bot that is due is written, too."""
        return [*rows.difference(before, after, shared=True), *self.jobs.writes(before, after)]

    def confirm(self, live: TableState) -> None:
        """See `Node.confirm`. Raises Overtaken, Unavailable."""
        if self.outdated([live]):
            raise Overtaken

    def outdated(self, lives: Sequence[TableState]) -> list[str]:
        """See `Node.outdated`. Raises Unavailable."""
        stamps = self._store.stamps([live.id for live in lives]) if lives else {}
        return [live.id for live in lives if stamps.get(live.id) != live.stamp]

    def tell(self, kind: str, what: str = "") -> None:
        """See `Node.tell`."""
        self.news.tell(kind, what)

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

    def read_anew(self, refresh: Listener, publish: Listener, catch_up: Callable[[], None]) -> None:
        """See `Node.read_anew`."""
        self.listen(TABLE_NEWS, refresh)
        self.listen(PRESENCE_NEWS, publish)
        self.missed.append(catch_up)
        self.swept.append(catch_up)

    def leader(self, begin: Callable[[], None], end: Callable[[], None]) -> ElectedLeader:
        """See `Node.leader`; one of all processes, which is looked for at each sweep."""
        leader = ElectedLeader(self._store, begin, end)
        self.swept.append(leader.elect)
        return leader

    def queue_bots(self, lives: Callable[[Sequence[str]], list[TableState]]) -> None:
        """See `Node.queue_bots`. Raises Unavailable."""
        self.jobs.insert_missing(lives)

    def _background(self, name: str, work: Callable[[], float | None], failure: str) -> Background:
        return Background(
            name,
            work,
            self.clock,
            failures=Failures(backoff=NODE_SWEEP_SECONDS, expected=Unavailable, said=failure),
        )

    def _missed(self) -> None:
        for listener in self.missed:
            listener()

    def start(self) -> None:
        """Begin: from now on this process has a heartbeat. Raises Unavailable."""
        self.news.start()
        self._sweeping.start(NODE_SWEEP_SECONDS)
        self._writing.start(FLUSH_SECONDS)
        self.beat()

    def stop(self, timeout: float = 3.0) -> None:
        """End, and tell the others; waits at most `timeout` seconds for each thread."""
        for background in (self._sweeping, self._writing):
            background.stop(0.0)
        self.news.stop()
        for background in (self._sweeping, self._writing):
            background.join(timeout)
        try:
            self._delete(schema.processes.c.id == self.me)
        except Unavailable:
            return  # the others will notice that there is no heartbeat

    def sweep(self) -> float:
        """Give a heartbeat, and ask for all that messages may not have told. Raises Unavailable.

        Returns the seconds until the next.
        """
        self.beat()
        self.uptime.follow()
        for listener in self.swept:
            listener()
        self._sweeps += 1
        if self._sweeps % SWEEPS_TO_DELETION == 1:
            self.presence.forget()
            self._counts.sweep()
            self.presence.read()
        return NODE_SWEEP_SECONDS

    def beat(self) -> None:
        """Give a heartbeat, look which processes are new, and delete the dead.

        Raises Unavailable.
        """
        p = schema.processes
        sign = insert(p).values(id=self.me, threads=self.threads, beat=Now())
        sign = sign.on_conflict_do_update(index_elements=[p.c.id], set_={"beat": Now()})
        with self._store.writing() as connection:
            is_new = connection.execute(sign.returning(sa.literal_column("xmax = 0"))).scalar()
        if is_new:  # the first, or others took this one for dead, or the database has crashed
            self.presence.write_again()
        processes = frozenset(self._store.column(p.c.id)) - {self.me}
        if processes != self._processes:
            self._processes = processes
            self.presence.read()
        self._delete(p.c.beat < Now() - 2 * DEAD_PROCESS_SECONDS)

    def _delete(self, which: sa.ColumnElement[bool]) -> None:
        """Delete processes, and the open pages of all that are not there."""
        p = schema.processes
        k = schema.presence
        with self._store.writing() as connection:
            if connection.execute(sa.delete(p).where(which)).rowcount:
                connection.execute(sa.delete(k).where(k.c.process.not_in(sa.select(p.c.id))))
