"""Jobs done by several processes; what comes of a job does not depend on how many they are.

A job is whatever says what to do, seed included: a game of a tournament, a chunk of simulated ones.
"""

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.synchronize import Event, Lock
from time import perf_counter
from typing import Any, Protocol, TypeVar

from diablerie.engine.text import Line, say
from diablerie.lab.errors import BotFailure, Stopped, WorkersLost

CHUNK_SECONDS = 0.25
LARGEST = 64  # jobs handed out at once
Batch = tuple[list[Any], Line | None, float]  # results, a bot's failure, seconds they took
Job = TypeVar("Job", contravariant=True)
Found = TypeVar("Found", covariant=True)

_work: "Work[Any, Any]"
_halt: Event


class Work(Protocol[Job, Found]):
    """What a worker process does: made once, then given one job after another."""

    def warm(self) -> None:
        """Compile what the jobs need."""

    def play(self, job: Job, stop: Callable[[], bool], /) -> Found:
        """What a job gives. Raises BotFailure, or Stopped as soon as `stop` says so."""


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


class Workers:
    """Worker processes that are handed a few jobs at a time."""

    def __init__(self, make: Callable[[], Any], workers: int, halt: Event) -> None:
        self._halt, self._workers = halt, workers
        context = get_context("spawn")
        self._pool = ProcessPoolExecutor(
            workers,
            context,
            initializer=_start,
            initargs=(make, halt, context.Lock(), context.Event()),
        )
        self._running: set[Future[Batch]] = set()
        self._size = 1

    def play(self, jobs: Iterator[Any]) -> Generator[Any, None, None]:
        """See `play`."""
        others = set(active_children())
        failure: Line | None = None
        try:
            while self._hand_out(jobs):
                for results, failed, seconds in self._finished():
                    yield from results
                    failure = failure or failed
                    self._resize(len(results), seconds)
        except BrokenProcessPool:
            raise WorkersLost(say("a worker process ended unexpectedly (out of memory?)")) from None
        finally:
            self._dismiss(set(active_children()) - others)
        if failure:
            raise BotFailure(failure)

    def _hand_out(self, jobs: Iterator[Any]) -> bool:
        """Keep every worker busy, with one batch waiting; whether any batch is under way."""
        while not self._halt.is_set() and len(self._running) < 2 * self._workers:
            batch = tuple(islice(jobs, self._size))
            if not batch:
                break
            with undisturbed():
                self._running.add(self._pool.submit(_batch, batch))
        return bool(self._running)

    def _finished(self) -> Iterator[Batch]:
        done, self._running = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()

    def _resize(self, jobs: int, seconds: float) -> None:
        if jobs and seconds:
            self._size = max(1, min(LARGEST, int(CHUNK_SECONDS * jobs / seconds)))

    def _dismiss(self, workers: Iterable[Any]) -> None:
        """End the workers; those that still play are not waited for."""
        if self._running:
            self._halt.set()
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
    results: list[Any] = []
    began = perf_counter()
    failure = None
    try:
        for job in jobs:
            results.append(_work.play(job, _halt.is_set))
    except Stopped:
        pass
    except BotFailure as error:
        failure = error.line
        _halt.set()
    return results, failure, perf_counter() - began
