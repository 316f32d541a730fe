"""What a sensible player of COALS does: bets on odds, pulls for a goal, knows what it is worth.

All odds rest on two facts of the furnace: the share of devils, and the mean coal that is not one.
A goal of k more pieces is reached with probability (1 - share)^k, near enough.
"""

import math
from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below
from diablerie.games.coals.rules.settling import left
from diablerie.games.coals.rules.state import (
    DEVIL,
    PAY,
    PULL,
    STOP,
    UNIT,
    VALUES,
    Node,
)

CUSHION = 120.0  # money one can count on earning back: how bold a stake may be
BEYOND = 400.0  # money beyond the goal that is told from less: the best rounds bring no more
PLAIN = 60.0  # coal others can be expected to stop at, when nothing else is known


@rule
def advise(s: Record, seat: int, rng: Rng) -> int:
    """The verb: the best stake, a little blurred; pull while the best goal beats stopping."""
    if s.node == Node.BET:
        best = best_stake(s, seat) + below(rng, 3) - 1
        return max(0, min(best, s.chips[seat] // UNIT))
    if s.pieces[seat] == 0:
        return PULL
    return PULL if worth_pulling(s, seat) else STOP


# -- odds --------------------------------------------------------------------------------------


@rule
def safe(s: Record) -> float:
    """The chance that the next piece is no devil."""
    total = left(s)
    return 1.0 - s.furnace[DEVIL] / total if total > 0 else 0.0


@rule
def mean_coal(s: Record) -> float:
    """The mean value of the coals left that are no devils."""
    total, count = 0, 0
    for kind in range(DEVIL):
        total += s.furnace[kind] * VALUES[kind]
        count += int(s.furnace[kind])
    return total / count if count > 0 else 10.0


@rule
def reach(s: Record, coal: float) -> float:
    """The chance of pulling so much coal in a row without waking a devil."""
    if coal <= 0.0:
        return 1.0
    return float(safe(s) ** max(1.0, coal / mean_coal(s)))


@rule
def to_come(s: Record) -> int:
    """How many players have still to pull after the one who does."""
    return (s.first - s.turn - 1) % s.seats


# -- betting -----------------------------------------------------------------------------------


@rule
def best_stake(s: Record, seat: int) -> int:
    """The stake, in tens, with the greatest expected logarithm of money."""
    money = float(s.chips[seat])
    best, found = 0, math.log(money + CUSHION)
    for tens in range(1, s.chips[seat] // UNIT + 1):
        stake = float(tens * UNIT)
        luck = 1.0 - (1.0 - reach(s, stake)) ** s.seats
        prize = stake * (1.0 + luck_is_highest(s, seat, stake))
        worth = luck * math.log(money + prize + CUSHION)
        worth += (1.0 - luck) * math.log(money - stake + CUSHION)
        if worth > found:
            best, found = tens, worth
    return best


@rule
def luck_is_highest(s: Record, seat: int, stake: float) -> float:
    """About how likely this stake is the round's highest: the double (C18)."""
    likely = 1.0
    for i in range(s.seats):
        if i != seat:
            usual = max(10.0, min(PLAIN, s.chips[i] / 2.0))
            likely *= stake / (stake + usual)
    return likely


# -- pulling -----------------------------------------------------------------------------------


@rule
def worth_pulling(s: Record, seat: int) -> bool:
    """Whether going on, for the best of a few goals, beats stopping here (C10, C11)."""
    coal, pieces = int(s.coal[seat]), int(s.pieces[seat])
    stop = payoff(s, seat, coal, pieces)
    bust = payoff(s, seat, 0, 0) - due(s, seat)
    mean = max(1.0, mean_coal(s))
    p = 1.0
    for more in range(1, 7):
        p *= safe(s)
        hope = p * payoff(s, seat, coal + more * mean, pieces + more) + (1.0 - p) * bust
        if hope > stop:
            return True
    return False


@rule
def due(s: Record, seat: int) -> float:
    """What a devil would cost the finder in pacts (C14)."""
    holders = 0
    for i in range(s.seats):
        if i != seat and s.pact[i]:
            holders += 1
    return float(PAY * min(holders, s.purse[seat] // PAY))


@rule
def payoff(s: Record, seat: int, coal: float, pieces: int) -> float:
    """What ending the turn with this coal is worth to the seat, less what it is to the others."""
    best, most, highest = coal, pieces, 0
    for i in range(s.seats):
        if i != seat:
            best, most = max(best, s.coal[i]), max(most, s.pieces[i])
        highest = max(highest, s.stake[i])
    worth = bonuses(s, coal, pieces, best, most)
    for i in range(s.seats):
        weight = 1.0 if i == seat else -0.5 / (s.seats - 1)
        worth += weight * expected_prize(s, i, best, highest)
    return worth


@rule
def expected_prize(s: Record, i: int, best: float, highest: int) -> float:
    """C17, C18 with players still to pull: the stake's expected gain."""
    stake = float(s.stake[i])
    luck = 1.0
    if stake > best:
        luck = 1.0 - (1.0 - 0.8 * reach(s, stake)) ** to_come(s)
    double = 2.0 if s.stake[i] == highest else 1.0
    return luck * stake * double - (1.0 - luck) * stake


@rule
def bonuses(s: Record, coal: float, pieces: int, best: float, most: int) -> float:
    """C19 with players still to pull: each may yet do better."""
    if pieces == 0:
        return 0.0
    worth = 0.0
    if coal >= best:
        worth += PAY * (1.0 - 0.8 * reach(s, coal + 10.0)) ** to_come(s)
    if pieces >= most:
        worth += PAY * (1.0 - 0.8 * safe(s) ** (pieces + 1)) ** to_come(s)
    return worth


# -- the value of a position -------------------------------------------------------------------


@rule
def value(s: Record, out: NDArray[Any]) -> None:
    """The verb: shares of the win by money on the way to the goal."""
    total = 0.0
    for i in range(s.seats):
        out[i] = math.exp(promise(standing(s, i)))
        total += out[i]
    for i in range(s.seats):
        share = out[i] / total
        out[i] = share - (1.0 - share) / (s.seats - 1)


@rule
def promise(x: float) -> float:
    """The logarithm of how likely this part of the goal wins, but for a constant.

    Fitted to the ends of 60,000 games of sensible players: money matters little until it is much.
    """
    return 2.0 * x + 0.5 * x**2 + 2.0 * x**4


@rule
def standing(s: Record, seat: int) -> float:
    """Money, with what stakes and coal in front are worth so far, as a part of the goal."""
    money = float(s.chips[seat])
    if s.node == Node.PULL or s.node == Node.COAL:
        best, highest = 0.0, 0
        for i in range(s.seats):
            best, highest = max(best, s.coal[i]), max(highest, s.stake[i])
        money += s.stake[seat] + expected_prize(s, seat, best, highest)
        money += PAY * (s.coal[seat] == best and best > 0)
    return min(max(money, 0.0), s.goal + BEYOND) / s.goal
