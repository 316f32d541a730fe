"""What a sensible player of TAILS does: long tails for his side, short ones for the others.

A closed tail is worth its points; an open one what it comes to if the next two cells on its way
get any tile, and beyond them what such lines come to on the average. A tile is laid so that all
bodies together are worth most to its side. A cell is named where the average tile does most good
to the lines through it and, with twins, the next player's does least on the other one.
"""

from math import exp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.games.tails.rules.board import ACROSS, BODIES, CELLS, ENDS, HEAD, TWIN_OF
from diablerie.games.tails.rules.play import barred, choosable, left, returns
from diablerie.games.tails.rules.scoring import ends_in_tail, follow, owner, side_of, sides
from diablerie.games.tails.rules.state import JOIN, KINDS, PASS, ROTATIONS, TURN, Node

# Means of random games: points an open tail is still to gain, and what of its length will count,
# less and less as the cells fill and more lines end on bodies.
TO_COME, KEPT, LOST = 4.65, 0.9, 0.4
MEET = np.array(  # how likely a random tile joins two ends of its cell
    [[sum(JOIN[:, a] == b) / len(JOIN) for b in range(ENDS)] for a in range(ENDS)]
)


@rule
def advise(s: Record, seat: int, rng: Rng) -> int:
    """The verb."""
    if s.node == Node.PASS:
        return PASS
    if s.node == Node.CELL:
        return best_cell(s, seat)
    best, most = 0, 0.0
    for rotation in range(ROTATIONS[s.kind]):
        gain = laid_so(s, side_of(s, seat), rotation)
        if rotation == 0 or gain > most:
            best, most = rotation, gain
    return TURN + best


# -- the worth of a position ---------------------------------------------------------------------


@rule
def laid_so(s: Record, side: int, rotation: int) -> float:
    """What the position is worth to a side if the tile in hand is laid so."""
    s.laid[s.cell] = 3 * s.kind + rotation
    total = 0.0
    for body in range(BODIES):
        total += sign(s, side, body) * prospect(s, body)
    s.laid[s.cell] = -1
    return total


@rule
def sign(s: Record, side: int, body: int) -> float:
    """For a side its own bodies count, and another's against it."""
    return 1.0 if owner(s, body) == side else -1.0 / (sides(s) - 1)


@rule
def prospect(s: Record, body: int) -> float:
    """The points a body may expect, looking two cells ahead."""
    at, n = follow(s, int(HEAD[body]))
    if at < 0:
        return expected(s, at, n)
    total = 0.0
    end = at % ENDS
    for other in range(ENDS):
        if MEET[end, other] > 0.0:
            onward, m = follow(s, int(ACROSS[at - end + other]))
            total += MEET[end, other] * one_ahead(s, onward, n + 1 + m)
    return total


@rule
def one_ahead(s: Record, at: int, n: int) -> float:
    """The points a line may expect that leads there over so many tiles, looking one cell ahead."""
    if at < 0:
        return expected(s, at, n)
    total = 0.0
    end = at % ENDS
    for other in range(ENDS):
        if MEET[end, other] > 0.0:
            onward, m = follow(s, int(ACROSS[at - end + other]))
            total += MEET[end, other] * expected(s, onward, n + 1 + m)
    return total


@rule
def expected(s: Record, at: int, n: int) -> float:
    """The points a line comes to on the average that leads there over so many tiles."""
    if at < 0:
        return float(n) if ends_in_tail(at) else 0.0
    return TO_COME + n * (KEPT - LOST * s.count / CELLS)


# -- where to lay --------------------------------------------------------------------------------


@rule
def best_cell(s: Record, seat: int) -> int:
    """Of the cells one may choose, the most promising."""
    mask = choosable(s, seat) & ~barred(s, seat)
    side = side_of(s, seat)
    best, most = -1, 0.0
    for cell in range(CELLS):
        if mask >> cell & 1:
            promise = swing(s, side, cell)
            if sides(s) == 2:
                promise -= swing(s, 1 - side, int(TWIN_OF[cell]))
            if best < 0 or promise > most:
                best, most = cell, promise
    return best


@rule
def swing(s: Record, side: int, cell: int) -> float:
    """What the next tile is likely to bring the side that lays it on a cell."""
    arms = arms_of(s, cell)
    total = 0.0
    for kind in range(KINDS):
        if s.stock[kind] > 0:
            most = through(s, side, arms, 3 * kind)
            for rotation in range(1, ROTATIONS[kind]):
                most = max(most, through(s, side, arms, 3 * kind + rotation))
            total += s.stock[kind] * most
    return total / left(s) - before(s, side, arms)


@rule
def arms_of(s: Record, cell: int) -> Any:
    """Where the lines from the six ends of an empty cell lead, how long each is, and the cell."""
    at = ENDS * cell
    a, i = follow(s, int(ACROSS[at]))
    b, j = follow(s, int(ACROSS[at + 1]))
    c, k = follow(s, int(ACROSS[at + 2]))
    d, m = follow(s, int(ACROSS[at + 3]))
    e, n = follow(s, int(ACROSS[at + 4]))
    f, o = follow(s, int(ACROSS[at + 5]))
    return (a, b, c, d, e, f), (i, j, k, m, n, o), cell


@rule
def through(s: Record, side: int, arms: Any, tile: int) -> float:
    """What the bodies' lines through a cell are worth to a side with this tile on it."""
    ats, lengths, cell = arms
    total = 0.0
    for start in range(ENDS):
        if at_body(ats[start]):
            end = int(JOIN[tile, start])
            n = lengths[start] + lengths[end] + 1
            while ats[end] >= 0 and ats[end] // ENDS == cell:  # the line comes back
                end = int(JOIN[tile, ats[end] % ENDS])
                n += lengths[end] + 1
            total += sign(s, side, (-1 - ats[start]) // 2) * expected(s, ats[end], n)
    return total


@rule
def before(s: Record, side: int, arms: Any) -> float:
    """What they are worth while the cell is empty."""
    ats, lengths, _ = arms
    total = 0.0
    for start in range(ENDS):
        if at_body(ats[start]):
            total += sign(s, side, (-1 - ats[start]) // 2) * expected(s, 0, lengths[start])
    return total


@rule
def at_body(at: int) -> bool:
    """Whether a line ends at a body there."""
    return at < 0 and at % 2 != 0


# -- the value -----------------------------------------------------------------------------------


@rule
def value(s: Record, out: NDArray[Any]) -> None:
    """The verb: the points all may expect, and how much can still change."""
    if s.node == Node.OVER:
        returns(s, out)
        return
    for seat in range(s.seats):
        out[seat] = 0.0
    for body in range(BODIES):
        points = prospect(s, body)
        for seat in range(owner(s, body), s.seats, sides(s)):
            out[seat] += points
    as_utilities(s, out)


@rule
def as_utilities(s: Record, out: NDArray[Any]) -> None:
    """Expected sums to chances to win, and these to utilities."""
    spread = 4.0 + 2.6 * sqrt(float(CELLS - s.count))
    top, total = out[0], 0.0
    for seat in range(s.seats):
        top = max(top, out[seat])
    for seat in range(s.seats):
        out[seat] = exp((out[seat] - top) / spread)
        total += out[seat]
    team = s.seats // sides(s)
    for seat in range(s.seats):
        p = team * out[seat] / total
        out[seat] = p / team - (1.0 - p) / (s.seats - team)
