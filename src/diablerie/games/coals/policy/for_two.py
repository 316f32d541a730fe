"""COALS for two as rounds: bets at the same time, then pulling; what follows counts by the totals.

All that a round hands on is money, if the furnace is full again whenever a round begins (C23): so
much is asked of the options here. Seats are alike, so values are told of who begins, and the
next round is begun by the other (C6).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.record import Record
from diablerie.games.coals.policy.pulling import Pulling, highest, lowest
from diablerie.games.coals.policy.settlements import PACTS, arrivals, dues, gains, revealed
from diablerie.games.coals.rules.state import LAST_ROUND, PULL, STOP, UNIT, Node

Numbers = NDArray[Any]


class Unsolvable(ValueError):
    """A game that is not made of rounds as these are."""


class Stop(NamedTuple):
    """A point of decision of a round: who might stop there, and what that would be worth.

    seat: 0 begins; coal, pieces: in front; before: the coal of who began, 0 if burned fingers;
    better: by how much stopping is better for who decides than going on.
    """

    seat: int
    coal: int
    pieces: int
    before: int
    better: float


class Rounds:
    """The rounds of one game, its options as in `first`, its first position.

    last: how many rounds there are at most; shape: of the values at a round's beginning, to who
    begins, by the totals in tens of who begins and of the other; opening: where the game begins;
    points: of decision while pieces are pulled in one round.
    """

    last = LAST_ROUND

    def __init__(self, first: Record) -> None:
        """Asks the rules for all that a round can bring. Raises Unsolvable."""
        if first.seats != 2:
            raise Unsolvable(f"solved is the game of two, not of {first.seats}")
        pieces = int(first.full.sum())
        if first.mouth < pieces - 1:
            raise Unsolvable(
                "solved are games whose furnace is filled before every round (C23): with "
                f"{pieces} pieces the option mouth is {pieces - 1} or more, not {first.mouth}"
            )
        most = int(first.goal) // UNIT
        self.first, self.shape = first.copy(), (most, most)
        self.opening = (int(first.chips[0]) // UNIT, int(first.chips[1]) // UNIT)
        self.pulling = Pulling(revealed(first))
        self.points = self.pulling.size - len(self.pulling.endings)
        self._gains = gains(self.pulling.endings, most)
        self._dues = dues(first, self.pulling, most)
        self._busted = np.array([one.busted for one in self.pulling.endings], int).T
        wide = most + int(self._gains.max()) + int(self._dues.max())
        self._usual = arrivals(self.pulling, wide, False)
        self._final = arrivals(self.pulling, wide, True)

    def following(self, values: Numbers | None) -> Numbers:
        """What the totals (seat 0's, seat 1's) are worth to seat 0 after a round it began.

        values: of the next round, to who begins it; None if there is none.
        """
        if values is None:
            return self._final.returns
        most = self.shape[0]
        found = self._usual.returns.copy()
        goes_on = ~self._usual.over[:most, :most]
        found[:most, :most][goes_on] = -values.T[goes_on]
        return found

    def pair(self, position: tuple[int, int], opening: bool) -> int:
        """Who has a pact when a round begins, as a place in `PACTS`; none in the first (C22)."""
        begins, other = position
        pair = 0 if opening else int(self._usual.pacts[other, begins])
        return PACTS.index(PACTS[pair][::-1])

    def ends(self, position: tuple[int, int], following: Numbers, opening: bool = False) -> Numbers:
        """What every ending is worth to who begins, for all stakes: (endings, theirs, others')."""
        a, b = position
        x, y = np.arange(a + 1)[:, None], np.arange(b + 1)[None, :]
        pair = self.pair(position, opening)
        totals = []
        for seat, money in enumerate(position):
            total = self._gains[seat, :, : a + 1, : b + 1] + money
            if pair:
                mine, others = (one[:, None, None] for one in self._busted)
                total = total + self._dues[seat, pair, mine, others, a - x, b - y]
            totals.append(total)
        found: Numbers = following[totals[0], totals[1]]
        return found

    def matrix(self, position: tuple[int, int], following: Numbers,
               opening: bool = False) -> Numbers:  # fmt: skip
        """What every pair of stakes is worth to who begins, if both then pull as well as can be.

        opening: whether it is the first round.
        """
        ends = self.ends(position, following, opening)
        return self.pulling.value(ends.reshape(len(ends), -1)).reshape(ends.shape[1:])

    # -- one position, as a player meets it --------------------------------------------------------

    def where(self, s: Record) -> tuple[int, int]:
        """Totals in tens, of who begins this round and of the other; before bets or after."""
        pulls = s.node in (Node.PULL, Node.COAL)
        owned = [int(s.chips[i]) + (int(s.stake[i]) if pulls else 0) for i in range(2)]
        return owned[s.first] // UNIT, owned[1 - s.first] // UNIT

    def options(self, s: Record, following: Numbers) -> dict[int, float]:
        """What each action is worth to who began this round, where one goes on or stops."""
        found = self.pulling.worth(self._ends_from(s, following)[:, None], highest, lowest)
        layer, k = self.pulling.at(s)
        on = slice(layer.on.indptr[k], layer.on.indptr[k + 1])
        worth = {PULL: float(layer.on.data[on] @ found[layer.on.indices[on], 0])}
        if layer.stop is not None:
            worth[STOP] = float(found[layer.stop[k], 0])
        return worth

    def stops(self, position: tuple[int, int], stakes: tuple[int, int], following: Numbers,
              opening: bool = False) -> list[Stop]:  # fmt: skip
        """All points of a round at which one may stop, after these stakes (in tens)."""
        ends = self.ends(position, following, opening)[:, *stakes][:, None]
        found = self.pulling.worth(ends, highest, lowest)
        stops = []
        for s in self.pulling.positions():
            layer, k = self.pulling.at(s)
            if layer.stop is not None:
                on = float((layer.on[[k]] @ found[: layer.rows.start])[0, 0])
                better = float(found[layer.stop[k], 0]) - on
                coal, pieces = int(s.coal[layer.seat]), int(s.pieces[layer.seat])
                before = int(s.coal[0]) if layer.seat else 0
                stops.append(Stop(layer.seat, coal, pieces, before, (1, -1)[layer.seat] * better))
        return stops

    def _ends_from(self, s: Record, following: Numbers) -> Numbers:
        """What the endings are worth to who began: money as it is now, and pacts still to pay."""
        order = [int(s.first), 1 - int(s.first)]
        x, y = (int(s.stake[i]) // UNIT for i in order)
        pair = PACTS.index((int(s.pact[order[0]]), int(s.pact[order[1]])))
        unstaked = tuple(int(s.purse[i]) // UNIT for i in order)
        to_come = np.array([[1], [1]]) if s.turn == s.first else np.array([[0], [1]])
        busted = self._busted * to_come  # a devil of who has had the turn is paid for
        totals = []
        for seat, money in enumerate(self.where(s)):
            due = self._dues[seat, pair, busted[0], busted[1], unstaked[0], unstaked[1]]
            totals.append(money + self._gains[seat, :, x, y] + due)
        found: Numbers = following[totals[0], totals[1]]
        return found
