"""A game as it is played in a tournament: the one place where chance is drawn and a move made."""

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded, weighted
from diablerie.engine.verbs import CHANCE


class Playing:
    """A game that stands at a decision or is over; equal seeds, equal dice.

    state: the whole position; actor: the seat to decide, or OVER.
    """

    def __init__(self, game: Game, first: Record, seed: int) -> None:
        self.state = copy(first)
        self._dice = seeded(seed)
        self._out, self._p = buffers(game)
        self._returns = np.zeros(game.seats[-1])
        self.actor = self._drawn()

    def play(self, action: int) -> None:
        """Carry out a legal action of the actor, unchecked, and what chance decides then."""
        verbs.apply(self.state, self.actor, action)
        self.actor = self._drawn()

    def returns(self) -> tuple[float, ...]:
        """Every seat's utility, once it is over."""
        verbs.returns(self.state, self._returns)
        return tuple(self._returns[: int(self.state.seats)].tolist())

    def _drawn(self) -> int:
        """Draw what chance decides now; who is to decide then."""
        while (who := verbs.actor(self.state)) == CHANCE:
            n = verbs.chance(self.state, self._out, self._p)
            verbs.apply(self.state, CHANCE, self._out[weighted(self._dice, self._p, n)])
        return who
