"""Chance nodes that games share: who begins, and drawing without replacement."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import inlined


@inlined
def who_begins(seats: int, out: NDArray[Any], p: NDArray[Any]) -> int:
    """Every seat is equally likely. Writes outcomes and probabilities as `verbs.chance` does."""
    for seat in range(seats):
        out[seat], p[seat] = seat, 1.0 / seats
    return seats


@inlined
def by_count(left: NDArray[Any], out: NDArray[Any], p: NDArray[Any]) -> int:
    """One of the things that are left: kind k with a chance in proportion to `left[k]`.

    Writes the kinds of which any are left, and their probabilities; returns their number.
    """
    share = 1.0 / total(left)
    n = 0
    for kind in range(len(left)):
        if left[kind] > 0:
            out[n], p[n] = kind, left[kind] * share
            n += 1
    return n


@inlined
def total(left: NDArray[Any]) -> int:
    """How many things are left, of all kinds."""
    count = 0
    for kind in range(len(left)):
        count += int(left[kind])
    return count
