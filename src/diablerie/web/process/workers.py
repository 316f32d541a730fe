"""A supervisor of several processes: some answer at one address, some let bots play.

They share the tables in PostgreSQL and nothing else. A process that dies is started anew, after
pauses that grow as long as it dies at once. When the supervisor is gone, the processes end.

uvicorn's own supervisor (`Multiprocess`) is not used: it starts a dead process at once for ever,
its processes outlive a supervisor that is killed, and all of them answer.
"""

import ctypes
import logging
import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from ctypes import c_int
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event

from diablerie.runtime.background import exponential_backoff
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.storage.store import Store
from diablerie.web.edges import logs
from diablerie.web.edges.settings import metrics_address

log = logging.getLogger(__name__)
SPAWN = multiprocessing.get_context("spawn")
BOT_THREADS = 2  # for bots, in each process that has any
PROCESS_END_SECONDS = 8.0  # seconds that processes have to end
ALIVE_LOOK_SECONDS = 0.2  # seconds between two looks whether all processes run
QUICK_END_SECONDS = 10.0  # seconds; a process that lives shorter is started after a longer pause
RESTART_SECONDS = 0.5  # until a process is started anew, see `Child`
LONGEST_RESTART_SECONDS = 30.0  # if it has failed often
METRICS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"  # see metrics.py, which is imported when this is set


@dataclass(frozen=True)
class Plan:
    """The parameters of all processes; `tempo` is the bots', in seconds (None: the usual)."""

    host: str
    db: str
    tempo: float | None
    log_level: str
    verbose: bool
    secret: str = ""  # the owner's, see web/people/identity.py


class Child:
    """A process that is started anew when it has died."""

    def __init__(
        self, name: str, work: Callable[..., None], *words: object, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        """The process calls `work` with these `words`."""
        self._name = name
        self._work = work
        self._words = words
        self._clock = clock
        self._failures = 0
        self._since = 0.0
        self.process: BaseProcess | None = None
        self._pipe: Connection | None = None  # closed when this process ends, see `run_child`

    def keep_running(self) -> None:
        """Start the process if it does not run, unless it has died too often lately."""
        if self.process and self.process.is_alive():
            return
        if self.process:
            self._note_death(self.process)
        pause = (
            exponential_backoff(self._failures, RESTART_SECONDS, LONGEST_RESTART_SECONDS)
            if self._failures
            else 0.0
        )
        if self._clock.monotonic() < self._since + pause:
            return
        theirs, self._pipe = SPAWN.Pipe(duplex=False)
        self.process = SPAWN.Process(
            target=run_child, args=(theirs, self._work, *self._words), name=self._name
        )
        self._since = self._clock.monotonic()
        self.process.start()
        theirs.close()

    def _note_death(self, process: BaseProcess) -> None:
        quick = self._clock.monotonic() - self._since < QUICK_END_SECONDS
        self._failures = self._failures + 1 if quick else 0
        log.error("%s has ended with status %s: it is started anew", self._name, process.exitcode)
        process.close()
        self._close_pipe()
        self.process = None
        self._since = self._clock.monotonic() if self._failures else 0.0

    @property
    def steady(self) -> bool:
        """Whether the process runs, and has not died at once when it was started last."""
        if self.process is None or not self.process.is_alive():
            return False
        return not self._failures or self._clock.monotonic() - self._since >= QUICK_END_SECONDS

    def terminate(self) -> None:
        """Tell the process to end, by SIGTERM."""
        if self.process and self.process.is_alive():
            self.process.terminate()

    def join(self, patience: float) -> None:
        """Wait `patience` seconds for the process to end, and kill it if it has not by then."""
        if self.process is None:
            return
        self.process.join(patience)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self._close_pipe()

    def _close_pipe(self) -> None:
        if self._pipe:
            self._pipe.close()


def supervise(
    listening: socket.socket,
    plan: Plan,
    workers: int,
    bots: int,
    ready: Callable[[], None],
    clock: Clock = SYSTEM_CLOCK,
) -> None:
    """Run `workers` that answer and `bots` that let bots play, until interrupted.

    `ready` is called when the first worker answers. Raises ValueError for a database that cannot
    be used.
    """
    with ExitStack() as stack:
        store = stack.enter_context(closing(Store(plan.db)))  # laid out or upgraded, once for all
        first_answer = SPAWN.Event()
        running = SPAWN.RawValue("i", workers + bots)
        gather_metrics(store, stack)
        children = [
            Child(
                f"web-{n + 1}",
                run_web_process,
                plan,
                listening,
                first_answer,
                running,
                workers + bots,
                clock=clock,
            )
            for n in range(workers)
        ]
        children += [
            Child(f"bots-{n + 1}", run_bots_process, plan, BOT_THREADS, clock=clock)
            for n in range(bots)
        ]
        stop = stopping()

        def greet() -> None:
            first_answer.wait()
            ready()

        threading.Thread(target=greet, daemon=True).start()
        while not stop.is_set():
            for child in children:
                child.keep_running()
            running.value = sum(child.steady for child in children)
            alive = [child.process.sentinel for child in children if child.process]
            wait(alive, ALIVE_LOOK_SECONDS) if alive else stop.wait(ALIVE_LOOK_SECONDS)
        for child in children:
            child.terminate()
        until = clock.monotonic() + PROCESS_END_SECONDS
        for child in children:
            child.join(max(0.1, until - clock.monotonic()))
    listening.close()


def stopping() -> threading.Event:
    """An event that is set when this process is told to end, by SIGINT or SIGTERM."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def gather_metrics(store: Store, stack: ExitStack) -> None:
    """Serve the metrics of all processes together, if DIABLERIE_METRICS names a port."""
    if not metrics_address():
        return
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="diablerie-figures-"))
    os.environ[METRICS_VARIABLE] = (
        folder  # before prometheus-client is imported: it looks only then
    )
    stack.callback(os.environ.pop, METRICS_VARIABLE, None)
    from diablerie.table.storage.store import Health
    from diablerie.web.edges.metrics import Gathered

    health = Health(store)
    figures = Gathered(store, health)
    figures.serve_as_told()
    health.start()
    stack.callback(health.stop)
    stack.callback(figures.close)


# -- in a process of its own -------------------------------------------------------------------


def run_child(pipe: Connection, work: Callable[..., None], plan: Plan, *words: object) -> None:
    """Do the work, and be killed when the supervisor is gone, which closes its end of the pipe."""
    end_with_parent(pipe)
    logs.configure(plan.log_level, plan.verbose)
    try:
        work(plan, *words)
    except Exception:
        log.exception("this process ends")
        sys.exit(1)


def run_web_process(
    plan: Plan, listening: socket.socket, ready: Event, running: c_int, of: int
) -> None:
    """Answer browsers until told to end; `ready` is an event that is set when it answers.

    running: how many of all processes run, `of` how many there should be.
    """
    from diablerie.web.edges.network_switch import NetworkSwitch
    from diablerie.web.html.reach import BY_PROCESSES, EVERYWHERE
    from diablerie.web.process.server_process import Server, ServerProcess

    everywhere = plan.host in EVERYWHERE
    network = NetworkSwitch(everywhere=everywhere, fixed=BY_PROCESSES, secret=plan.secret)
    process = ServerProcess(listening, plan.host, plan.db, plan.tempo, network=network)
    process.app.state.processes = lambda: (running.value, of)
    Server(process, ready.set).run([listening])


def run_bots_process(plan: Plan, threads: int) -> None:
    """Let bots play until told to end. Raises ValueError for a database that cannot be used."""
    from diablerie.compiling.rules_compiler import RulesCompiler
    from diablerie.table.authority import Authority
    from diablerie.table.bots.driver import BOT_SECONDS, Driver
    from diablerie.table.cluster.claimed_turns import ClaimedTurns
    from diablerie.table.cluster.cluster_node import ClusterNode
    from diablerie.table.storage.store import Health
    from diablerie.web.process.server_process import metrics_of

    stop = stopping()
    with closing(Store(plan.db)) as store:
        compiler = RulesCompiler()
        tempo = BOT_SECONDS if plan.tempo is None else plan.tempo
        node = ClusterNode(store, tempo=tempo, threads=threads)
        authority = Authority(store, can=compiler.can, node=node)
        bots = Driver(authority, ClaimedTurns(authority, node), workers=threads)
        # Nobody is answered here: what is to be played is claimed from the database.
        figures = metrics_of(authority, Health(store))
        node.start()
        bots.start()
        compiler.start()
        stop.wait()
        compiler.stop()
        bots.stop()
        node.stop()
        if figures:
            figures.close()


def bots_alone(db: str, threads: int, tempo: float | None, log_level: str, verbose: bool) -> None:
    """`diablerie bots`: let bots play in this process, in `threads` threads, until told to end.

    `tempo` is in seconds. Raises ValueError, with a sentence, for a SQLite file or a database that
    cannot be used.
    """
    from diablerie.table.storage import database

    logs.configure(log_level, verbose)
    metrics_address()
    if not database.is_shared(db):
        raise ValueError(
            "bots in processes of their own need PostgreSQL, --db postgresql://…: "
            "with a SQLite file they play in `diablerie serve`"
        )
    print(f"bots play at the tables of {database.named(db)}  (Ctrl-C stops them)", flush=True)
    run_bots_process(Plan("", db, tempo, log_level, verbose), threads)


PR_SET_PDEATHSIG = 1  # of prctl(2)


def end_with_parent(pipe: Connection) -> None:
    """Have this process killed as soon as its parent is gone, so that its port is free.

    On Linux the kernel does it, whatever this process is doing. Elsewhere, and for a parent that
    was gone before this was called, a thread waits for the end of the `pipe` from the parent.
    Nothing that was acknowledged is lost by that.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_await_end, args=(pipe,), daemon=True).start()


def _await_end(pipe: Connection) -> None:
    try:
        pipe.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGKILL)
