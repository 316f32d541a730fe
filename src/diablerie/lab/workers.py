"""Jobs done by processes of this machine, or by this one alone."""

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.synchronize import Event, Lock
from typing import Any

from diablerie.engine.text import say
from diablerie.lab.batches import Batch, Found, Job, Pool, Work, played
from diablerie.lab.errors import Stopped, WorkersLost

_work: Work[Any, Any]
_halt: Event


def play(
    make: Callable[[], Work[Job, Found]],
    jobs: Iterable[Job],
    workers: int = 1,
    halt: Any = None,
) -> Generator[Found, None, None]:
    """What the jobs give, as they end, until `halt` (an event) is set.

    `make` makes the work, in every process anew, so it must be of a kind that pickles. Raises
    BotFailure after the results that are there already, WorkersLost if a worker dies.
    """
    if workers == 1:
        return _alone(make(), jobs, halt or threading.Event())
    return Workers(make, workers, halt or new_halt(workers)).play(iter(jobs))


def new_halt(workers: int) -> Any:
    """An event that stops so many workers."""
    return threading.Event() if workers == 1 else get_context("spawn").Event()


def _alone(
    work: Work[Job, Found], jobs: Iterable[Job], halt: threading.Event
) -> Generator[Found, None, None]:
    work.warm()
    with suppress(Stopped):
        for job in jobs:
            yield work.play(job, halt.is_set)


class Workers(Pool):
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

    def play(self, jobs: Iterator[Any]) -> Generator[Any, None, None]:
        """See `play`."""
        others = set(active_children())
        try:
            yield from super().play(jobs)
        except BrokenProcessPool:
            raise WorkersLost(say("a worker process ended unexpectedly (out of memory?)")) from None
        finally:
            self._dismiss(set(active_children()) - others)

    def room(self) -> int:
        """Two for each worker."""
        return 2 * self._workers

    def submit(self, jobs: tuple[Any, ...]) -> Any:
        """Hand out a batch, as a future."""
        with undisturbed():
            return self._pool.submit(_batch, jobs)

    def finished(self) -> Iterator[Batch]:
        """Wait for the first batches to end."""
        done, self.running = wait(self.running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()

    def _dismiss(self, workers: Iterable[Any]) -> None:
        """End the workers; those that still play are not waited for."""
        if self.running:
            self.halt.set()
            for worker in workers:
                worker.kill()
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Processes started here never hear Ctrl-C: they are told to stop by their event."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# -- in the worker -----------------------------------------------------------------------------


def _start(make: Callable[[], Any], halt: Event, first: Lock, compiled: Event) -> None:
    global _work, _halt
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    _work, _halt = make(), halt
    with first:  # whoever has it compiles what is not in the cache, the others find it there
        if not compiled.is_set():
            _work.warm()
            compiled.set()
            return
    _work.warm()


def _exit_with_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _batch(jobs: tuple[Any, ...]) -> Batch:
    found = played(_work, jobs, _halt.is_set)
    if found.failure:
        _halt.set()
    return found
