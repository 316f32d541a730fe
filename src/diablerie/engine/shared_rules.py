"""Rules that games share: who begins, drawing without replacement, utilities."""

from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import Floats, Ints, inlined, rule


@inlined
def who_begins(seats: int, out: Ints, p: Floats) -> int:
    """Every seat is equally likely. Writes outcomes and probabilities as `verbs.chance` does."""
    for seat in range(seats):
        out[seat] = seat
        p[seat] = 1.0 / seats
    return seats


@inlined
def by_count(left: NDArray[np.integer[Any]], out: Ints, p: Floats) -> int:
    """Draw one of the things that are left: kind k with a probability in proportion to `left[k]`.

    Writes the kinds of which any are left, and their probabilities; returns their number.
    """
    share = 1.0 / total(left)
    n = 0
    for kind in range(len(left)):
        if left[kind] > 0:
            p[n] = left[kind] * share
            out[n] = kind
            n += 1
    return n


@inlined
def total(left: NDArray[np.integer[Any]]) -> int:
    """How many things are left, of all kinds."""
    count = 0
    for kind in range(len(left)):
        count += int(left[kind])
    return count


# -- utilities ---------------------------------------------------------------------------------


@rule
def winner_takes_all(score: NDArray[np.number[Any]], n: int, out: Floats) -> None:
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
def softmax_to_utilities(worth: Floats, n: int, out: Floats) -> None:
    """Utilities, summing to 0, of seats whose chances to win are the softmax of their worths.

    worth: float64, at least n entries, may be `out` itself.
    """
    top = worth[0]
    total = 0.0
    for i in range(n):
        top = max(top, worth[i])
    for i in range(n):
        out[i] = exp(worth[i] - top)
        total += out[i]
    for i in range(n):
        share = out[i] / total
        out[i] = share - (1.0 - share) / (n - 1)
