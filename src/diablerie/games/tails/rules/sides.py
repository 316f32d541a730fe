"""Who plays together (T5), and the cells this bars (T11), as tables by the number of players.

With 2 and 3 every seat is a side of its own, with 4 those opposite are one. Sides count from 0; the
lowest seat of a side has the side's number.
"""

import numpy as np

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.tails.rules.board import BODIES, BODY, mask_of

SEATS = (2, 3, 4)
COUNT = (0, 0, 2, 3, 2)  # sides, by seats
SIDE = np.array([[seat % max(n, 1) for seat in range(SEATS[-1])] for n in COUNT], np.int8)
OWNER = np.array(
    [[body // (BODIES // max(n, 1)) for body in range(BODIES)] for n in COUNT], np.int8
)


def _foreign(seats: int, side: int) -> int:
    return mask_of(cell for cell, body in BODY.items() if OWNER[seats, body] != side)


# By seats, then side: mask of the border cells with another side's body.
FOREIGN = np.array([[_foreign(n, side) for side in range(3)] for n in range(5)], np.int64)


@rule
def sides(s: Record) -> int:
    """How many sides play against each other."""
    return COUNT[s.seats]


@rule
def side_of(s: Record, seat: int) -> int:
    """The side of a seat."""
    return int(SIDE[s.seats, seat])


@rule
def owner(s: Record, body: int) -> int:
    """The side that a body, 0 to 17, belongs to."""
    return int(OWNER[s.seats, body])
