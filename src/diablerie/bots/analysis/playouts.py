"""Playouts from many positions, pass by pass: a few from each, then more where errors are large.

The random numbers of a playout depend on its position and pass alone, so any number of threads
gives the same figures after the same number of passes.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from diablerie.bots.analysis.findings import SHARP
from diablerie.bots.analysis.thread_pool import PlayoutThreads
from diablerie.bots.rollouts import Rollouts
from diablerie.engine import verbs
from diablerie.engine.compile import Floats
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import OVER

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
