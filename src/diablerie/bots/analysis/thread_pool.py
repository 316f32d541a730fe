"""Threads that play positions on, each with arrays of its own.

Compiled rollouts release the interpreter's lock, so two threads use two cores. Work is measured in
processor time, so a busy machine makes analyses later but not coarser.
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

ANALYSIS_THREADS = min(2, os.cpu_count() or 1)
Result = TypeVar("Result")
Job = Callable[[Rollouts], Result]


class AnalysisStopped(Exception):
    """The threads were told to stop before their work was done."""


class PlayoutThreads:
    """A pool of so many threads with this niceness; 0 threads: the caller's thread does the work."""

    def __init__(self, threads: int = ANALYSIS_THREADS, nice: int = 0) -> None:
        self._own = threading.local()
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._worked = 0.0
        self._pools: dict[bool, ThreadPoolExecutor] = {}  # by whether they hurry
        self.hurried = False  # whether jobs are done at the usual priority: while somebody waits
        if threads:
            for hurried, how in ((False, nice), (True, 0)):
                self._pools[hurried] = ThreadPoolExecutor(
                    threads, "analysis", initializer=polite, initargs=(how,)
                )

    def do(self, game: Game, jobs: Sequence[Job[Result]]) -> list[Result]:
        """Do the jobs and return their results in order.

        Raises AnalysisStopped after `close`, and whatever a job raises.
        """
        try:
            do = self._pools[self.hurried].map if self._pools else map
            return list(do(lambda job: self._done(game, job), jobs))
        except (RuntimeError, CancelledError):  # closed meanwhile
            if self._stopping.is_set():
                raise AnalysisStopped from None
            raise

    def close(self) -> None:
        """Stop soon; a caller that waits in `do` gets AnalysisStopped."""
        self._stopping.set()
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    def worked(self) -> float:
        """The seconds of processor time that all jobs together have taken so far."""
        with self._lock:
            return self._worked

    def _done(self, game: Game, job: Job[Result]) -> Result:
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
    """Give this thread a lower priority, where the system has priorities for threads."""
    if nice:
        with suppress(AttributeError, OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)
