"""Batches of jobs for a pool of workers, and a pool of processes of this machine.

A job is any value that says what to do, including its seed: one game of a tournament, or a chunk
of a simulation's games. Its result does not depend on where it runs; `cluster` has the pool on Ray.
"""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, current_process, get_context
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event, Lock
from signal import SIGTERM, Signals
from time import monotonic, perf_counter, sleep
from typing import Any, NamedTuple, Protocol

from diablerie.engine.text import Line, say
from diablerie.lab.running.errors import Artifact, BotFailure, JobStopped, WorkersLost
from diablerie.runtime.child_processes import ctrl_c_blocked, exit_with_parent

UNGUARDED = 79  # the status of a worker that would start workers while it imports the script
POOL_END_SECONDS = 2.0  # seconds that processes of a broken pool have to end
EXIT_LOOK_SECONDS = 0.01  # between two looks at how one has ended
# seconds between two looks whether Ctrl-C has come, while a worker compiles
INTERRUPT_LOOK_SECONDS = 0.2
BATCH_SECONDS = 0.25  # a batch takes about as long: far more than handing it out does
MAX_BATCH = 64  # jobs in one batch
Stop = Callable[[], bool]  # whether a job is to be given up
_work: "Work"
_halt: "Halt"


class Halt(Protocol):
    """An event of a thread or of a process; once it is set, no more jobs begin."""

    def is_set(self) -> bool:
        """Whether it is set."""

    def set(self) -> None:
        """Set it."""


class Work(NamedTuple):
    """What a worker does; it must pickle.

    warm: compiles everything that the jobs need; play: runs one job, and raises BotFailure, or
    JobStopped soon after `stop()` becomes true.
    """

    warm: Callable[[], None]
    play: Callable[[object, Stop], object]


class JobBatch(NamedTuple):
    """The results of a few jobs, a bot's failure if there was one, and the seconds they took."""

    results: list[object]
    failure: tuple[Line, Artifact | None] | None
    seconds: float


def run_batch(work: Work, jobs: Iterable[object], stop: Stop) -> JobBatch:
    """Run jobs one after the other, until `stop()` is true or a bot fails."""
    results: list[object] = []
    began = perf_counter()
    failure = None
    try:
        for job in jobs:
            results.append(work.play(job, stop))
    except JobStopped:
        pass
    except BotFailure as error:
        failure = error.line, error.artifact
    return JobBatch(results, failure, perf_counter() - began)


class WorkerPool:
    """Hands out batches of jobs to workers; a subclass says where the workers are.

    halt: an event; once it is set, the pool hands out no more batches.
    """

    def __init__(self, halt: Halt) -> None:
        self.halt = halt
        self.running: set[Any] = set()  # one handle for each batch under way
        self._size = 1  # jobs in the next batch

    def capacity(self) -> int:
        """How many batches may be under way: one for each worker, and a few that wait."""
        raise NotImplementedError

    def submit(self, jobs: tuple[object, ...]) -> Any:
        """Hand out a batch and return a handle of it."""
        raise NotImplementedError

    def finished(self) -> Iterator[JobBatch]:
        """Wait for batches to end and remove them from `running`. Raises WorkersLost."""
        raise NotImplementedError

    def run(self, jobs: Iterator[object]) -> Generator[object, None, None]:
        """Yield the results as they come. Raises BotFailure after them, and as `finished`."""
        failure = None
        while self._hand_out(jobs):
            for batch in self.finished():
                yield from batch.results
                if batch.results and batch.seconds:
                    fitting = int(BATCH_SECONDS * len(batch.results) / batch.seconds)
                    self._size = max(1, min(MAX_BATCH, fitting))
                if batch.failure:
                    failure = failure or batch.failure
                    self.halt.set()
        if failure:
            raise BotFailure(*failure)

    def _hand_out(self, jobs: Iterator[object]) -> bool:
        """Keep every worker busy; say whether any batch is under way."""
        capacity = self.capacity()
        while not self.halt.is_set() and len(self.running) < capacity:
            batch = tuple(islice(jobs, self._size))
            if not batch:
                break
            self.running.add(self.submit(batch))
        return bool(self.running)


class ProcessPool(WorkerPool):
    """Worker processes of this machine. halt: made by `stop_event`."""

    def __init__(self, work: Work, workers: int, halt: Halt) -> None:
        super().__init__(halt)
        if getattr(current_process(), "_inheriting", False):  # a worker that imports the script
            sys.exit(UNGUARDED)
        self._processes = set[BaseProcess]()
        self._workers = workers
        context = get_context("spawn")
        start = work, halt, context.Lock(), context.Event()
        self._pool = ProcessPoolExecutor(workers, context, _start, start)

    def run(self, jobs: Iterator[object]) -> Generator[object, None, None]:
        """See WorkerPool; yield None first, when a worker has compiled what jobs need.

        Raises WorkersLost if a process dies.
        """
        others = set(active_children())
        try:
            warm = {self._submit(_nothing)}  # done when a worker has started
            while warm and not self.halt.is_set():
                warm = wait(warm, INTERRUPT_LOOK_SECONDS).not_done
            yield None
            yield from super().run(jobs)
        except BrokenProcessPool:
            raise WorkersLost(_why(self._processes)) from None
        finally:
            self._dismiss(set(active_children()) - others)

    def capacity(self) -> int:
        """Two batches for each worker."""
        return 2 * self._workers

    def submit(self, jobs: tuple[object, ...]) -> Any:
        """Hand out a batch, as a future."""
        return self._submit(_batch, jobs)

    def _submit(self, work: Callable[..., object], *given: object) -> Any:
        with ctrl_c_blocked():
            future = self._pool.submit(work, *given)
        self._processes.update(active_children())
        return future

    def finished(self) -> Iterator[JobBatch]:
        """Wait for the first batches to end."""
        done, self.running = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()

    def _dismiss(self, workers: Iterable[BaseProcess]) -> None:
        """End the workers, without waiting for those that still play."""
        if self.running:
            self.halt.set()
            for worker in workers:
                worker.kill()
        self._pool.shutdown(cancel_futures=True)


def _exit_code(process: BaseProcess) -> int | None:
    """How a process has ended, once it has; None if that takes too long."""
    process.join(POOL_END_SECONDS)
    until = monotonic() + POOL_END_SECONDS
    # The pool's own thread may have collected it a moment ago, and not yet have noted its code.
    while process.exitcode is None and monotonic() < until:
        sleep(EXIT_LOOK_SECONDS)
    return process.exitcode


def _why(processes: Iterable[BaseProcess]) -> Line:
    """Why a pool is broken: how the first of its processes has ended that was not told to end."""
    codes = [code for code in map(_exit_code, processes) if code]
    if UNGUARDED in codes:
        return say(
            "worker processes import the script that starts them: "
            "it must start them below “if __name__ == '__main__':”"
        )
    code = next((code for code in codes if code != -SIGTERM), -SIGTERM)
    if code < 0:
        return say("a worker process was ended by {signal}", signal=Signals(-code).name)
    return say("a worker process ended with status {status}", status=code)


def stop_event() -> Event:
    """An event that reaches worker processes."""
    return get_context("spawn").Event()


# -- in the worker process ---------------------------------------------------------------------


def _start(work: Work, halt: Halt, first: Lock, compiled: Event) -> None:
    global _work, _halt
    exit_with_parent()
    _work = work
    _halt = halt
    with first:  # one process compiles what the cache lacks, the others then find it there
        if not compiled.is_set():
            work.warm()
            compiled.set()
            return
    work.warm()


def _nothing() -> None:
    """A first job, which waits until its worker is warm."""


def _batch(jobs: tuple[object, ...]) -> JobBatch:
    batch = run_batch(_work, jobs, _halt.is_set)
    if batch.failure:
        _halt.set()
    return batch
