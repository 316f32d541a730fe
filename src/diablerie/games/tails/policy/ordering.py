"""The order of the cells that may be named: by what the next tile there is likely to bring."""

from typing import Any

from diablerie.engine.chances import total
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.tails.policy.evaluation import mean_points, open_points, sign
from diablerie.games.tails.rules.board import ACROSS, ENDS
from diablerie.games.tails.rules.lines import at_body, body_at, follow
from diablerie.games.tails.rules.tiles import JOIN, KINDS, ROTATIONS, code


@rule
def gain(s: Record, side: int, cell: int) -> float:
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
def with_tile(s: Record, side: int, arms: Any, tile: int) -> float:
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
def while_empty(s: Record, side: int, arms: Any) -> float:
    """What they are worth while the cell is empty."""
    ats, lengths, _ = arms
    points = 0.0
    for start in range(ENDS):
        if at_body(ats[start]):
            points += sign(s, side, body_at(ats[start])) * open_points(s, lengths[start])
    return points
