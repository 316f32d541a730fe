"""How a position of TAILS stands: the points every tail may still bring.

A closed tail is worth its points; an open one what it comes to if the next two cells on its way
get any tile, and beyond them what such lines come to on the average.
"""

from math import sqrt

import numpy as np

from diablerie.engine.compile import Floats, rule
from diablerie.engine.shared_rules import softmax_to_utilities
from diablerie.games.tails.rules.lines import follow
from diablerie.games.tails.rules.sides import owner, returns, side_of, sides, worth
from diablerie.games.tails.rules.state import ACROSS, BODIES, CELLS, ENDS, HEAD, JOIN, Node, State

# Means of random games: points an open tail is still to gain, and what of its length will count,
# less and less as the cells fill and more lines end on bodies.
TO_COME = 4.65
KEPT = 0.9
LOST = 0.4
# The lead in points that multiplies the odds by e: at the end, and more by the root of the cells
# left. Within a point of what fits best who won 4,000 advised games with 2, from 40 cells to 2.
SPREAD = 4.0
SPREAD_BY_ROOT = 2.6
# how likely a random tile joins two ends of its cell
MEET = np.zeros((ENDS, ENDS))
for _a, _b in np.ndindex(MEET.shape):
    MEET[_a, _b] = sum(JOIN[:, _a] == _b) / len(JOIN)


@rule
def value(s: State, out: Floats) -> None:
    """The verb: the points all may expect, and how much can still change."""
    if s.node == Node.OVER:
        returns(s, out)
        return
    n = sides(s)
    spread = SPREAD + SPREAD_BY_ROOT * sqrt(float(CELLS - s.count))
    out[:n] = 0.0
    for body in range(BODIES):
        out[owner(s, body)] += expected_points(s, body) / spread
    softmax_to_utilities(out, n, out)
    for seat in range(s.seats - 1, -1, -1):  # downwards: each side's stands at its lowest seat
        out[seat] = out[side_of(s, seat)] * n / s.seats


@rule
def balance(s: State, side: int) -> float:
    """The points a side may expect, less the mean of the other sides'."""
    total = 0.0
    for body in range(BODIES):
        total += sign(s, side, body) * expected_points(s, body)
    return total


@rule
def sign(s: State, side: int, body: int) -> float:
    """What a point of a body is worth to a side: 1 for its own, less than 0 for another's."""
    return 1.0 if owner(s, body) == side else -1.0 / (sides(s) - 1)


# -- one line ------------------------------------------------------------------------------------
# It leads to a place (see `rules/lines.py`) over so many tiles.


@rule
def expected_points(s: State, body: int) -> float:
    """The points a body may expect, looking two cells ahead."""
    at, n = follow(s, int(HEAD[body]))
    if at < 0:
        return float(worth(at, n))
    total = 0.0
    end = at % ENDS
    for other in range(ENDS):
        if MEET[end, other] > 0.0:
            onward, m = follow(s, int(ACROSS[at - end + other]))
            total += MEET[end, other] * one_ahead(s, onward, n + 1 + m)
    return total


@rule
def one_ahead(s: State, at: int, n: int) -> float:
    """The points a line may expect, looking one cell ahead."""
    if at < 0:
        return float(worth(at, n))
    total = 0.0
    end = at % ENDS
    for other in range(ENDS):
        if MEET[end, other] > 0.0:
            onward, m = follow(s, int(ACROSS[at - end + other]))
            total += MEET[end, other] * mean_points(s, onward, n + 1 + m)
    return total


@rule
def mean_points(s: State, at: int, n: int) -> float:
    """The points a line comes to on the average."""
    return float(worth(at, n)) if at < 0 else open_points(s, n)


@rule
def open_points(s: State, n: int) -> float:
    """The points an open line comes to on the average."""
    return TO_COME + n * (KEPT - LOST * s.count / CELLS)
