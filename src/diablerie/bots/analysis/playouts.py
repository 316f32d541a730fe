"""Playouts from many positions, in threads: a few from each, then more where errors are large.

Compiled rollouts release the interpreter's lock, so two threads use two cores. Work is measured in
processor time, so a busy machine makes analyses later but not coarser. The random numbers of a
playout depend on its position and pass alone, so any number of threads gives the same figures after
the same number of passes.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TypeVar

import numpy as np

from diablerie.bots.analysis.findings import SHARP
from diablerie.bots.rollouts import Rollouts
from diablerie.engine import verbs
from diablerie.engine.compile import Floats
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import OVER

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


# -- passes ----------------------------------------------------------------------------------------


FIRST_PASSES = (4, 4, 8, 16)  # games from every position, in the first passes
MORE = 16  # games in each further pass, from the half of the positions with the largest errors
PRECISE = 0.025  # the usual `enough`
FADE = 0.5  # how much the games of the next position count, and again for each one beyond it


class PositionResults:
    """Who won the playouts from some positions, which follow each other in a match."""

    def __init__(
        self,
        game: Game,
        states: Sequence[Record],
        crew: PlayoutThreads,
        seed: int = 0,
        enough: float = PRECISE,
    ) -> None:
        """`enough` is the standard error at which a position gets no more games."""
        self.game = game
        self.states = states
        self._crew = crew
        self._seed = seed
        self.enough = enough
        seats = int(states[0].seats)
        self.won = np.zeros((len(states), seats))  # games, by position and seat
        self.games = np.zeros(len(states), np.int64)
        self.passes = 0
        self._open = np.array([verbs.actor(s) != OVER for s in states])

    @property
    def shares(self) -> Floats:
        """The share of games that each seat won, (positions, seats)."""
        return np.asarray(self.won / np.maximum(self.games, 1)[:, None])

    @property
    def errors(self) -> Floats:
        """The largest standard error of each position's shares, (positions,)."""
        n = np.maximum(self.games, 1)[:, None]
        smoothed = (self.won + 1) / (n + 2)  # Laplace's rule: no error is 0 after few games
        errors = np.sqrt(smoothed * (1 - smoothed) / n).max(1)
        return np.where(self._open, errors, 0.0)

    @property
    def smoothed(self) -> tuple[Floats, Floats]:
        """The shares with the games of the positions before each as well, and of those after it.

        The further away they are, the less they count (`FADE`). Both: (positions, seats).
        """
        won = self.won
        games = self.games[:, None].astype(float)
        before = faded(won) / np.maximum(faded(games), 1)
        after = faded(won[::-1]) / np.maximum(faded(games[::-1]), 1)
        return before, after[::-1]

    @property
    def precise(self) -> bool:
        """Whether all errors are small enough."""
        return bool((self.errors <= self.enough).all())

    def play(self, places: Sequence[int], games: int) -> None:
        """One pass: so many games from each of these positions."""
        jobs = [partial(self._play, place, games) for place in places]
        for place, won in zip(places, self._crew.do(self.game, jobs), strict=True):
            self.won[place] += won
            self.games[place] += games
        self.passes += 1

    def _play(self, place: int, games: int, rollouts: Rollouts) -> Floats:
        luck = seeded(hash_numbers(self._seed, place, self.passes))
        shares = np.array(rollouts.chances(self.states[place], luck, games))
        won: Floats = np.rint(shares * games)
        return won

    def plan(self, games: int = 0) -> Iterator[tuple[list[int], int]]:
        """Yield the passes: which positions, and how many games from each.

        The caller plays each pass before it asks for the next. games: how many each position gets
        in all; 0: passes go on until `precise`.
        """
        everywhere = list(range(len(self.states)))
        left = games
        for some in FIRST_PASSES:
            if games and not left:
                return
            now = min(some, left) if games else some
            left -= now
            yield everywhere, now
        if games:
            if left:
                yield everywhere, left
            return
        while not self.precise:
            yield self.doubtful(), MORE

    def doubtful(self) -> list[int]:
        """The half of the positions with the largest errors; next to a change they count twice."""
        doubt = np.where(self.errors > self.enough, self.errors, 0.0)
        weighed = doubt * np.where(self.beside_changes, 2.0, 1.0)
        most = np.argsort(-weighed, kind="stable")[: (len(doubt) + 1) // 2]
        return sorted(int(place) for place in most if doubt[place])

    @property
    def beside_changes(self) -> Floats:
        """Whether chances change sharply to the next position or from the last, (positions,)."""
        sharp = np.abs(np.diff(self.shares, axis=0)).max(1, initial=0.0) >= SHARP
        beside = np.zeros(len(self.states), bool)
        beside[1:] |= sharp
        beside[:-1] |= sharp
        return beside


def faded(counts: Floats) -> Floats:
    """To each row are added the rows before it, the further away, the less (`FADE`)."""
    sums = counts.copy()
    for row in range(1, len(sums)):
        sums[row] += FADE * sums[row - 1]
    return sums


def hash_numbers(*numbers: int) -> int:
    """A seed from a few numbers, each below 2^20; different numbers give different seeds."""
    seed = 0
    for number in numbers:
        seed = (seed << 20) + number + 1
    return seed
