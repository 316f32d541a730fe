"""What a bot is, and the two that need no search: `random` and `sensible`."""

from typing import Protocol

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng, below, unit


class Bot(Protocol):
    """A player. It is made once for a game and may be asked from several threads."""

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """A legal action of `seat`. `s` is redacted for that seat and must not be changed."""


class RandomBot:
    """A legal action, all equally likely."""

    def __init__(self, game: Game) -> None:
        self.width = game.actions

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        out = np.empty(self.width, np.int64)
        return int(out[below(rng, verbs.legal(s, seat, out))])


class SensibleBot:
    """The game's own advice: what a sensible person does without counting far ahead.

    epsilon: the share of decisions that are random instead, 0 to 1.
    """

    def __init__(self, game: Game, epsilon: float = 0.0) -> None:
        self._random = RandomBot(game)
        self.epsilon = epsilon

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        if self.epsilon and unit(rng) < self.epsilon:
            return self._random.choose(s, seat, rng)
        return verbs.advise(copy(s), seat, rng)
