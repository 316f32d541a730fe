"""Game trees: the values of small positions of two sides, by backward induction.

Only simultaneous decisions may be hidden; they form a matrix game. A seat that decides alone takes
the best action, and chance nodes have the expected value. The tree asks the game's verbs alone, and
positions with the same bytes are the same node.
"""

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import chance_outcomes, legal_actions
from diablerie.engine.record import Record, copy
from diablerie.engine.verbs import CHANCE, OVER
from diablerie_exact.matrix import solve_matrix


class TooLarge(ValueError):
    """A position has a larger tree than the caller allows."""


class Tree:
    """The values of positions to seat 0, computed on demand and cached.

    most: the number of positions at most.
    """

    def __init__(self, game: Game, most: int = 1_000_000) -> None:
        self.game = game
        self.most = most
        self.known: dict[bytes, float] = {}

    def value(self, s: Record) -> float:
        """The value of a position to seat 0 when both sides play optimally.

        Raises TooLarge.
        """
        key = s.tobytes()
        if key not in self.known:
            if len(self.known) >= self.most:
                raise TooLarge(f"more than {self.most} positions")
            self.known[key] = self._value(s)
        return self.known[key]

    def actions(self, s: Record) -> dict[int, float]:
        """The value to seat 0 of each action of the seat that decides alone. Raises TooLarge."""
        who = verbs.actor(s)
        return {a: self.value(self._after(s, who, a)) for a in legal_actions(self.game, s, who)}

    def _value(self, s: Record) -> float:
        who = verbs.actor(s)
        if who == OVER:
            out = np.zeros(verbs.SEATS)
            verbs.returns(s, out)
            return float(out[0])
        if who == CHANCE:
            chances = zip(*chance_outcomes(self.game, s), strict=True)
            return sum(p * self.value(self._after(s, CHANCE, o)) for o, p in chances)
        mask = verbs.pending(s)
        if mask & (mask - 1):
            return self._at_once(s)
        best = max if self.for_first(s, who) else min
        return best(self.actions(s).values())

    def for_first(self, s: Record, seat: int) -> bool:
        """Whether a seat is on the side of seat 0."""
        sides = self.game.teams(int(s.seats))
        return sides[seat] == sides[0]

    def _at_once(self, s: Record) -> float:
        mine, others = (legal_actions(self.game, s, seat) for seat in range(2))
        values = []
        for action in mine:
            after = self._after(s, 0, action)
            values.append([self.value(self._after(after, 1, reply)) for reply in others])
        return solve_matrix(np.array(values)).value

    @staticmethod
    def _after(s: Record, who: int, action: int) -> Record:
        after: Record = copy(s)
        verbs.apply(after, who, action)
        return after
