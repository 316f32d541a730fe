"""The board: 49 spaces numbered row by row, sets of them as the bits of one integer.

Space 7r+c is row r+1, column c+1. A set of spaces is an int64 with bit i for space i.
"""

from diablerie.engine.compile import rule

SIDE = 7
SPACES = SIDE * SIDE  # U1
FACE = 24  # U1: the devil's face, in the middle
IVY = (1, 5, 21, 27, 43, 47)  # U2
BOARD = (1 << SPACES) - 1
FACE_BIT = 1 << FACE
DEALT = BOARD & ~FACE_BIT & ~sum(1 << i for i in IVY)  # U5: where cards lie at first
LEFT_EDGE = sum(1 << (SIDE * row) for row in range(SIDE))
RIGHT_EDGE = LEFT_EDGE << (SIDE - 1)
NOT_LEFT, NOT_RIGHT = BOARD & ~LEFT_EDGE, BOARD & ~RIGHT_EDGE


@rule
def bit(space: int) -> int:
    """The set of one space."""
    return 1 << int(space)


@rule
def size(spaces: int) -> int:
    """How many spaces are in a set."""
    n = 0
    while spaces:
        spaces &= spaces - 1
        n += 1
    return n


@rule
def above(space: int) -> int:
    """The spaces of greater index."""
    return BOARD & ~((2 << int(space)) - 1)


@rule
def index(space_bit: int) -> int:
    """The space that is alone in its set."""
    n = 0
    for shift in (32, 16, 8, 4, 2, 1):
        if space_bit >> shift:
            space_bit >>= shift
            n += shift
    return n


@rule
def first(spaces: int) -> int:
    """The least index of a set that is not empty: as many spaces are below it."""
    return size((spaces & -spaces) - 1)


@rule
def without_last(spaces: int) -> int:
    """A set without its greatest index; empty stays empty."""
    return spaces & ~bit(index(spaces)) if spaces else 0


@rule
def spread(spaces: int) -> int:
    """All spaces one orthogonal step away from the set."""
    across = (spaces & NOT_RIGHT) << 1 | (spaces & NOT_LEFT) >> 1
    return (across | spaces << SIDE | spaces >> SIDE) & BOARD


@rule
def flood(start: int, passable: int) -> int:
    """`start` and all spaces connected with it by steps over passable ones."""
    seen, edge = start, start
    while edge:
        edge = spread(edge) & passable & ~seen
        seen |= edge
    return seen


@rule
def distance(a: int, b: int) -> int:
    """Rows plus columns between two spaces (U6)."""
    return abs(a // SIDE - b // SIDE) + abs(a % SIDE - b % SIDE)
