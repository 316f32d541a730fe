"""One process among several that share the tables: its sign of life, and its sweep.

News come at once and may be lost; the sweep asks every few seconds for what they did not tell. So
whatever one process has changed all of them show SWEEP seconds later at the latest.
"""

import logging
import secrets
from collections.abc import Callable
from contextlib import suppress

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from diablerie.runtime.background import Background
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.bots.driver import TEMPO
from diablerie.table.cluster.bot_jobs import DEAD, BotJobs
from diablerie.table.cluster.presence_store import KIND, PresenceStore
from diablerie.table.cluster.process_news import ProcessNews
from diablerie.table.cluster.shared_limits import NOW, SharedLimits
from diablerie.table.cluster.shared_uptime import SharedUptime
from diablerie.table.errors import Unavailable
from diablerie.table.node import TABLE, News, TableCache
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Store, Write

log = logging.getLogger(__name__)
SWEEP = 3.0  # seconds
SELDOM = 20  # sweeps between two in which what is old is forgotten
FLUSH = 0.05  # seconds for which looks are gathered before they are written


class ClusterNode:
    """What this process shares with others; a part of its `Tables`, from `start` to `stop`."""

    shared = True

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock = SYSTEM_CLOCK,
        tempo: float = TEMPO,
        threads: int = 0,
    ) -> None:
        """`tempo` is that of the bots, and `threads` how many this process has for them."""
        self.me, self.threads = secrets.token_hex(8), threads
        self.clock = clock
        self._store = store
        self.news = ProcessNews(store, self.me, clock)
        self.looks = PresenceStore(store, self.me, self.clock, self.news)
        self.limits = SharedLimits(store, self.clock)
        self.hours = SharedUptime(store, self.clock)
        self.turns = BotJobs(store, tempo)
        self._tables: TableCache | None = None
        self._swept: list[Callable[[], None]] = []
        self._others: frozenset[str] = frozenset()
        self._count = 0
        self._sweeping = self._every("sweep", self._sweep, "the sweep")
        self._looking = self._every("looks", self.looks.write, "who looks could not be told")
        self.looks.changed = lambda: self._looking.wake(FLUSH)

    def _every(self, name: str, work: Callable[[], float | None], failure: str) -> Background:
        return Background(
            name,
            work,
            self.clock,
            backoff=SWEEP,
            expected=Unavailable,
            failure=failure,
        )

    def join(self, tables: TableCache) -> None:
        """Keep these tables up to date from now on. Called once."""
        self._tables = tables
        self.news.listen(TABLE, tables.refresh)
        self.news.listen(KIND, self._looked)
        self.news.missed(self.catch_up)

    def job_writes(self, before: TableState | None, after: TableState) -> list[Write]:
        """What to write with a change so that a process which plays for bots finds the turn."""
        return self.turns.writes(before, after)

    def tell(self, kind: str, what: str = "") -> None:
        """Tell the other processes some news of this kind. Never waits."""
        self.news.tell(kind, what)

    def listen(self, kind: str, listener: News) -> None:
        """Have a function called with what other processes tell of this kind."""
        self.news.listen(kind, listener)

    def on_missed(self, listener: Callable[[], None]) -> None:
        """Have a function called when news may have been lost."""
        self.news.missed(listener)

    def on_sweep(self, listener: Callable[[], None]) -> None:
        """Have a function called in every sweep, in its thread."""
        self._swept.append(listener)

    def start(self) -> None:
        """Begin: from now on this process gives signs of life. Raises Unavailable."""
        self.news.start()
        self._sweeping.start(SWEEP)
        self._looking.start(FLUSH)
        self.beat()

    def stop(self, timeout: float = 3.0) -> None:
        """End, and say so."""
        for background in (self._sweeping, self._looking):
            background.stop(0.0)
        self.news.stop()
        for background in (self._sweeping, self._looking):
            background.join(timeout)
        try:
            self._gone(schema.processes.c.id == self.me)
        except Unavailable:
            return  # the others will notice

    # -- the sweep -----------------------------------------------------------------------------

    def sweep(self) -> None:
        """A sign of life, and all that the news may not have told. Raises Unavailable."""
        self.beat()
        self.hours.follow()
        self.catch_up()
        for listener in self._swept:
            listener()
        self._count += 1
        if self._count % SELDOM == 1:
            self.looks.forget()
            self.limits.sweep()
            self.looks.read()

    def beat(self) -> None:
        """A sign of life; who has given none for long is dead, and its looks go. And who is new?"""
        p = schema.processes
        sign = insert(p).values(id=self.me, threads=self.threads, beat=NOW)
        sign = sign.on_conflict_do_update(index_elements=[p.c.id], set_={"beat": NOW})
        with self._store.writing() as connection:
            missed = connection.execute(sign.returning(sa.literal_column("xmax = 0"))).scalar()
        if missed:  # the first, or others took this one for dead, or the database has crashed
            self.looks.again()
        others = frozenset(self._store.column(p.c.id)) - {self.me}
        if others != self._others:
            self._others = others
            self.looks.read()
        self._gone(p.c.beat < NOW - 2 * DEAD)

    def remind(self) -> None:
        """Have bots that are due and have no row, of a database from before, among the others."""
        lives = self._tables.lives(self.turns.forgotten()) if self._tables else []
        for live in lives:
            with suppress(Conflict):
                self._store.commit(self.turns.writes(None, live))

    def _gone(self, which: sa.ColumnElement[bool]) -> None:
        """Forget processes, and looks of such as are none."""
        p, k = schema.processes, schema.looks
        with self._store.writing() as connection:
            if connection.execute(sa.delete(p).where(which)).rowcount:
                connection.execute(sa.delete(k).where(k.c.process.not_in(sa.select(p.c.id))))

    def catch_up(self) -> None:
        """Look for tables in memory that others have changed. Raises Unavailable."""
        if self._tables is not None:
            self._tables.catch_up()

    def _looked(self, table: str) -> None:
        """Others say that somebody has come or gone."""
        self.looks.read(table)
        if self._tables is not None:
            self._tables.hub.publish(table)

    def _sweep(self) -> float:
        self.sweep()
        return SWEEP
