"""The money that rounds of COALS bring two players, as tables that the rules fill.

All money is in tens, as stakes are; seat 0 begins.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import Bools, Floats
from diablerie.engine.verbs import CHANCE
from diablerie.games.coals.rules.state import DEVIL, PULL, STOP, UNIT, Node, State
from diablerie_exact.coals.pulling import Ending, LastStep, Pulling

PACTS = ((0, 0), (1, 0), (0, 1), (1, 1))  # who has a pact; tables use the index of the pair


class Arrivals(NamedTuple):
    """The state of the game after a round, by the totals of seat 0 and of seat 1."""

    over: Bools  # whether the game is over
    returns: Floats  # seat 0's utility if it is over
    pacts: NDArray[np.int8]  # the index in PACTS for the next round


def revealed(
    first: State,
    stakes: tuple[int, int] = (0, 0),
    totals: tuple[int, int] = (0, 0),
    pacts: tuple[int, int] = (0, 0),
) -> State:
    """The position after the bets of a round that seat 0 begins; stakes and totals in tens."""
    s = first.copy()
    s.node = Node.BET
    s.first = 0
    for seat in range(2):
        s.chips[seat] = UNIT * totals[seat]
        s.pact[seat] = pacts[seat]
    for seat in range(2):
        verbs.apply(s, seat, stakes[seat])
    return s


def gains(endings: dict[Ending, LastStep], most: int) -> NDArray[np.int32]:
    """The gains by bets and bonuses: (2, endings, stakes of seat 0, of seat 1), stakes < most."""
    gained = np.empty((2, len(endings), most, most), np.int32)
    for e, last in enumerate(endings.values()):
        s = last.s.copy()
        asked = bytes(s.data)
        run = type(s).verbs.apply
        stake, chips, pact = (s.array[name][0] for name in ("stake", "chips", "pact"))
        for x in range(most):
            for y in range(most):
                s.data[:] = asked
                stake[0] = UNIT * x
                stake[1] = UNIT * y
                chips[:2] = 0
                pact[:2] = 0
                run(s.array, last.who, last.action)
                gained[0, e, x, y] = chips[0] // UNIT - x
                gained[1, e, x, y] = chips[1] // UNIT - y
    return gained


def dues(first: State, pulling: Pulling, most: int) -> NDArray[np.int32]:
    """The gains by pacts, where seats turn devils.

    Axes: seat, pair of `PACTS`, whether seat 0 turned a devil, whether seat 1 did, unstaked tens of
    seat 0, of seat 1; unstaked tens < most.
    """
    due = np.zeros((2, len(PACTS), 2, 2, most, most), np.int32)
    for busted in sorted({one.busted for one in pulling.endings}):
        for pair, pacts in enumerate(PACTS):
            if any(busted) and any(pacts):
                these = due[:, pair, int(busted[0]), int(busted[1])]
                for x in range(most):
                    for y in range(most):
                        paid = after_short_round(first, busted, (x, y), pacts)
                        none = after_short_round(first, busted, (x, y), (0, 0))
                        these[:, x, y] = (paid.chips[:2] - none.chips[:2]) // UNIT
    return due


def after_short_round(
    first: State, busted: tuple[bool, bool], unstaked: tuple[int, int], pacts: tuple[int, int]
) -> State:
    """The position after a short round without stakes in which the `busted` seats turn a devil."""
    s = revealed(first, totals=unstaked, pacts=pacts)
    for seat in range(2):
        if s.node != Node.PULL or s.turn != seat:
            break
        verbs.apply(s, seat, PULL)
        coals = [kind for kind in range(DEVIL) if s.furnace[kind]]
        verbs.apply(s, CHANCE, DEVIL if busted[seat] else coals[-1])
        if s.node == Node.PULL and s.turn == seat:
            verbs.apply(s, seat, STOP)
    return s


def arrivals(pulling: Pulling, most: int, last: bool) -> Arrivals:
    """The state after a round for all totals below `most`; last: after the last round (C24)."""
    over = np.zeros((most, most), bool)
    returns = np.zeros((most, most))
    pacts = np.zeros((most, most), np.int8)
    out = np.zeros(verbs.SEATS)
    for a, b, s in _ended(next(iter(pulling.endings.values())), most, last):
        over[a, b] = s.node == Node.OVER
        if over[a, b]:
            verbs.returns(s, out)
            returns[a, b] = out[0]
        else:
            pacts[a, b] = PACTS.index((int(s.pact[0]), int(s.pact[1])))
    return Arrivals(over, returns, pacts)


def _ended(step: LastStep, most: int, last: bool) -> Iterator[tuple[int, int, State]]:
    """The positions after rounds that end with all totals; the next one overwrites a record."""
    before = step.s.copy()
    before.stake[:2] = 0
    before.chips[:2] = 0
    before.pact[:2] = 0
    before.rounds = before.limit if last else 0
    after = before.copy()
    verbs.apply(after, step.who, step.action)
    bonus = [int(after.chips[seat]) for seat in range(2)]  # the same whatever the totals are
    s = before.copy()
    asked = bytes(before.data)
    chips = s.array["chips"][0]
    for a in range(most):
        for b in range(most):
            s.data[:] = asked
            chips[0] = UNIT * a - bonus[0]
            chips[1] = UNIT * b - bonus[1]
            verbs.apply(s, step.who, step.action)
            yield a, b, s
