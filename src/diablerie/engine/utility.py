"""Utilities that games share."""

from math import exp
from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule


@rule
def winner_takes_all(score: NDArray[Any], n: int, out: NDArray[Any]) -> None:
    """Share +1 among the seats with the highest score and -1 among the others; all tied: 0."""
    best = score[0]
    for i in range(n):
        best = max(best, score[i])
    winners = 0
    for i in range(n):
        winners += score[i] == best
    for i in range(n):
        if winners == n:
            out[i] = 0.0
        elif score[i] == best:
            out[i] = 1.0 / winners
        else:
            out[i] = -1.0 / (n - winners)


@rule
def softmax_to_utilities(worth: NDArray[Any], n: int, out: NDArray[Any]) -> None:
    """Utilities, summing to 0, of seats whose chance to win goes with the exponential of a worth.

    worth: float64, at least n entries, may be `out` itself.
    """
    top, total = worth[0], 0.0
    for i in range(n):
        top = max(top, worth[i])
    for i in range(n):
        out[i] = exp(worth[i] - top)
        total += out[i]
    for i in range(n):
        share = out[i] / total
        out[i] = share - (1.0 - share) / (n - 1)
