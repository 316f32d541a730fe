"""The record of TAILS, what is decided, the numbers of the actions, and the hexagon.

The hexagon is computed: cells, neighbours, border, sectors, numbers, twins; and so are the tiles.
A cell is a place (row, x): rows 0-5 from the top, x counted in half edges from the middle. Cells
are indexed 0-53 row by row, each row left to right. A cell has sides 0-2 and line ends 0-5, two on
each side, clockwise; they are numbered so that side k always meets side k of the neighbour. Lengths
are in edges of a cell, the origin is the middle of the hexagon, y grows downwards.
"""

import math
from collections.abc import Iterable
from enum import IntEnum
from typing import Annotated

import numpy as np

from diablerie.engine.compile import rule
from diablerie.engine.record import Record, Row, i8, i64, record

SIDE = 3  # edges on a side of the hexagon
ROWS = 2 * SIDE
LETTERS = "ABCDEFGHIKLMNOPRST"  # T4
BODIES = len(LETTERS)
ENDS = 6  # line ends of a cell
HEIGHT = math.sqrt(3) / 2  # of a cell

Place = tuple[int, int]
Point = tuple[float, float]


def half_width(row: int) -> int:
    """How far a row's cells reach to either side of the middle."""
    return SIDE + min(row, ROWS - 1 - row)


PLACES: list[Place] = [
    (row, x) for row in range(ROWS) for x in range(-half_width(row), half_width(row) + 1)
]
CELLS = len(PLACES)
INDEX = {place: cell for cell, place in enumerate(PLACES)}


def points_up(place: Place) -> bool:
    """Whether the cell stands on its base."""
    return sum(place) % 2 == 1


def beside(place: Place, side: int) -> Place:
    """The place across a side, on the board or not."""
    row, x = place
    if points_up(place):
        return ((row, x + 1), (row + 1, x), (row, x - 1))[side]
    return ((row, x - 1), (row - 1, x), (row, x + 1))[side]


def corners(cell: int) -> list[Point]:
    """The three corners, in edges of a cell; side k goes clockwise from corner k to corner k+1."""
    row, x = PLACES[cell]
    top = (row - SIDE) * HEIGHT
    bottom = (row + 1 - SIDE) * HEIGHT
    if points_up(PLACES[cell]):
        return [(x / 2, top), ((x + 1) / 2, bottom), ((x - 1) / 2, bottom)]
    return [(x / 2, bottom), ((x - 1) / 2, top), ((x + 1) / 2, top)]


def along(a: Point, b: Point, part: float) -> Point:
    """The point so far on the way from a to b."""
    return (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)


def end_point(cell: int, end: int) -> Point:
    """Where a line end lies: a third or two thirds along its side."""
    around = corners(cell)
    side = end // 2
    return along(around[side], around[(side + 1) % 3], (1 + end % 2) / 3)


def middle(cell: int) -> Point:
    """The centre of a cell."""
    around = corners(cell)
    return (sum(x for x, _ in around) / 3, sum(y for _, y in around) / 3)


def clock(point: Point) -> float:
    """Degrees clockwise from the left corner of the hexagon (T4)."""
    return math.degrees(math.atan2(-point[1], -point[0])) % 360


def _outer_edges() -> list[tuple[int, int]]:
    edges = [
        (cell, side)
        for cell, place in enumerate(PLACES)
        for side in range(3)
        if beside(place, side) not in INDEX
    ]

    def angle(edge: tuple[int, int]) -> float:
        cell, side = edge
        return clock(along(end_point(cell, 2 * side), end_point(cell, 2 * side + 1), 0.5))

    return sorted(edges, key=angle)


def _numbers() -> list[int]:
    """T2: the near half row by row from its own edge, the far half by the half turn."""
    near = sorted(range(CELLS // 2, CELLS), key=lambda cell: (-PLACES[cell][0], cell))
    number = {cell: k + 1 for k, cell in enumerate(near)}
    return [number.get(cell) or number[TWIN[cell]] for cell in range(CELLS)]


BORDER = _outer_edges()  # T3, T4: (cell, side) of the 18 outer edges, clockwise from A
BODY = {cell: body for body, (cell, _) in enumerate(BORDER)}  # border cell -> its body
SECTOR = [int(clock(middle(cell)) // 60) for cell in range(CELLS)]  # T1
TWIN = [INDEX[ROWS - 1 - row, -x] for row, x in PLACES]  # T2
NUMBER = _numbers()


# -- tables for the rules: a line end anywhere is 6·cell + end ------------------------------------


def _across(cell: int, end: int) -> int:
    """The same point seen from the neighbour, or -1-k at the border: k even a body, odd a tail."""
    other = INDEX.get(beside(PLACES[cell], end // 2))
    if other is None:
        return -1 - 2 * BODY[cell] - end % 2
    return ENDS * other + (end ^ 1)


def mask_of(cells: Iterable[int]) -> int:
    """A set of cells as the bits of a number."""
    return sum(1 << cell for cell in cells)


ACROSS = np.array([_across(cell, end) for cell in range(CELLS) for end in range(ENDS)], np.int16)
HEAD = np.array([ENDS * cell + 2 * side for cell, side in BORDER], np.int16)  # where bodies start
SECTOR_OF = np.array(SECTOR, np.int8)
TWIN_OF = np.array(TWIN, np.int8)
ALL_CELLS = mask_of(range(CELLS))
SECTOR_MASK = np.array(
    [mask_of(np.flatnonzero(SECTOR_OF == k).tolist()) for k in range(6)], np.int64
)


# -- the seven tiles (T6, T7): which of a cell's ends each of them joins -----------------------


PAIRS = (  # T6: the first three kinds look the same however turned
    ((0, 1), (2, 3), (4, 5)),
    ((0, 5), (1, 2), (3, 4)),
    ((0, 3), (1, 4), (2, 5)),
    ((0, 1), (2, 4), (3, 5)),
    ((0, 1), (2, 5), (3, 4)),
    ((0, 2), (1, 4), (3, 5)),
    ((0, 2), (1, 5), (3, 4)),
)
KINDS = len(PAIRS)
TURNS = 3  # thirds of a full turn
ROTATIONS = (1, 1, 1, 3, 3, 3, 3)  # different ways to lay each kind
COPIES = 8  # T7


def pairs(kind: int, rotation: int) -> list[tuple[int, int]]:
    """The ends of a cell, 0 to 5, that a tile laid so joins, two by two."""
    return [((a + 2 * rotation) % ENDS, (b + 2 * rotation) % ENDS) for a, b in PAIRS[kind]]


def _partners(kind: int, rotation: int) -> list[int]:
    partner = {}
    for a, b in pairs(kind, rotation):
        partner[a] = b
        partner[b] = a
    return [partner[end] for end in range(ENDS)]


# By `code`, then end: the end that it is joined with.
JOIN = np.array([_partners(kind, r) for kind in range(KINDS) for r in range(TURNS)], np.int16)


@rule
def code(kind: int, rotation: int) -> int:
    """A tile and how it lies, as one number from 0 to 20: how `State.laid` keeps it."""
    return TURNS * int(kind) + int(rotation)


# -- the record --------------------------------------------------------------------------------

# Actions: 0 to 53 name a cell, then come the rotations to lay a tile in, and last
LAY = CELLS
PASS = LAY + TURNS
ACTIONS = PASS + 1
OUTCOMES = KINDS


class Node(IntEnum):
    """What is decided next."""

    FIRST = 0
    CELL = 1
    TILE = 2
    ROTATION = 3
    PASS = 4
    OVER = 5


@record
class State(Record):
    """One position."""

    free: i64  # mask of the cells without a tile
    node: i8
    seats: i8
    turn: i8  # whose turn it is
    cell: i8  # named and waiting for its tile, or -1
    forced: i8  # whether that cell is the forced twin (T10)
    kind: i8  # the tile turned up, or -1
    last: i8  # the cell laid last, or -1
    count: i8  # tiles laid
    stock: Annotated[Row, i8, 7]  # tiles left of each kind, the two that stay over among them
    laid: Annotated[Row, i8, 54]  # `code` of the tile on each cell, or -1
