"""What a position of COALS is worth: money on the way to the goal."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.utility import softmax_to_utilities
from diablerie.games.coals.policy.odds import expected_prize
from diablerie.games.coals.rules.state import PAY, Node

BEYOND = 400.0  # so far past the goal more money is told from less


@rule
def value(s: Record, out: NDArray[Any]) -> None:
    """The verb: shares of the win by money on the way to the goal (C21)."""
    for i in range(s.seats):
        out[i] = log_chance(progress(s, i))
    softmax_to_utilities(out, s.seats, out)


@rule
def log_chance(x: float) -> float:
    """The logarithm of how likely this part of the goal wins, but for a constant.

    Fitted to the ends of 60,000 games of sensible players, with the goal of 1600: money matters
    little until it is much.
    """
    return 2.0 * x + 0.5 * x**2 + 2.0 * x**4


@rule
def progress(s: Record, seat: int) -> float:
    """Money, with what stakes and coal in front are worth so far, as a part of the goal."""
    money = float(s.chips[seat])
    if s.node == Node.PULL or s.node == Node.COAL:
        best, highest = 0.0, 0
        for i in range(s.seats):
            best, highest = max(best, s.coal[i]), max(highest, s.stake[i])
        money += s.stake[seat] + expected_prize(s, seat, best, highest)
        money += PAY * (s.coal[seat] == best and best > 0)
    return min(max(money, 0.0), s.goal + BEYOND) / s.goal
