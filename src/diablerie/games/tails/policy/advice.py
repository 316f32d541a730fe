"""What a sensible player of TAILS does: long tails for the own side, short ones for the others.

A tile is laid so that all bodies together are worth most to its side. A cell is named where the
average tile does most good to the lines through it and, with twins, the next player's does least on
the other one.
"""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.games.tails.policy.evaluation import balance
from diablerie.games.tails.policy.ordering import gain
from diablerie.games.tails.rules.board import CELLS
from diablerie.games.tails.rules.legality import choosable
from diablerie.games.tails.rules.play import forced_after
from diablerie.games.tails.rules.sides import side_of
from diablerie.games.tails.rules.state import LAY, PASS, Node
from diablerie.games.tails.rules.tiles import ROTATIONS, code


@rule
def advise(s: Record, seat: int, rng: Rng) -> int:
    """The verb."""
    if s.node == Node.PASS:
        return PASS
    return best_cell(s, seat) if s.node == Node.CELL else LAY + best_rotation(s, seat)


@rule
def best_cell(s: Record, seat: int) -> int:
    """Of the cells one may choose, the most promising."""
    mask = choosable(s, seat)
    side = side_of(s, seat)
    best, most = -1, 0.0
    for cell in range(CELLS):
        if mask >> cell & 1:
            promise = gain(s, side, cell)
            twin = forced_after(s, cell)
            if twin >= 0:
                promise -= gain(s, 1 - side, twin)
            if best < 0 or promise > most:
                best, most = cell, promise
    return best


@rule
def best_rotation(s: Record, seat: int) -> int:
    """Of the ways to lay the tile in hand, the one after which the seat's side stands best."""
    side = side_of(s, seat)
    best, most = 0, 0.0
    for rotation in range(ROTATIONS[s.kind]):
        s.laid[s.cell] = code(s.kind, rotation)
        stands = balance(s, side)
        if rotation == 0 or stands > most:
            best, most = rotation, stands
    s.laid[s.cell] = -1
    return best
