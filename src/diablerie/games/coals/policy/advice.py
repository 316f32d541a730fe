"""What a sensible player of COALS does: bets on odds, and pulls while one more aim is worth it."""

import math

from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng, below
from diablerie.games.coals.policy.evaluation import (
    REACHING,
    expected_prize,
    mean_coal,
    reach,
    safe,
    somebody,
    to_come,
)
from diablerie.games.coals.rules.legality import most_tens
from diablerie.games.coals.rules.settling import collects
from diablerie.games.coals.rules.state import PAY, PULL, STOP, UNIT, Node, State

CUSHION = 120.0  # money one can count on earning back: how bold a stake may be
USUAL = 60.0  # the highest stake that others are expected to make
AIMS = 6  # so many pieces more are thought of at most


@rule
def advise(s: State, seat: int, rng: Rng) -> int:
    """The verb: the best stake, a little blurred; pull while the best aim beats stopping."""
    if s.node == Node.BET:
        step = int(s.step) // UNIT
        best = best_stake(s, seat) // step + below(rng, 3) - 1
        return step * max(0, min(best, most_tens(s, seat) // step))
    if s.pieces[seat] == 0:
        return PULL
    return PULL if worth_pulling(s, seat) else STOP


# -- betting -----------------------------------------------------------------------------------


@rule
def best_stake(s: State, seat: int) -> int:
    """The stake, in tens, with the greatest expected logarithm of money."""
    money = float(s.chips[seat])
    best = 0
    most = math.log(money + CUSHION)
    step = int(s.step) // UNIT
    for tens in range(step, most_tens(s, seat) + 1, step):
        stake = float(tens * UNIT)
        luck = somebody(s, stake)
        prize = stake * (1.0 + chance_of_highest(s, seat, stake))
        worth = luck * math.log(money + prize + CUSHION)
        worth += (1.0 - luck) * math.log(money - stake + CUSHION)
        if worth > most:
            best = tens
            most = worth
    return best


@rule
def chance_of_highest(s: State, seat: int, stake: float) -> float:
    """About how likely this stake is the round's highest: the double (C18)."""
    likely = 1.0
    for i in range(s.seats):
        if i != seat:
            usual = max(10.0, min(USUAL, s.chips[i] / 2.0))
            likely *= stake / (stake + usual)
    return likely


# -- pulling -----------------------------------------------------------------------------------


@rule
def worth_pulling(s: State, seat: int) -> bool:
    """Whether going on, for the best of a few aims, beats stopping here (C10, C11)."""
    coal = int(s.coal[seat])
    pieces = int(s.pieces[seat])
    stop = payoff(s, seat, coal, pieces)
    bust = payoff(s, seat, 0, 0) - due(s, seat)
    mean = max(1.0, mean_coal(s))
    p = 1.0
    for more in range(1, AIMS + 1):
        p *= safe(s)
        aim = payoff(s, seat, coal + more * mean, pieces + more)
        if p * aim + (1.0 - p) * bust > stop:
            return True
    return False


@rule
def due(s: State, seat: int) -> float:
    """What a devil would cost the finder in pacts (C14)."""
    holders = 0
    for i in range(s.seats):
        holders += int(collects(s, i, seat))
    return float(PAY * min(holders, s.purse[seat] // PAY))


@rule
def payoff(s: State, seat: int, coal: float, pieces: int) -> float:
    """What ending the turn with this coal is worth to the seat, less what it is to the others."""
    best = coal
    most = pieces
    highest = 0
    for i in range(s.seats):
        if i != seat:
            best = max(best, s.coal[i])
            most = max(most, s.pieces[i])
        highest = max(highest, s.stake[i])
    worth = bonuses(s, coal, pieces, best, most)
    for i in range(s.seats):
        weight = 1.0 if i == seat else -0.5 / (s.seats - 1)
        worth += weight * expected_prize(s, i, best, highest)
    return worth


@rule
def bonuses(s: State, coal: float, pieces: int, best: float, most: int) -> float:
    """C19 with players still to pull: each may yet do better."""
    if pieces == 0:
        return 0.0
    worth = 0.0
    if coal >= best:
        worth += PAY * (1.0 - REACHING * reach(s, coal + float(UNIT))) ** to_come(s)
    if pieces >= most:
        worth += PAY * (1.0 - REACHING * safe(s) ** (pieces + 1)) ** to_come(s)
    return worth
