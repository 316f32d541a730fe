"""What a sensible player of TAILS does: long tails for the own side, short ones for the others.

A tile is laid so that all bodies together are worth most to its side. A cell is named where the
average tile does most good to the lines through it and, with twins, the next player's does least on
the other one.
"""

from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng
from diablerie.engine.shared_rules import total
from diablerie.games.tails.policy.evaluation import balance, mean_points, open_points, sign
from diablerie.games.tails.rules.legality import choosable
from diablerie.games.tails.rules.lines import at_body, body_at, follow
from diablerie.games.tails.rules.play import forced_after
from diablerie.games.tails.rules.sides import side_of
from diablerie.games.tails.rules.state import (
    ACROSS,
    CELLS,
    ENDS,
    JOIN,
    KINDS,
    LAY,
    PASS,
    ROTATIONS,
    Node,
    State,
    code,
)

Arms = tuple[tuple[int, ...], tuple[int, ...], int]  # see `arms_of`


@rule
def advise(s: State, seat: int, rng: Rng) -> int:
    """The verb: the most promising cell, or the rotation that is best for the seat's side."""
    if s.node == Node.PASS:
        return PASS
    return best_cell(s, seat) if s.node == Node.CELL else LAY + best_rotation(s, seat)


@rule
def best_cell(s: State, seat: int) -> int:
    """Of the cells one may choose, the most promising."""
    mask = choosable(s, seat)
    side = side_of(s, seat)
    best = -1
    most = 0.0
    for cell in range(CELLS):
        if mask >> cell & 1:
            promise = gain(s, side, cell)
            twin = forced_after(s, cell)
            if twin >= 0:
                promise -= gain(s, 1 - side, twin)
            if best < 0 or promise > most:
                best = cell
                most = promise
    return best


@rule
def best_rotation(s: State, seat: int) -> int:
    """Of the ways to lay the tile in hand, the one after which the seat's side stands best."""
    side = side_of(s, seat)
    best = 0
    most = 0.0
    for rotation in range(ROTATIONS[s.kind]):
        s.laid[s.cell] = code(s.kind, rotation)
        stands = balance(s, side)
        if rotation == 0 or stands > most:
            best = rotation
            most = stands
    s.laid[s.cell] = -1
    return best


# -- what the next tile on a cell is likely to bring -------------------------------------------


@rule
def gain(s: State, side: int, cell: int) -> float:
    """What the next tile is likely to bring the side that lays it on a cell, in points."""
    arms = arms_of(s, cell)
    likely = 0.0
    for kind in range(KINDS):
        if s.stock[kind] > 0:
            most = with_tile(s, side, arms, code(kind, 0))
            for rotation in range(1, ROTATIONS[kind]):
                most = max(most, with_tile(s, side, arms, code(kind, rotation)))
            likely += s.stock[kind] * most
    return likely / total(s.stock) - while_empty(s, side, arms)


@rule
def arms_of(s: State, cell: int) -> Arms:
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
def with_tile(s: State, side: int, arms: Arms, tile: int) -> float:
    """What the bodies' lines through a cell are worth to a side with this tile on it."""
    ats, lengths, cell = arms
    points = 0.0
    for start in range(ENDS):
        if at_body(ats[start]):
            end = int(JOIN[tile, start])
            n = lengths[start] + lengths[end] + 1
            while ats[end] >= 0 and ats[end] // ENDS == cell:  # the line comes back
                end = int(JOIN[tile, ats[end] % ENDS])
                n += lengths[end] + 1
            points += sign(s, side, body_at(ats[start])) * mean_points(s, ats[end], n)
    return points


@rule
def while_empty(s: State, side: int, arms: Arms) -> float:
    """What the bodies' lines through a cell are worth to a side while the cell is empty."""
    ats, lengths, _ = arms
    points = 0.0
    for start in range(ENDS):
        if at_body(ats[start]):
            points += sign(s, side, body_at(ats[start])) * open_points(s, lengths[start])
    return points
