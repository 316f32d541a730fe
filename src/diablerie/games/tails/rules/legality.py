"""Who decides in TAILS, and what is forbidden by which clause."""

from diablerie.engine import verbs
from diablerie.engine.compile import Ints, inlined, rule
from diablerie.games.tails.rules.sides import FOREIGN, side_of
from diablerie.games.tails.rules.state import (
    CELLS,
    LAY,
    PASS,
    ROTATIONS,
    SECTOR_MASK,
    SECTOR_OF,
    Node,
    State,
)

CHANCE = verbs.CHANCE
OVER = verbs.OVER
T8A = 1008


@rule
def actor(s: State) -> int:
    """The verb."""
    if s.node == Node.TILE or s.node == Node.FIRST:
        return CHANCE
    return OVER if s.node == Node.OVER else int(s.turn)


@rule
def pending(s: State) -> int:
    """The verb."""
    who = actor(s)
    return 1 << who if who >= 0 else 0


# -- forbidden ---------------------------------------------------------------------------------


@rule
def forbids(s: State, seat: int, action: int) -> int:
    """The verb."""
    if actor(s) < 0:
        return forbids_all(s)
    if seat != s.turn:
        return T8A
    if action < CELLS:
        return turn_clause(s) if s.node == Node.ROTATION else forbids_cell(s, seat, action)
    return forbids_pass(s) if action == PASS else forbids_rotation(s, action - LAY)


@rule
def forbids_all(s: State) -> int:
    """Why nobody may decide now: the lot, a tile to be turned, or the end."""
    if s.node == Node.FIRST:
        return T8A
    return 8 if s.node == Node.TILE else 16


@rule
def turn_clause(s: State) -> int:
    """The clause that says what a turn consists of now, and in which order."""
    if s.seats == 3:
        return 13
    return 9 if s.count == 0 else 10


@rule
def forbids_cell(s: State, seat: int, cell: int) -> int:
    """T10, T11, T13, T14."""
    bit = 1 << int(cell)
    if s.free & bit == 0:
        return turn_clause(s)
    if not_foreign(s, seat) & bit == 0:
        return 11
    return 13 if barred(s, seat) & bit else 0


@rule
def forbids_rotation(s: State, rotation: int) -> int:
    """T6: a symmetric tile has one rotation."""
    if s.node != Node.ROTATION:
        return turn_clause(s)
    return 0 if rotation < ROTATIONS[s.kind] else 6


@rule
def forbids_pass(s: State) -> int:
    """T12, T14."""
    if s.node == Node.PASS:
        return 0
    return 14 if s.seats == 3 else 12


# -- cells, as masks ---------------------------------------------------------------------------


@rule
def choosable(s: State, seat: int) -> int:
    """Mask of the cells that this seat may choose."""
    return not_foreign(s, seat) & ~barred(s, seat)


@rule
def not_foreign(s: State, seat: int) -> int:
    """T11: mask of the free cells that touch no opponent's body."""
    return s.free & ~int(FOREIGN[s.seats, side_of(s, seat)])


@rule
def barred(s: State, seat: int) -> int:
    """T13: mask of the sector laid in last, unless nothing else may be chosen (T14)."""
    if s.seats != 3 or s.last < 0:
        return 0
    sector = SECTOR_MASK[SECTOR_OF[s.last]]
    return sector if not_foreign(s, seat) & ~sector else 0


# -- legal -------------------------------------------------------------------------------------


@rule
def legal(s: State, seat: int, out: Ints) -> int:
    """The verb, from the same masks as `forbids_cell`: it is most of the time of a playout."""
    if actor(s) != seat:
        return 0
    if s.node == Node.CELL:
        return members(choosable(s, seat), out)
    if s.node == Node.PASS:
        out[0] = PASS
        return 1
    for rotation in range(ROTATIONS[s.kind]):
        out[rotation] = LAY + rotation
    return ROTATIONS[s.kind]


@inlined
def members(mask: int, out: Ints) -> int:
    """Write the cells of a mask, ascending; return their number. out: at least 54."""
    n = 0
    for cell in range(CELLS):
        out[n] = cell
        n += (mask >> cell) & 1
    return n
