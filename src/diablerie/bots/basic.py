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
    """Any legal action, all equally likely."""

    def __init__(self, game: Game) -> None:
        self.width = game.actions

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        out = np.empty(self.width, np.int64)
        return int(out[below(rng, verbs.legal(s, seat, out))])


class Slips:
    """Carelessness: a share of decisions that are random."""

    def __init__(self, game: Game, share: float) -> None:
        self._share, self._random = share, RandomBot(game)

    def slip(self, s: Record, seat: int, rng: Rng) -> int | None:
        """A random action where this decision is a slip, else None."""
        if self._share and unit(rng) < self._share:
            return self._random.choose(s, seat, rng)
        return None


class SensibleBot:
    """The game's own advice: what a sensible person does without counting far ahead.

    slips: the share of decisions that are random instead.
    """

    def __init__(self, game: Game, slips: float = 0.0) -> None:
        self._slips = Slips(game, slips)

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """See Bot."""
        slip = self._slips.slip(s, seat, rng)
        return verbs.advise(copy(s), seat, rng) if slip is None else slip
