"""The mixed strategy of a player of COALS for two, at every position that can arise.

The player must decide by the redacted position alone. It is asked once for every stake, and for
every decision while pulling, every pair of stakes, and what a devil would cost the player now
(C14): nothing (0), less than the due, for lack of money (1), or all of it (2). `differs` tests that
nothing else of a position matters to the player.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Floats, Floats32
from diablerie.engine.rng import Rng, below, weighted
from diablerie.games.coals.rules.state import ACTIONS, OUTCOMES, PAY, PULL, UNIT, Node, State
from diablerie_exact.coals.rounds import CoalsRounds
from diablerie_exact.coals.settlements import PACTS, revealed

Shares = Callable[[State, int], Floats]  # the probability of each action of a seat, (actions,)
PLENTY = 2 * PAY // UNIT  # tens left unstaked that pay for any devil


class Habits:
    """The probabilities of one player's actions in the rounds of one game."""

    def __init__(self, rounds: CoalsRounds, shares: Shares) -> None:
        self.rounds = rounds
        self.shares = shares
        self._bets: dict[Any, Floats] = {}
        self._on = self._pulls()

    def bets(self, position: tuple[int, int], seat: int, opening: bool) -> Floats:
        """The probability of each stake of a seat (0 begins), (stakes,)."""
        key = position, seat, opening
        if key not in self._bets:
            s = self._before(position, opening)
            self._bets[key] = self.shares(s, seat)[: position[seat] + 1]
        return self._bets[key]

    def goes_on(self, position: tuple[int, int], seat: int, opening: bool) -> Floats:
        """The probability that a seat goes on: (rows of pulling, pairs of stakes)."""
        a, b = position
        by_cost = self._on[:, :, : a + 1, : b + 1]
        if PACTS[self.rounds.pair(position, opening)][1 - seat]:
            left = (np.array(position) - np.indices((a + 1, b + 1)).T).T[seat]
            chosen = np.where(left >= PAY // UNIT, by_cost[2], by_cost[1])
        else:
            chosen = by_cost[0]
        return np.asarray(chosen.reshape(len(chosen), -1))

    def differs(self, rng: Rng, rounds: int) -> int:
        """The number of positions, in so many random rounds, at which the player differs."""
        wrong = 0
        for _ in range(rounds):
            position = below(rng, self.rounds.shape[0]), below(rng, self.rounds.shape[1])
            s = self._before(position, False)
            for seat in range(2):
                verbs.apply(s, seat, below(rng, position[seat] + 1))
            wrong += self._differs(s, position, rng)
        return wrong

    def _differs(self, s: State, position: tuple[int, int], rng: Rng) -> int:
        out = np.empty(ACTIONS, np.int64)
        p = np.empty(OUTCOMES)
        wrong = 0
        k = (int(s.stake[0]) * (position[1] + 1) + int(s.stake[1])) // UNIT
        while s.node in (Node.PULL, Node.COAL):
            if s.node == Node.COAL:
                verbs.apply(s, verbs.CHANCE, int(out[weighted(rng, p, verbs.chance(s, out, p))]))
                continue
            seat = int(s.turn)
            layer, row = self.rounds.pulling.at(s)
            if layer.stop is not None:
                share = self.goes_on(position, seat, False)[layer.rows.start + row, k]
                wrong += bool(abs(share - self.shares(s, seat)[PULL]) > 1e-6)
            n = verbs.legal(s, seat, out)
            verbs.apply(s, seat, int(out[below(rng, n)]))
        return wrong

    def _before(self, position: tuple[int, int], opening: bool) -> State:
        """The position before the bets of the first round, or of a later one."""
        s = self.rounds.first.copy()
        s.node = Node.BET
        s.first = 0
        s.rounds = 1 if opening else 2
        pacts = PACTS[self.rounds.pair(position, opening)]
        for seat in range(2):
            s.chips[seat] = UNIT * position[seat]
            s.pact[seat] = pacts[seat]
        return s

    def _pulls(self) -> Floats32:
        most = self.rounds.shape[0]
        pulling = self.rounds.pulling
        goes_on = np.ones((3, pulling.size, most, most), np.float32)
        points = [
            (layer.seat, range(layer.rows.start, layer.rows.stop))
            for layer in pulling.layers
            if layer.stop is not None
        ]
        ways = dict(pulling.ways())
        for cost, x, y in np.ndindex(3, most, most):
            for seat, rows in points:
                begun = self._begun(seat, cost, (x, y))
                for row in rows:
                    s = begun.copy()
                    for who, action in ways[row]:
                        verbs.apply(s, who, action)
                    goes_on[cost, row, x, y] = self.shares(s, seat)[PULL]
        return goes_on

    def _begun(self, seat: int, cost: int, stakes: tuple[int, int]) -> State:
        """The position after these bets at which a devil costs a seat so much."""
        totals = [stake + PLENTY for stake in stakes]
        pacts = [0, 0]
        pacts[1 - seat] = int(cost > 0)
        if cost == 1:
            totals[seat] = stakes[seat]
        return revealed(self.rounds.first, stakes, (totals[0], totals[1]), (pacts[0], pacts[1]))
