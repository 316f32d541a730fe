"""The record of TAILS, its tiles, and what the fields mean."""

from enum import IntEnum

import numpy as np

from diablerie.engine.record import i8, i64, record
from diablerie.games.tails.rules.board import CELLS, ENDS

# T6: a tile joins its ends in pairs; the first three kinds look the same however turned
LINES = (
    ((0, 1), (2, 3), (4, 5)),
    ((0, 5), (1, 2), (3, 4)),
    ((0, 3), (1, 4), (2, 5)),
    ((0, 1), (2, 4), (3, 5)),
    ((0, 1), (2, 5), (3, 4)),
    ((0, 2), (1, 4), (3, 5)),
    ((0, 2), (1, 5), (3, 4)),
)
KINDS = len(LINES)
ROTATIONS = (1, 1, 1, 3, 3, 3, 3)  # different ways to lay each kind
COPIES = 8  # T7
SEATS = 4

# Actions: 0 to 53 name a cell, then three rotations, then
TURN = CELLS
PASS = TURN + 3
ACTIONS = PASS + 1
OUTCOMES = KINDS


def lines(kind: int, rotation: int) -> list[tuple[int, int]]:
    """The pairs of a cell's ends that a tile laid so joins."""
    return [((a + 2 * rotation) % ENDS, (b + 2 * rotation) % ENDS) for a, b in LINES[kind]]


def _join(kind: int, rotation: int) -> list[int]:
    partner = {}
    for a, b in lines(kind, rotation):
        partner[a], partner[b] = b, a
    return [partner[end] for end in range(ENDS)]


JOIN = np.array([_join(kind, r) for kind in range(KINDS) for r in range(3)], np.int16)  # by laid


class Node(IntEnum):
    """What is decided next."""

    FIRST = 0
    CELL = 1
    TILE = 2
    ROTATION = 3
    PASS = 4
    OVER = 5


@record
class State:
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
    stock: i8[7]  # tiles left of each kind, the two that stay over among them
    laid: i8[54]  # 3·kind + rotation on each cell, or -1
