"""What a position of COALS is worth: money on the way to the goal, and the odds of getting it.

The odds rest on the share of devils among the pieces left, and on the mean value of the coals: the
next k pieces hold no devil with a probability of about (1 - share)^k.
"""

from diablerie.engine.compile import Floats, rule
from diablerie.engine.shared_rules import softmax_to_utilities, total
from diablerie.games.coals.rules.state import DEVIL, PAY, UNIT, VALUES, Node, State

BEYOND = 400.0  # money above the goal counts up to so much


@rule
def value(s: State, out: Floats) -> None:
    """The verb: shares of the win by money on the way to the goal (C21)."""
    for i in range(s.seats):
        out[i] = log_chance(progress(s, i))
    softmax_to_utilities(out, s.seats, out)


@rule
def log_chance(x: float) -> float:
    """The logarithm, but for a constant, of the chance to win with this part of the goal.

    Fitted to the ends of 60,000 games of sensible players, with the goal of 1600: money matters
    little until it is much.
    """
    return 2.0 * x + 0.5 * x**2 + 2.0 * x**4


@rule
def progress(s: State, seat: int) -> float:
    """Money, with what stakes and coal in front are worth so far, as a part of the goal."""
    money = float(s.chips[seat])
    if s.node == Node.PULL or s.node == Node.COAL:
        best = 0.0
        highest = 0
        for i in range(s.seats):
            best = max(best, s.coal[i])
            highest = max(highest, s.stake[i])
        money += s.stake[seat] + expected_prize(s, seat, best, highest)
        money += PAY * (s.coal[seat] == best and best > 0)
    return min(max(money, 0.0), s.goal + BEYOND) / s.goal


# -- odds --------------------------------------------------------------------------------------


REACHING = 0.8  # the share of players who go on until they have so much; others stop with less


@rule
def safe(s: State) -> float:
    """The chance that the next piece is no devil."""
    left = total(s.furnace)
    return 1.0 - s.furnace[DEVIL] / left if left > 0 else 0.0


@rule
def mean_coal(s: State) -> float:
    """The mean value of the coals left that are no devils."""
    coal = 0
    count = 0
    for kind in range(DEVIL):
        coal += int(s.furnace[kind]) * VALUES[kind]
        count += int(s.furnace[kind])
    return coal / count if count > 0 else float(UNIT)


@rule
def reach(s: State, coal: float) -> float:
    """The chance of pulling so much coal in a row without waking a devil."""
    if coal <= 0.0:
        return 1.0
    return float(safe(s) ** max(1.0, coal / mean_coal(s)))


@rule
def somebody(s: State, coal: float) -> float:
    """The chance that at least one player pulls so much coal, before anybody has pulled."""
    return float(1.0 - (1.0 - reach(s, coal)) ** s.seats)


@rule
def to_come(s: State) -> int:
    """How many players are still to pull after the one who pulls now."""
    return (s.first - s.turn - 1) % s.seats


@rule
def expected_prize(s: State, i: int, best: float, highest: int) -> float:
    """C17, C18 with players still to pull: the expected gain of seat i's stake.

    best: the best coal so far; highest: the round's highest stake.
    """
    stake = float(s.stake[i])
    luck = 1.0
    if stake > best:
        luck = 1.0 - (1.0 - REACHING * reach(s, stake)) ** to_come(s)
    double = 2.0 if s.stake[i] == highest else 1.0
    return luck * stake * double - (1.0 - luck) * stake
