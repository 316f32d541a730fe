"""Utilities that games share."""

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
