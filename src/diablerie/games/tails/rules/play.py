"""The rules of TAILS: compiled functions on the record, by clause."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.utility import winner_takes_all
from diablerie.games.tails.rules.board import (
    ALL_CELLS,
    CELLS,
    FOREIGN,
    SECTOR_MASK,
    SECTOR_OF,
    TWIN_OF,
)
from diablerie.games.tails.rules.scoring import scores, side_of, sides
from diablerie.games.tails.rules.state import COPIES, KINDS, PASS, ROTATIONS, TURN, Node, State

CHANCE, OVER = verbs.CHANCE, verbs.OVER
T8A = 1008


def start(seats: int, options: Mapping[str, Any]) -> Record:
    """The empty hexagon and all 56 tiles (T7)."""
    s: Record = State.zero()  # type: ignore[attr-defined]
    s.node, s.seats = Node.FIRST, seats
    s.free = ALL_CELLS
    s.cell = s.kind = s.last = -1
    s.stock[:] = COPIES
    s.laid[:] = -1
    return s


# -- whose decision ----------------------------------------------------------------------------


@rule
def actor(s: Record) -> int:
    """The verb."""
    if s.node == Node.TILE or s.node == Node.FIRST:
        return CHANCE
    return OVER if s.node == Node.OVER else int(s.turn)


@rule
def pending(s: Record) -> int:
    """The verb."""
    who = actor(s)
    return 1 << who if who >= 0 else 0


# -- what may be done --------------------------------------------------------------------------


@rule
def forbids(s: Record, seat: int, action: int) -> int:
    """The verb."""
    if actor(s) < 0:
        return off_turn(s)
    if seat != s.turn:
        return T8A
    if action < CELLS:
        return order(s) if s.node == Node.ROTATION else forbids_cell(s, seat, action)
    return forbids_pass(s) if action == PASS else forbids_rotation(s, action - TURN)


@rule
def off_turn(s: Record) -> int:
    """Why nobody may decide now: the lot, a tile to be turned, or the end."""
    if s.node == Node.FIRST:
        return T8A
    return 8 if s.node == Node.TILE else 16


@rule
def order(s: Record) -> int:
    """The clause that says what a turn consists of, and in which order."""
    if s.seats == 3:
        return 13
    return 9 if s.count == 0 else 10


@rule
def forbids_cell(s: Record, seat: int, cell: int) -> int:
    """T10, T11, T13, T14."""
    bit = 1 << int(cell)
    if s.free & bit == 0:
        return order(s)
    if choosable(s, seat) & bit == 0:
        return 11
    return 13 if barred(s, seat) & bit else 0


@rule
def choosable(s: Record, seat: int) -> int:
    """T11: mask of the free cells that touch no opponent's body."""
    return s.free & ~FOREIGN[sides(s) - 2, side_of(s, seat)]


@rule
def barred(s: Record, seat: int) -> int:
    """T13: mask of the sector laid in last, unless nothing else may be chosen (T14)."""
    if s.seats != 3 or s.last < 0:
        return 0
    sector = SECTOR_MASK[SECTOR_OF[s.last]]
    return sector if choosable(s, seat) & ~sector else 0


@rule
def forbids_rotation(s: Record, rotation: int) -> int:
    """T6: a symmetric tile has one rotation."""
    if s.node != Node.ROTATION:
        return order(s)
    return 0 if rotation < ROTATIONS[s.kind] else 6


@rule
def forbids_pass(s: Record) -> int:
    """T12, T14."""
    if s.node == Node.PASS:
        return 0
    return 14 if s.seats == 3 else 12


@rule
def legal(s: Record, seat: int, out: NDArray[Any]) -> int:
    """The verb, from the same masks as `forbids_cell`: it is most of the time of a playout."""
    if actor(s) != seat:
        return 0
    if s.node == Node.CELL:
        return members(choosable(s, seat) & ~barred(s, seat), out)
    if s.node == Node.PASS:
        out[0] = PASS
        return 1
    for rotation in range(ROTATIONS[s.kind]):
        out[rotation] = TURN + rotation
    return ROTATIONS[s.kind]


@rule
def members(mask: int, out: NDArray[Any]) -> int:
    """Write the cells of a mask, ascending; return their number."""
    n = 0
    for cell in range(CELLS):
        out[n] = cell
        n += (mask >> cell) & 1
    return n


@rule
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """The verb: who begins (T8a), or the next tile (T8)."""
    if s.node == Node.FIRST:
        for seat in range(s.seats):
            out[seat], p[seat] = seat, 1.0 / s.seats
        return int(s.seats)
    share = 1.0 / left(s)
    n = 0
    for kind in range(KINDS):
        if s.stock[kind] > 0:
            out[n], p[n] = kind, s.stock[kind] * share
            n += 1
    return n


@rule
def left(s: Record) -> int:
    """Tiles not turned yet, with the two that stay over."""
    total = 0
    for kind in range(KINDS):
        total += int(s.stock[kind])
    return total


# -- playing -----------------------------------------------------------------------------------


@rule
def apply(s: Record, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.CELL:
        name(s, action, 0)
    elif s.node == Node.TILE:
        s.stock[action] -= 1
        s.kind = action
        s.node = Node.ROTATION
    elif s.node == Node.ROTATION:
        lay(s, action - TURN)
        go_on(s)
    elif s.node == Node.FIRST:
        s.turn = action
        s.node = Node.CELL
    else:
        pass_on(s)


@rule
def name(s: Record, cell: int, forced: int) -> None:
    """A cell is named: now its tile is turned."""
    s.cell = cell
    s.forced = forced
    s.node = Node.TILE


@rule
def lay(s: Record, rotation: int) -> None:
    """The tile in hand comes to lie on the named cell."""
    s.laid[s.cell] = 3 * s.kind + rotation
    s.free &= ~(1 << int(s.cell))
    s.count += 1
    s.last = s.cell
    s.cell = s.kind = -1


@rule
def go_on(s: Record) -> None:
    """What follows a tile: T10, T13, T16."""
    if s.count == CELLS:
        s.forced = 0
        s.node = Node.OVER
    elif s.seats == 3:
        pass_on(s)
    elif s.forced:
        s.forced = 0
        s.node = Node.CELL
    else:
        s.turn = (s.turn + 1) % s.seats
        name(s, TWIN_OF[s.last], 1)


@rule
def pass_on(s: Record) -> None:
    """With 3: the next player names a cell, or passes if he can name none (T14)."""
    s.turn = (s.turn + 1) % s.seats
    s.node = Node.CELL if choosable(s, s.turn) else Node.PASS


@rule
def returns(s: Record, out: NDArray[Any]) -> None:
    """The verb: T18, and the utility of the rule file."""
    scores(s, out)
    winner_takes_all(out, s.seats, out)  # reads each score before it writes that seat
