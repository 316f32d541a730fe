"""The record of TAILS, what is decided, and the numbers of the actions."""

from enum import IntEnum
from typing import Annotated

from diablerie.engine.record import Record, Row, i8, i64, record
from diablerie.games.tails.rules.board import CELLS, KINDS, TURNS

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
    laid: Annotated[Row, i8, 54]  # `board.code` of the tile on each cell, or -1
