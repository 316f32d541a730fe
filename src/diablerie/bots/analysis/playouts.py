"""Playing positions on, pass by pass: a few games from each at first, then more where in doubt.

A game's luck follows from its position and pass alone, so that any number of threads comes to the
same figures, after as many passes.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.bots.analysis.thread_pool import PlayoutThreads
from diablerie.bots.rollouts import Rollouts
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import OVER

FIRST = (4, 4, 8, 16)  # games from every position, in the first passes
MORE = 16  # and in each further one, from the half that is most in doubt
PRECISE = 0.025  # a standard error that is small enough
SHARP = 0.15  # a change that matters


class PositionResults:
    """How the games from some positions, which belong together in this order, have ended."""

    def __init__(
        self, game: Game, states: Sequence[Record], crew: PlayoutThreads, seed: int = 0
    ) -> None:
        self.game, self.states, self._crew, self._seed = game, states, crew, seed
        seats = int(states[0].seats)
        self.won = np.zeros((len(states), seats))  # games, by position and seat
        self.games = np.zeros(len(states), np.int64)
        self.passes = 0
        self._open = np.array([verbs.actor(s) != OVER for s in states])

    @property
    def shares(self) -> NDArray[Any]:
        """The games that each seat won, as shares: shape (positions, seats)."""
        return np.asarray(self.won / np.maximum(self.games, 1)[:, None])

    @property
    def errors(self) -> NDArray[Any]:
        """The standard errors of the shares, the largest of each position's."""
        n = np.maximum(self.games, 1)[:, None]
        careful = (self.won + 1) / (n + 2)  # none is 0 after few games
        found = np.sqrt(careful * (1 - careful) / n).max(1)
        return np.where(self._open, found, 0.0)

    @property
    def precise(self) -> bool:
        """Whether more games would tell little more."""
        return bool((self.errors <= PRECISE).all())

    def play(self, places: Sequence[int], games: int) -> None:
        """One pass: so many games from each of these positions."""
        jobs = [partial(self._play, place, games) for place in places]
        for place, won in zip(places, self._crew.do(self.game, jobs), strict=True):
            self.won[place] += won
            self.games[place] += games
        self.passes += 1

    def _play(self, place: int, games: int, rollouts: Rollouts) -> NDArray[Any]:
        luck = seeded(hash_of(self._seed, place, self.passes))
        shares = np.array(rollouts.chances(self.states[place], luck, games))
        won: NDArray[Any] = np.rint(shares * games)
        return won

    def plan(self, games: int = 0) -> Iterator[tuple[list[int], int]]:
        """The passes: of which positions, and how many games; each is to be played at once.

        With `games`, until so many are played from every position; else while more tell more.
        """
        everywhere, left = list(range(len(self.states))), games
        for some in FIRST:
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
        """The half of the positions where more games tell most.

        That is where the error is large, and counts twice beside a change that may matter.
        """
        doubt = np.where(self.errors > PRECISE, self.errors, 0.0)
        weighed = doubt * np.where(self.beside_changes, 2.0, 1.0)
        most = np.argsort(-weighed, kind="stable")[: (len(doubt) + 1) // 2]
        return sorted(int(place) for place in most if doubt[place])

    @property
    def beside_changes(self) -> NDArray[Any]:
        """Whether chances seem to change much from a position to the next, or from the last."""
        sharp = np.abs(np.diff(self.shares, axis=0)).max(1, initial=0.0) >= SHARP
        beside = np.zeros(len(self.states), bool)
        beside[1:] |= sharp
        beside[:-1] |= sharp
        return beside


def hash_of(*numbers: int) -> int:
    """A seed made of a few numbers, each below 2^20."""
    seed = 0
    for number in numbers:
        seed = (seed << 20) + number + 1
    return seed
