"""Several processes for one address: some answer, some let bots play, one looks after them.

All of them share the tables in PostgreSQL and nothing else; each that dies is started anew, after
pauses that grow as long as it dies at once. When the one that looks after them is gone they end.
"""

import logging
import multiprocessing
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from diablerie.runtime.background import exponential_backoff
from diablerie.table.storage.store import Store
from diablerie.web.edges import logs

log = logging.getLogger(__name__)
SPAWN = multiprocessing.get_context("spawn")
THREADS = 2  # for bots, in each process that has any
PATIENCE = 8.0  # seconds that processes have to end
QUICK = 10.0  # seconds; who lives shorter is started after a longer pause
PAUSE, LONGEST = 0.5, 30.0
FIGURES = "PROMETHEUS_MULTIPROC_DIR"  # see metrics.py, which is imported when this is set


@dataclass(frozen=True)
class Plan:
    """What all processes are told."""

    host: str
    db: str
    tempo: float | None
    log_level: str
    verbose: bool


class Child:
    """A process that is to run, and is started anew when it has died."""

    def __init__(self, name: str, work: Callable[..., None], *words: Any) -> None:
        self._name, self._work, self._words = name, work, words
        self._failures, self._since = 0, 0.0
        self.process: BaseProcess | None = None
        self._line: Connection | None = None

    def look(self) -> None:
        """Start it if it does not run, unless it has died too often lately."""
        if self.process and self.process.is_alive():
            return
        if self.process:
            self._mourn(self.process)
        if time.monotonic() < self._since + self._pause():
            return
        theirs, self._line = SPAWN.Pipe(duplex=False)
        self.process = SPAWN.Process(
            target=lasting, args=(theirs, self._work, *self._words), name=self._name
        )
        self._since = time.monotonic()
        self.process.start()
        theirs.close()

    def _mourn(self, process: BaseProcess) -> None:
        quick = time.monotonic() - self._since < QUICK
        self._failures = self._failures + 1 if quick else 0
        log.error("%s has ended with status %s: it is started anew", self._name, process.exitcode)
        process.close()
        self.process = None
        self._since = time.monotonic() if self._failures else 0.0

    def _pause(self) -> float:
        return exponential_backoff(self._failures, PAUSE, LONGEST) if self._failures else 0.0

    def end(self) -> None:
        """Tell it to end."""
        if self.process and self.process.is_alive():
            self.process.terminate()

    def ended(self, patience: float) -> None:
        """Wait until it has, and kill it if it has not by then."""
        if self.process is None:
            return
        self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        if self._line:
            self._line.close()


def run_workers(
    listening: socket.socket, plan: Plan, workers: int, bots: int, ready: Callable[[], None]
) -> None:
    """Run them until interrupted. Raises ValueError for a database that cannot be used."""
    with ExitStack() as stack:
        store = stack.enter_context(closing(Store(plan.db)))  # laid out or upgraded, once for all
        answers = SPAWN.Event()
        figures_of(store, stack)
        children = [
            Child(f"web-{n + 1}", answering, plan, listening, answers) for n in range(workers)
        ]
        children += [Child(f"bots-{n + 1}", run_bots_process, plan, THREADS) for n in range(bots)]
        stop = stopping()

        def greet() -> None:
            answers.wait()
            ready()

        threading.Thread(target=greet, daemon=True).start()
        while not stop.is_set():
            for child in children:
                child.look()
            alive = [child.process.sentinel for child in children if child.process]
            wait(alive, 0.2) if alive else stop.wait(0.2)
        for child in children:
            child.end()
        until = time.monotonic() + PATIENCE
        for child in children:
            child.ended(max(0.1, until - time.monotonic()))
    listening.close()


def stopping() -> threading.Event:
    """What is set when this process is told to end."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def figures_of(store: Store, stack: ExitStack) -> None:
    """Have the processes' figures gathered, and told at the port DIABLERIE_METRICS."""
    if not os.environ.get("DIABLERIE_METRICS"):
        return
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="diablerie-figures-"))
    os.environ[FIGURES] = folder  # before prometheus-client is imported: it looks only then
    stack.callback(os.environ.pop, FIGURES, None)
    from diablerie.table.storage.health import Health
    from diablerie.web.edges.metrics import Gathered

    health = Health(store)
    figures = Gathered(store, health)
    figures.serve_as_told()
    health.start()
    stack.callback(health.stop)
    stack.callback(figures.close)


# -- in a process of its own -------------------------------------------------------------------


def lasting(line: Connection, work: Callable[..., None], plan: Plan, *words: Any) -> None:
    """Do the work for as long as whoever started this lives."""
    logs.configure(plan.log_level, plan.verbose)
    threading.Thread(target=_outlived, args=(line,), daemon=True).start()
    work(plan, *words)


def _outlived(line: Connection) -> None:
    try:
        line.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)


def answering(plan: Plan, listening: socket.socket, answers: Any) -> None:
    """Answer browsers until told to end."""
    from diablerie.web.process.server_process import Server, ServerProcess

    Server(ServerProcess(listening, plan.host, plan.db, plan.tempo), answers.set).run([listening])


def run_bots_process(plan: Plan, threads: int) -> None:
    """Let bots play until told to end. Raises ValueError for a database that cannot be used."""
    from diablerie.table.authority import Authority
    from diablerie.table.bots.compile_rules import RulesCompiler
    from diablerie.table.bots.driver import Driver
    from diablerie.table.bots.turn_queue import TEMPO
    from diablerie.table.cluster.claimed_turns import ClaimedTurns
    from diablerie.table.cluster.cluster_node import ClusterNode
    from diablerie.table.storage.health import Health
    from diablerie.web.process.server_process import metrics_of

    stop = stopping()
    with closing(Store(plan.db)) as store:
        warm = RulesCompiler()
        tempo = TEMPO if plan.tempo is None else plan.tempo
        node = ClusterNode(store, tempo=tempo, threads=threads)
        authority = Authority(store, ready=warm.ready, node=node)
        bots = Driver(authority, ClaimedTurns(authority, node), workers=threads)
        figures = metrics_of(authority, Health(store))
        node.start()
        bots.start()
        warm.start(lambda _: None)
        stop.wait()
        warm.stop()
        bots.stop()
        node.stop()
        if figures:
            figures.close()


def bots_alone(db: str, threads: int, tempo: float | None, log_level: str, verbose: bool) -> None:
    """`diablerie bots`. Raises ValueError, with a sentence, for a file or what cannot be used."""
    from diablerie.table.storage import database

    logs.configure(log_level, verbose)
    if not database.is_shared(db):
        raise ValueError(
            "bots in processes of their own need PostgreSQL, --db postgresql://…: "
            "with a SQLite file they play in `diablerie serve`"
        )
    print(f"bots play at the tables of {database.named(db)}  (Ctrl-C stops them)", flush=True)
    run_bots_process(Plan("", db, tempo, log_level, verbose), threads)
