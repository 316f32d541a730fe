"""Whole trees: any small position of two sides in which only what is decided at once is hidden.

Asked are the verbs alone. Decisions made at the same time are a matrix game; who decides alone
takes the best; chance is weighed. Positions with the same bytes are one.
"""

from collections.abc import Callable, Hashable

import numpy as np

from diablerie.bots.exact.matrix import solve
from diablerie.engine import verbs
from diablerie.engine.asking import legal_actions, outcomes
from diablerie.engine.game import Game
from diablerie.engine.record import Record, copy
from diablerie.engine.verbs import CHANCE, OVER

Key = Callable[[Record], Hashable]


class TooLarge(ValueError):
    """A position with more before it than was allowed."""


class Tree:
    """The values of positions to seat 0, found when asked for and remembered.

    key: what of a record matters (all of its bytes if left out); most: so many positions at most.
    """

    def __init__(self, game: Game, key: Key = Record.tobytes, most: int = 1_000_000) -> None:
        self.game, self.key, self.most = game, key, most
        self.known: dict[Hashable, float] = {}

    def value(self, s: Record) -> float:
        """What a position is worth to seat 0 when both sides play as well as can be.

        Raises TooLarge.
        """
        key = self.key(s)
        if key not in self.known:
            if len(self.known) >= self.most:
                raise TooLarge(f"more than {self.most} positions")
            self.known[key] = self._value(s)
        return self.known[key]

    def actions(self, s: Record) -> dict[int, float]:
        """What each action of who decides alone is worth to seat 0."""
        who = verbs.actor(s)
        return {a: self.value(self._after(s, who, a)) for a in legal_actions(self.game, s, who)}

    def _value(self, s: Record) -> float:
        who = verbs.actor(s)
        if who == OVER:
            out = np.zeros(verbs.SEATS)
            verbs.returns(s, out)
            return float(out[0])
        if who == CHANCE:
            found = zip(*outcomes(self.game, s), strict=True)
            return sum(p * self.value(self._after(s, CHANCE, o)) for o, p in found)
        mask = verbs.pending(s)
        if mask & (mask - 1):
            return self._at_once(s)
        best = max if self.for_first(s, who) else min
        return best(self.actions(s).values())

    def for_first(self, s: Record, seat: int) -> bool:
        """Whether a seat wants what seat 0 wants."""
        sides = self.game.teams(int(s.seats))
        return sides[seat] == sides[0]

    def _at_once(self, s: Record) -> float:
        mine, others = (legal_actions(self.game, s, seat) for seat in range(2))
        values = [[self._pair(s, a, b) for b in others] for a in mine]
        return solve(np.array(values)).value

    def _pair(self, s: Record, mine: int, others: int) -> float:
        return self.value(self._after(self._after(s, 0, mine), 1, others))

    @staticmethod
    def _after(s: Record, who: int, action: int) -> Record:
        after: Record = copy(s)
        verbs.apply(after, who, action)
        return after
