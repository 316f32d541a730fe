"""The kitchen: where one can be, and which paths join the cells.

A cell is a lattice point, 0 to 35 row by row (K4); a space is a cell that is a cooking place. All
tables are computed from `DIAGONALS` and the lattice; another board is another set of these
constants.
"""

from collections.abc import Iterable, Iterator

import numpy as np

SIDE = 6
CELLS = SIDE * SIDE
COLOURS = 4  # K6: yellow, violet, blue, green, clockwise


def cell(row: int, column: int) -> int:
    """The number of a lattice point."""
    return row * SIDE + column


# Column letter and row number: the start of yellow is a1, that of blue f6.
NAMES = tuple("abcdef"[at % SIDE] + "123456"[at // SIDE] for at in range(CELLS))

# By colour (K4, K6): starts in the corners, each one's grill by the corner opposite.
STARTS = (cell(0, 0), cell(0, 5), cell(5, 5), cell(5, 0))
GRILLS = (cell(4, 4), cell(4, 1), cell(1, 1), cell(1, 4))
HOLE = (cell(2, 2), cell(2, 3), cell(3, 2), cell(3, 3))  # the stove
SPACES = tuple(at for at in range(CELLS) if at not in (*STARTS, *GRILLS, *HOLE))

# K5: what joins beside the lattice's own neighbours.
DIAGONALS = (
    ((1, 2), (2, 1)),
    ((1, 3), (2, 4)),
    ((3, 4), (4, 3)),
    ((4, 2), (3, 1)),
    ((0, 1), (1, 0)),
    ((0, 4), (1, 5)),
    ((4, 5), (5, 4)),
    ((5, 1), (4, 0)),
)


def _joins() -> Iterator[tuple[int, int]]:
    for row in range(SIDE):
        for column in range(SIDE):
            if column + 1 < SIDE:
                yield cell(row, column), cell(row, column + 1)
            if row + 1 < SIDE:
                yield cell(row, column), cell(row + 1, column)
    for a, b in DIAGONALS:
        yield cell(*a), cell(*b)


PATHS = tuple(
    sorted((min(a, b), max(a, b)) for a, b in _joins() if a not in HOLE and b not in HOLE)
)


def _joined(at: int) -> list[int]:
    return sorted({*(b for a, b in PATHS if a == at), *(a for a, b in PATHS if b == at)})


NEIGHBOURS = tuple(tuple(_joined(at)) for at in range(CELLS))
EXITS = tuple(NEIGHBOURS[start] for start in STARTS)


def _distances_to(goal: int) -> list[int]:
    """The fewest steps from every cell to `goal`; starts and grills are never passed through.

    A cell from which no way leads there is `CELLS` steps away.
    """
    far = [CELLS] * CELLS
    far[goal] = 0
    edge = [goal]
    while edge:
        met = sorted({b for a in edge for b in NEIGHBOURS[a] if far[b] == CELLS})
        for b in met:
            far[b] = far[edge[0]] + 1
        edge = [b for b in met if b in SPACES]
    return far


# -- the same as tables for rules --------------------------------------------------------------
# What is read from one is widened with int(…) before it enters arithmetic.

FLIGHT = CELLS  # the row of TARGETS for two wings: every space (K16)
NOWHERE = -1

TARGETS = np.full((CELLS + 1, len(SPACES)), NOWHERE, np.int8)
for _at, _near in enumerate(NEIGHBOURS):
    TARGETS[_at, : len(_near)] = _near
TARGETS[FLIGHT] = SPACES

SPACE = np.array(SPACES, np.int8)
START = np.array(STARTS, np.int8)
GRILL = np.array(GRILLS, np.int8)
DISTANCE = np.array([_distances_to(goal) for goal in range(CELLS)], np.int8)  # [goal, from]


def _bits(cells: Iterable[int]) -> int:
    """A set of cells as a bit mask."""
    return sum(1 << cell for cell in cells)


NEAR = np.array([_bits(near) for near in NEIGHBOURS], np.int64)
SPACE_BITS = _bits(SPACES)
START_BITS = _bits(STARTS)
GRILL_BITS = _bits(GRILLS)
