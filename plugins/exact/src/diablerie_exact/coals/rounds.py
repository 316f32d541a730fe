"""COALS for two as a game of rounds: simultaneous bets, then pulling.

A round passes on nothing but money if the furnace is full again whenever a round begins (C23), so
the options must make it so. The seats are symmetric, so all values are those of the player who
begins a round; the other player begins the next one (C6).
"""

from typing import NamedTuple

import numpy as np

from diablerie.engine.compile import Floats
from diablerie.games.coals.rules.state import PULL, STOP, UNIT, Node, State
from diablerie_exact.coals.pulling import Pulling, highest, lowest
from diablerie_exact.coals.settlements import PACTS, arrivals, dues, gains, revealed

# of the record
OPTION_FIELDS = ("seats", "mouth", "release", "purses", "marks", "goal", "full", "step", "limit")
NEVER = 2.0  # worth more than any utility: a stake that the options forbid is never chosen


class Unsolvable(ValueError):
    """The options do not make the game one of independent rounds."""


class StopDecision(NamedTuple):
    """A decision of a round at which a seat may stop, and how good that would be.

    seat: 0 begins; coal, pieces: in front of the seat; before: the coal of the player who began, 0
    if burned fingers; better: by how much stopping is better for the seat than going on.
    """

    seat: int
    coal: int
    pieces: int
    before: int
    better: float


class CoalsRounds:
    """The rounds of a game with the options of `first`, its first position.

    last: the number of rounds at most; step: stakes are multiples of so many tens; shape: of the
    values of a round's beginning, by the totals in tens of the player who begins and of the other;
    opening: the totals at the beginning of the game; points: the number of decisions while pieces
    are pulled in one round. Raises Unsolvable.
    """

    def __init__(self, first: State) -> None:
        if first.seats != 2:
            raise Unsolvable(f"solved is the game of two, not of {first.seats}")
        pieces = int(first.full.sum())
        if first.mouth < pieces - 1:
            raise Unsolvable(
                "solved are games whose furnace is filled before every round (C23): with "
                f"{pieces} pieces the option mouth is {pieces - 1} or more, not {first.mouth}"
            )
        most = int(first.goal) // UNIT
        self.last = int(first.limit)
        self.step = int(first.step) // UNIT
        self.first = first.copy()
        self.shape = (most, most)
        self.opening = (int(first.chips[0]) // UNIT, int(first.chips[1]) // UNIT)
        self.pulling = Pulling(revealed(first))
        self.points = self.pulling.size - len(self.pulling.endings)
        self._gains = gains(self.pulling.endings, most)
        self._dues = dues(first, self.pulling, most)
        self._busted = np.array([one.busted for one in self.pulling.endings], int).T
        # A total may go beyond the goal by as much as a round brings, and what is due after it.
        wide = most + int(self._gains.max()) + int(self._dues.max())
        self._usual = arrivals(self.pulling, wide, False)
        self._final = arrivals(self.pulling, wide, True)

    def fits(self, s: State) -> bool:
        """Whether a position is one of a game with these options."""
        return all(
            np.array_equal(getattr(s, name), getattr(self.first, name)) for name in OPTION_FIELDS
        )

    def following(self, values: Floats | None) -> Floats:
        """The values of totals to seat 0 after a round that it began: (totals 0, totals 1).

        values: of the beginning of the next round, to who begins it; None after the last round.
        """
        if values is None:
            return self._final.returns
        most = self.shape[0]
        returns = self._usual.returns.copy()
        goes_on = ~self._usual.over[:most, :most]
        returns[:most, :most][goes_on] = -values.T[goes_on]
        return returns

    def pair(self, position: tuple[int, int], opening: bool) -> int:
        """Who has a pact when a round begins, as an index of `PACTS`; nobody in the first (C22)."""
        begins, other = position
        pair = 0 if opening else int(self._usual.pacts[other, begins])
        return PACTS.index(PACTS[pair][::-1])

    def ends(self, position: tuple[int, int], following: Floats, opening: bool = False) -> Floats:
        """The values of all endings to who begins: (endings, own stakes, the other's stakes)."""
        a, b = position
        x = np.arange(a + 1)[:, None]
        y = np.arange(b + 1)[None, :]
        pair = self.pair(position, opening)
        totals = []
        for seat, money in enumerate(position):
            total = self._gains[seat, :, : a + 1, : b + 1] + money
            if pair:
                mine, others = (one[:, None, None] for one in self._busted)
                total = total + self._dues[seat, pair, mine, others, a - x, b - y]
            totals.append(total)
        return np.asarray(following[totals[0], totals[1]])

    def matrix(self, position: tuple[int, int], following: Floats, opening: bool = False) -> Floats:
        """The value of every pair of stakes to who begins, if both then pull optimally.

        opening: whether it is the first round. A stake that the options forbid has the value that
        makes its player never choose it.
        """
        ends = self.ends(position, following, opening)
        values = self.pulling.value(ends.reshape(len(ends), -1)).reshape(ends.shape[1:])
        values[np.arange(len(values)) % self.step > 0] = -NEVER
        values[:, np.arange(len(values[0])) % self.step > 0] = NEVER
        return values

    # -- a position in a game ----------------------------------------------------------------------

    def where(self, s: State) -> tuple[int, int]:
        """The totals in tens of who begins this round and of the other, before bets or after."""
        pulls = s.node in (Node.PULL, Node.COAL)
        owned = [int(s.chips[i]) + (int(s.stake[i]) if pulls else 0) for i in range(2)]
        return owned[s.first] // UNIT, owned[1 - s.first] // UNIT

    def options(self, s: State, following: Floats) -> dict[int, float]:
        """The values of going on and of stopping, to the player who began this round."""
        values = self.pulling.worth(self._ends_from(s, following)[:, None], highest, lowest)
        layer, k = self.pulling.at(s)
        on = slice(layer.on.indptr[k], layer.on.indptr[k + 1])
        worth = {PULL: float(layer.on.data[on] @ values[layer.on.indices[on], 0])}
        if layer.stop is not None:
            worth[STOP] = float(values[layer.stop[k], 0])
        return worth

    def stops(
        self,
        position: tuple[int, int],
        stakes: tuple[int, int],
        following: Floats,
        opening: bool = False,
    ) -> list[StopDecision]:
        """All decisions of a round at which a seat may stop, after these stakes (in tens)."""
        ends = self.ends(position, following, opening)[:, *stakes][:, None]
        values = self.pulling.worth(ends, highest, lowest)
        stops = []
        for s in self.pulling.positions():
            layer, k = self.pulling.at(s)
            # Elsewhere the rules leave no choice but to pull on.
            if layer.stop is not None:
                on = float((layer.on[[k]] @ values[: layer.rows.start])[0, 0])
                better = float(values[layer.stop[k], 0]) - on
                coal = int(s.coal[layer.seat])
                pieces = int(s.pieces[layer.seat])
                before = int(s.coal[0]) if layer.seat else 0
                better = (1, -1)[layer.seat] * better
                stops.append(StopDecision(layer.seat, coal, pieces, before, better))
        return stops

    def _ends_from(self, s: State, following: Floats) -> Floats:
        """The values of the endings, (endings,), to who began: money now, and pacts to pay."""
        order = [int(s.first), 1 - int(s.first)]
        x, y = (int(s.stake[i]) // UNIT for i in order)
        pair = PACTS.index((int(s.pact[order[0]]), int(s.pact[order[1]])))
        unstaked = tuple(int(s.purse[i]) // UNIT for i in order)
        to_come = np.array([[1], [1]]) if s.turn == s.first else np.array([[0], [1]])
        busted = self._busted * to_come  # a seat that has had its turn has paid for its devil
        totals = []
        for seat, money in enumerate(self.where(s)):
            due = self._dues[seat, pair, busted[0], busted[1], unstaked[0], unstaked[1]]
            totals.append(money + self._gains[seat, :, x, y] + due)
        return np.asarray(following[totals[0], totals[1]])
