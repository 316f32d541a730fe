"""A turn of TAILS: name a cell, turn a tile, lay it (T9 to T16)."""

from diablerie.engine.compile import Floats, Ints, rule
from diablerie.engine.options import OptionValues
from diablerie.engine.shared_rules import by_count, who_begins
from diablerie.games.tails.rules.legality import choosable
from diablerie.games.tails.rules.state import (
    ALL_CELLS,
    CELLS,
    COPIES,
    LAY,
    TWIN_OF,
    Node,
    State,
    code,
)


def start(seats: int, options: OptionValues) -> State:
    """The empty hexagon and all 56 tiles (T7), before the lot who begins; there are no options."""
    s = State.zero()
    s.node = Node.FIRST
    s.seats = seats
    s.free = ALL_CELLS
    s.cell = s.kind = s.last = -1
    s.stock[:] = COPIES
    s.laid[:] = -1
    return s


@rule
def apply(s: State, seat: int, action: int) -> None:
    """The verb."""
    if s.node == Node.CELL:
        name(s, action, 0)
    elif s.node == Node.TILE:
        s.stock[action] -= 1
        s.kind = action
        s.node = Node.ROTATION
    elif s.node == Node.ROTATION:
        lay(s, action - LAY)
        go_on(s)
    elif s.node == Node.FIRST:
        s.turn = action
        s.node = Node.CELL
    else:
        pass_on(s)


@rule
def name(s: State, cell: int, forced: int) -> None:
    """A cell is named: now its tile is turned."""
    s.cell = cell
    s.forced = forced
    s.node = Node.TILE


@rule
def lay(s: State, rotation: int) -> None:
    """The tile in hand comes to lie on the named cell."""
    s.laid[s.cell] = code(s.kind, rotation)
    s.free &= ~(1 << int(s.cell))
    s.count += 1
    s.last = s.cell
    s.cell = s.kind = -1


@rule
def go_on(s: State) -> None:
    """What follows a tile: T10, T13, T16."""
    twin = forced_after(s, s.last)
    s.forced = 0
    if s.count == CELLS:
        s.node = Node.OVER
    elif twin >= 0:
        s.turn = (s.turn + 1) % s.seats
        name(s, twin, 1)
    elif s.seats == 3:
        pass_on(s)
    else:
        s.node = Node.CELL


@rule
def forced_after(s: State, cell: int) -> int:
    """T10: the cell on which the next player must lay once this turn ends on `cell`.

    That is its twin; -1 with 3 players (T15), and while the turn's tile is the forced one, since
    the same player goes on.
    """
    return -1 if s.seats == 3 or s.forced else int(TWIN_OF[cell])


@rule
def pass_on(s: State) -> None:
    """With 3: the next player names a cell, or passes who can name none (T14)."""
    s.turn = (s.turn + 1) % s.seats
    s.node = Node.CELL if choosable(s, s.turn) else Node.PASS


@rule
def chance(s: State, out: Ints, p: Floats) -> int:
    """The verb: who begins (T8a), or the next tile (T8), of all but those turned before."""
    if s.node == Node.FIRST:
        return who_begins(s.seats, out, p)
    return by_count(s.stock, out, p)
