"""Time, clocks and disks of the nodes, and what goes wrong with them, drawn from one seed."""

import math
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import Any

import sqlalchemy as sa

from diablerie.runtime.clock import Clock, Worker
from tests.simulated_clock import SimulatedClock
from tests.storm.shared_file import ServerModel, SharedFile

BEGIN = 1_800_000_000.0  # Unix time at which a simulation begins
WRITES = re.compile(r"\s*(?:WITH .*?)?(?:INSERT INTO|UPDATE|DELETE FROM) \"?(\w+)", re.DOTALL)
BURST = 0.5  # probability that a disk that has failed goes on failing for a moment
UNTRIED = 10.0  # times as often a crash meets what none has met yet
REFUSED = 12.0  # the same for a commit that fails, which costs less time
NEWS = 0.5  # seconds after which a node looks for messages if none has woken it


class Crash(BaseException):
    """The process of a node dies here: nothing that follows is done."""


class Once:
    """Something that happens once, at a time."""

    def __init__(self, due: float, action: Callable[[], None], node: int | None) -> None:
        self.due, self.node, self._action = due, node, action
        self.name = "once"

    def loop(self) -> None:
        """A simulation has no threads."""

    def step(self) -> bool:
        """Let it happen."""
        self.due = math.inf
        self._action()
        return False


class Owned:
    """A background worker of a node: a step that ends with a crash ends the node."""

    def __init__(self, worker: Worker, clock: "NodeClock") -> None:
        self._worker, self._clock = worker, clock
        self.node, self.name = clock.node, f"{worker.name}@{clock.node}"
        self._rested = -math.inf

    @property
    def due(self) -> float:
        """When its next step is due. Who listens for messages is woken by one, or after a while."""
        due = self._worker.due
        if self._worker.name == "news-in" and due > -math.inf and not self._clock.messages():
            return max(due, self._rested + NEWS)
        return due

    def loop(self) -> None:
        """A simulation has no threads."""

    def step(self) -> bool:
        """Take a step of the worker."""
        self._rested = self._clock.timeline.monotonic()
        with self._clock.timeline.does(self.node, self._worker.name):
            return bool(self._clock.alive(self._worker.step))


class Timeline(SimulatedClock):
    """The one time of a simulation, its dice, and the history of what has happened."""

    def __init__(self, seed: int) -> None:
        super().__init__(BEGIN)
        self.random = Random(seed)
        self.history: list[str] = []
        self.nested = False
        self.competes: Callable[[int], bool] = lambda _: False
        self.does: Callable[[int, str], AbstractContextManager[Any]] = lambda *_: nullcontext()

    @property
    def passed(self) -> float:
        """Seconds since the simulation began."""
        return self._now - BEGIN

    def note(self, *words: object) -> None:
        """Write a line of the history."""
        self.history.append(f"{self._now - BEGIN:9.3f} {' '.join(map(str, words))}")

    def later(self, seconds: float, action: Callable[[], None], node: int | None = None) -> None:
        """Have something happen after so many seconds, at a node if one is named."""
        self._workers.append(Once(self._now + seconds, action, node))

    def forget(self, node: int) -> None:
        """Drop what a node was about to do; messages on their way to it stay."""
        gone = [w for w in self._workers if isinstance(w, Owned) and w.node == node]
        for worker in gone:
            self._workers.remove(worker)

    def chance(self, probability: float) -> bool:
        """Whether something of this probability happens now."""
        return self.random.random() < probability

    def interleave(self, node: int) -> None:
        """Between two transactions of a node, let another one do what is due."""
        if self.nested:
            return
        self.nested = True
        try:
            if not self.competes(node):
                self._interleaved(node)
        finally:
            self.nested = False

    def _interleaved(self, node: int) -> None:
        near = [
            worker
            for worker in self._workers
            if worker.due <= self._now + 0.05
            and getattr(worker, "node", None) is not None
            and (getattr(worker, "node", node) != node or worker.name.startswith("news-in"))
        ]
        if near:
            worker = self.random.choice(near)
            if not worker.step() and worker in self._workers:
                self._workers.remove(worker)


class NodeClock(Clock):
    """The clock of one node's machine, which may jump; time itself is the simulation's."""

    threaded = False

    def __init__(self, timeline: Timeline, node: int) -> None:
        self.timeline, self.node, self.offset = timeline, node, 0.0
        self.messages: Callable[[], bool] = lambda: False
        self.alive: Callable[[Callable[[], bool]], bool] = lambda step: step()
        super().__init__(lambda: timeline.monotonic() + self.offset, timeline.monotonic)

    def sleep(self, seconds: float) -> None:
        """Let so many seconds pass."""
        self.timeline.sleep(seconds)

    def run(self, worker: Worker) -> Callable[[float], None]:
        """Have a worker take its steps on the timeline."""
        return self.timeline.run(Owned(worker, self))


class Disk:
    """What goes wrong with the disk and the processes that write to it.

    `rates` are probabilities per transaction, by name: see `Simulation`.
    """

    def __init__(self, timeline: Timeline, rates: dict[str, float]) -> None:
        self.timeline, self.rates = timeline, rates
        self.full, self._broken = False, -math.inf
        # tables of the database, by what is committed now
        self.writing: frozenset[str] = frozenset()
        self.crashed: set[int] = set()  # nodes that are dead, whatever their code still does
        self.committed: Callable[[int, frozenset[str]], None] = lambda *_: None
        self.failed: Callable[[str], None] = lambda _: None
        self.untried: Callable[[str], bool] = lambda _: False  # whether what is done has not met it
        self.wrong: Callable[[str], None] = lambda _: None
        self.eager: Callable[[], float] = lambda: 0.0  # probability that others come between

    def fails(self) -> bool:
        """Whether a commit fails; after one that has failed, all may fail for a moment."""
        if self.timeline.passed <= self._broken:
            return True
        if not self.draws("commit fails"):
            return False
        if self.timeline.chance(BURST):
            self._broken = self.timeline.passed + self.timeline.random.uniform(0.0, 0.6)
        return True

    def mend(self, rates: dict[str, float]) -> None:
        """From now on only these faults happen."""
        self.rates, self.full, self._broken = rates, False, -math.inf

    def draws(self, name: str) -> bool:
        """Whether a fault happens now."""
        rate = self.rates.get(name, 0.0)
        if self.untried(name):
            rate *= REFUSED if name.startswith("commit") else UNTRIED
        happens = self.timeline.chance(rate)
        if happens:
            self.timeline.note("fault:", name)
            self.failed(name)
        return happens


class NodeFile(SharedFile):
    """The store of a node: each transaction may find the disk, or its own process, failing."""

    def __init__(
        self, where: Path, server: ServerModel, disk: Disk, clock: NodeClock, node: int
    ) -> None:
        self.disk, self.node = disk, node
        super().__init__(where, server, clock=clock, busy=0.0, durable=True)
        sa.event.listen(self.engine, "connect", self._connected)
        sa.event.listen(self.engine, "do_connect", self._connecting)
        sa.event.listen(self.engine, "before_cursor_execute", self._writing)
        sa.event.listen(self.engine, "begin", self._beginning)
        self.engine.dispose()

    def _connecting(self, _: Any, __: Any, ___: Any, options: dict[str, Any]) -> None:
        disk, node = self.disk, self.node

        class Connection(sqlite3.Connection):
            """A connection whose commits may fail."""

            written: frozenset[str] = frozenset()  # tables of the database, by this transaction

            def rollback(self) -> None:
                self.written = frozenset()
                super().rollback()

            def commit(self) -> None:
                written, self.written = self.written, frozenset()
                if not self.in_transaction or not written:
                    return super().commit()
                if node in disk.crashed:
                    raise Crash
                disk.writing = written
                if disk.fails():
                    raise sqlite3.OperationalError("disk I/O error")
                if disk.draws("crash before commit"):
                    raise Crash
                super().commit()
                disk.committed(node, written)
                if disk.draws("commit is not confirmed"):
                    raise sqlite3.OperationalError("disk I/O error")
                if disk.draws("crash after commit"):
                    raise Crash
                return None

        options["factory"] = Connection

    def _connected(self, raw: sqlite3.Connection, _: Any) -> None:
        """A node asks for durable commits; the simulation, whose power cuts know, does without."""
        settings = ("synchronous", "foreign_keys", "journal_mode")
        told = [raw.execute(f"PRAGMA {name}").fetchone()[0] for name in settings]
        if told != [2, 1, "wal"]:
            self.disk.wrong(f"connections have {told}")
        raw.execute("PRAGMA synchronous=OFF")

    def _writing(self, _: Any, cursor: Any, statement: str, *__: Any) -> None:
        if written := WRITES.match(statement):
            cursor.connection.written = cursor.connection.written | {written[1]}

    def _beginning(self, connection: sa.Connection) -> None:
        if self.node in self.disk.crashed:
            raise Crash
        full = self.disk.full
        if connection.info.get("full", False) != full:
            pages = 1 if full else 1 << 30  # SQLite takes at least what there is
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
            connection.info["full"] = full

    @contextmanager
    def writing(self, began: float | None = None) -> Iterator[sa.Connection]:
        """A transaction, before which another node may have written something."""
        if self.disk.timeline.chance(self.disk.eager()):
            self.disk.timeline.interleave(self.node)
        with super().writing(began) as connection:
            yield connection
