"""The seven tiles of TAILS (T6, T7): which of a cell's ends each of them joins."""

import numpy as np

from diablerie.engine.compile import rule
from diablerie.games.tails.rules.board import ENDS

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
        partner[a], partner[b] = b, a
    return [partner[end] for end in range(ENDS)]


# By `code`, then end: the end that it is joined with.
JOIN = np.array([_partners(kind, r) for kind in range(KINDS) for r in range(TURNS)], np.int16)


@rule
def code(kind: int, rotation: int) -> int:
    """A tile and how it lies, as one number from 0 to 20: how `State.laid` keeps it."""
    return TURNS * int(kind) + int(rotation)
