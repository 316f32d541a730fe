"""Several processes play the games of a tournament; what they play does not depend on how many."""

import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.synchronize import Event, Lock
from time import perf_counter
from typing import Any

from diablerie.engine.text import Line, say
from diablerie.lab.config import Config
from diablerie.lab.errors import BotFailure, WorkersLost
from diablerie.lab.pairing import Fixture
from diablerie.lab.runner import Result, Runner, Stopped

CHUNK_SECONDS = 0.25
LARGEST = 64  # games handed out at once
Batch = tuple[list[Result], Line | None, float]  # games, a bot's failure, seconds they took

_runner: Runner
_halt: Event


def play(
    config: Config, fixtures: Iterable[Fixture], workers: int = 1, halt: Any = None
) -> Generator[Result, None, None]:
    """The results of the games, as they end, until `halt` (an event) is set.

    Raises BotFailure after the results that are there already, WorkersLost if a worker dies.
    """
    if workers == 1:
        return _alone(config, fixtures, halt or threading.Event())
    return Workers(config, workers, halt or new_halt(workers)).play(iter(fixtures))


def new_halt(workers: int) -> Any:
    """An event that stops so many workers."""
    return threading.Event() if workers == 1 else get_context("spawn").Event()


def _alone(
    config: Config, fixtures: Iterable[Fixture], halt: threading.Event
) -> Generator[Result, None, None]:
    runner = Runner(config)
    runner.warm()
    with suppress(Stopped):
        for fixture in fixtures:
            yield runner.play(fixture, halt.is_set)


class Workers:
    """Worker processes that are handed a few games at a time."""

    def __init__(self, config: Config, workers: int, halt: Event) -> None:
        self._halt, self._workers = halt, workers
        context = get_context("spawn")
        self._pool = ProcessPoolExecutor(
            workers,
            context,
            initializer=_start,
            initargs=(config, halt, context.Lock(), context.Event()),
        )
        self._running: set[Future[Batch]] = set()
        self._size = 1

    def play(self, fixtures: Iterator[Fixture]) -> Generator[Result, None, None]:
        """See `play`."""
        others = set(active_children())
        failure: Line | None = None
        try:
            while self._hand_out(fixtures):
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

    def _hand_out(self, fixtures: Iterator[Fixture]) -> bool:
        """Keep every worker busy, with one batch waiting; whether any batch is under way."""
        while not self._halt.is_set() and len(self._running) < 2 * self._workers:
            batch = tuple(islice(fixtures, self._size))
            if not batch:
                break
            with undisturbed():
                self._running.add(self._pool.submit(_batch, batch))
        return bool(self._running)

    def _finished(self) -> Iterator[Batch]:
        done, self._running = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()

    def _resize(self, games: int, seconds: float) -> None:
        if games and seconds:
            self._size = max(1, min(LARGEST, int(CHUNK_SECONDS * games / seconds)))

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


def _start(config: Config, halt: Event, first: Lock, compiled: Event) -> None:
    global _runner, _halt
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    _runner, _halt = Runner(config), halt
    with first:  # whoever has it compiles what is not in the cache, the others find it there
        if not compiled.is_set():
            _runner.warm()
            compiled.set()
            return
    _runner.warm()


def _exit_with_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _batch(fixtures: tuple[Fixture, ...]) -> Batch:
    results: list[Result] = []
    began = perf_counter()
    failure = None
    try:
        for fixture in fixtures:
            results.append(_runner.play(fixture, _halt.is_set))
    except Stopped:
        pass
    except BotFailure as error:
        failure = error.line
        _halt.set()
    return results, failure, perf_counter() - began
