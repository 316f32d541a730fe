"""Estimates with 95 % intervals, from tables whose games belong together."""

from math import copysign, erfc, inf, log10, sqrt
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

Z = 1.959964  # of 95 %
Numbers = NDArray[Any]


class Estimate(msgspec.Struct, frozen=True):
    """A number as measured, and the interval it lies in with 95 % confidence."""

    value: float
    low: float
    high: float


def share(won: Numbers, seats: Numbers, fair: float) -> Estimate:
    """The share won of the seats taken; both by table, since a table's games are correlated.

    Normal, on the means of tables, with one table added that was won outright and so many that
    were lost that their share is the fair one: for pairs, the four games of Agresti and Coull's
    “plus four”. So it is never of width 0, nor too narrow near 0 and 1.
    """
    centre, error = _centre(won, seats, fair)
    value = float(won.sum() / seats.sum())
    low, high = centre - Z * error, centre + Z * error
    return Estimate(value, min(value, max(0.0, low)), max(value, min(1.0, high)))


def chance_of(won: Numbers, seats: Numbers, fair: float) -> float:
    """How likely a share as far from the fair one is by luck alone (two-sided)."""
    centre, error = _centre(won, seats, fair)
    return erfc(abs(centre - fair) / error / sqrt(2))


def _centre(won: Numbers, seats: Numbers, fair: float) -> tuple[float, float]:
    """Mean and standard error of a ratio, over tables and the added ones."""
    w, n = padded(won, seats, fair)
    centre = w.sum() / n.sum()
    spread = ((w - centre * n) ** 2).sum() * len(w) / (len(w) - 1)
    return float(centre), float(np.sqrt(spread) / n.sum())


def padded(won: Numbers, seats: Numbers, fair: float) -> tuple[Numbers, Numbers]:
    """With a table won outright, and lost ones so that the added share is the fair one."""
    size = seats.mean()
    lost = round(1 / fair) - 1
    more = np.array([size] + [0.0] * lost)
    return np.append(won, more), np.append(seats, np.full(len(more), size))


def elo(score: float) -> float:
    """The difference in Elo that makes a score expected."""
    if not 0 < score < 1:
        return copysign(inf, score - 0.5)
    return 400 * log10(score / (1 - score)) + 0.0


def elo_of(score: Estimate) -> Estimate:
    """The same, of an estimate."""
    return Estimate(elo(score.value), elo(score.low), elo(score.high))
