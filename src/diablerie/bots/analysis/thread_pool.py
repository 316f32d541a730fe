"""A crew: threads that play positions on, each with arrays of its own.

Compiled rollouts let go of the interpreter's lock, so that two threads work on two cores. What
they do is counted in processor time, so that a busy machine makes no coarser analyses, only later
ones.
"""

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from diablerie.bots.rollouts import Rollouts
from diablerie.engine.game import Game

THREADS = min(2, os.cpu_count() or 1)
Found = TypeVar("Found")
Job = Callable[[Rollouts], Found]


class AnalysisStopped(Exception):
    """The crew was told to stop before its work was done."""


class PlayoutThreads:
    """So many threads, as polite as `nice` says, until it is closed; 0: the thread that asks."""

    def __init__(self, threads: int = THREADS, nice: int = 0) -> None:
        self._own, self._stopping = threading.local(), threading.Event()
        self._lock, self._worked = threading.Lock(), 0.0
        self._pool: ThreadPoolExecutor | None = None
        if threads:
            self._pool = ThreadPoolExecutor(
                threads, "analysis", initializer=polite, initargs=(nice,)
            )

    def do(self, game: Game, jobs: Sequence[Job[Found]]) -> list[Found]:
        """What the jobs give, in their order. Raises Stopped, and whatever a job raises."""
        try:
            do = self._pool.map if self._pool else map
            return list(do(lambda job: self._done(game, job), jobs))
        except (RuntimeError, CancelledError):  # closed meanwhile
            if self._stopping.is_set():
                raise AnalysisStopped from None
            raise

    def close(self) -> None:
        """Stop soon; whoever waits for work is told so."""
        self._stopping.set()
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def worked(self) -> float:
        """The seconds of processor time that all jobs together have taken by now."""
        with self._lock:
            return self._worked

    def _done(self, game: Game, job: Job[Found]) -> Found:
        if self._stopping.is_set():
            raise AnalysisStopped
        rollouts = self._own.__dict__.setdefault("rollouts", {})
        if game.name not in rollouts:
            rollouts[game.name] = Rollouts(game)
        began = time.thread_time()
        try:
            return job(rollouts[game.name])
        finally:
            with self._lock:
                self._worked += time.thread_time() - began


def polite(nice: int) -> None:
    """Let other threads go first, where threads have a priority of their own."""
    if nice:
        with suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)
