"""Jobs in processes of this machine, or in this process alone."""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import active_children, get_context
from multiprocessing.synchronize import Event, Lock
from typing import Any

from diablerie.engine.text import say
from diablerie.lab.running.batches import Job, JobBatch, Outcome, Worker, WorkerPool, run_batch
from diablerie.lab.running.errors import JobStopped, WorkersLost
from diablerie.runtime.child_processes import ctrl_c_blocked, exit_with_parent

LOOK = 0.2  # seconds between two looks whether Ctrl-C has come, while a worker compiles
_worker: Worker[Any, Any]
_halt: Event


def run_in_processes(
    make: Callable[[], Worker[Job, Outcome]],
    jobs: Iterable[Job],
    workers: int = 1,
    halt: Any = None,
) -> Generator[Outcome | None, None, None]:
    """Yield None when a worker has compiled what jobs need, then the results of the jobs as they come.

    It ends when the event `halt` is set. make: makes the worker, anew in every process, so it must
    pickle. workers: 1 runs the jobs in this process. Raises BotFailure after the results that are
    there already, WorkersLost if a process dies.
    """
    if workers == 1:
        return _run_here(make(), jobs, halt or threading.Event())
    return ProcessPool(make, workers, halt or stop_event(workers)).run(iter(jobs))


def stop_event(workers: int) -> Any:
    """An event that reaches that many workers."""
    return threading.Event() if workers == 1 else get_context("spawn").Event()


def _run_here(
    worker: Worker[Job, Outcome], jobs: Iterable[Job], halt: threading.Event
) -> Generator[Outcome | None, None, None]:
    worker.warm()
    yield None
    with suppress(JobStopped):
        for job in jobs:
            yield worker.play(job, halt.is_set)


class ProcessPool(WorkerPool):
    """Worker processes of this machine."""

    def __init__(self, make: Callable[[], Any], workers: int, halt: Event) -> None:
        super().__init__(halt)
        self._workers = workers
        context = get_context("spawn")
        self._pool = ProcessPoolExecutor(
            workers,
            context,
            initializer=_start,
            initargs=(make, halt, context.Lock(), context.Event()),
        )

    def run(self, jobs: Iterator[Any]) -> Generator[Any, None, None]:
        """See WorkerPool. Raises WorkersLost if a process dies."""
        others = set(active_children())
        try:
            warm = {self._submit(_nothing)}  # done when a worker has started
            while warm and not self.halt.is_set():
                warm = wait(warm, LOOK).not_done
            yield None
            yield from super().run(jobs)
        except BrokenProcessPool:
            raise WorkersLost(say("a worker process ended unexpectedly (out of memory?)")) from None
        finally:
            self._dismiss(set(active_children()) - others)

    def room(self) -> int:
        """Two batches for each worker."""
        return 2 * self._workers

    def submit(self, jobs: tuple[Any, ...]) -> Any:
        """Hand out a batch, as a future."""
        return self._submit(_batch, jobs)

    def _submit(self, *call: Any) -> Any:
        with ctrl_c_blocked():
            return self._pool.submit(*call)

    def finished(self) -> Iterator[JobBatch]:
        """Wait for the first batches to end."""
        done, self.running = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()

    def _dismiss(self, workers: Iterable[Any]) -> None:
        """End the workers, without waiting for those that still play."""
        if self.running:
            self.halt.set()
            for worker in workers:
                worker.kill()
        self._pool.shutdown(cancel_futures=True)


# -- in the worker process ---------------------------------------------------------------------


def _start(make: Callable[[], Any], halt: Event, first: Lock, compiled: Event) -> None:
    global _worker, _halt
    exit_with_parent()
    _worker, _halt = make(), halt
    with first:  # one process compiles what the cache lacks, the others then find it there
        if not compiled.is_set():
            _worker.warm()
            compiled.set()
            return
    _worker.warm()


def _nothing() -> None:
    """A first job, which waits until its worker is warm."""


def _batch(jobs: tuple[Any, ...]) -> JobBatch:
    batch = run_batch(_worker, jobs, _halt.is_set)
    if batch.failure:
        _halt.set()
    return batch
