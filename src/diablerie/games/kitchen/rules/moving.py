"""Moves: which steps and flights the rules allow (K13 to K18, K27, K28)."""

from diablerie.engine.compile import Ints, inlined, rule
from diablerie.games.kitchen.rules import board
from diablerie.games.kitchen.rules.state import (
    BANISHED,
    LOADS,
    MOVE,
    NONE,
    SIGNS,
    State,
    guarded,
    held_up,
    mine,
    pots_on,
)


@rule
def move_action(d: int, to: int, load: int) -> int:
    """The action by which a devil moves to a cell with a load (0: none, else the pot and 1)."""
    return MOVE + (d * board.CELLS + to) * LOADS + load


@rule
def move_of(action: int) -> tuple[int, int, int]:
    """Devil, target and load of a move."""
    k = action - MOVE
    return k // LOADS // board.CELLS, k // LOADS % board.CELLS, k % LOADS


# -- why a move is not allowed -----------------------------------------------------------------


@rule
def forbids_move(s: State, d: int, to: int, load: int) -> int:
    """The clause against a move of the player whose turn it is, or 0."""
    code = forbids_devil(s, d)
    if code == 0:
        code = forbids_target(s, d, to)
    if code == 0:
        code = forbids_load(s, d, to, load)
    return code


@rule
def forbids_devil(s: State, d: int) -> int:
    """The clause by which this devil may not move at all now, or 0."""
    at = s.devil[mine(s), d]
    if at < 0:
        return 31 if at == BANISHED else 24
    if s.obliged != NONE and s.obliged != d:
        return 15
    if s.wings or reach(s, d) > 0:
        return 0
    return 22 if s.extra else 13


@rule
def reach(s: State, d: int) -> int:
    """The points a devil can walk with, its own of K22 included."""
    return int(s.points) + int(s.extra and s.mover == d)


@rule
def forbids_target(s: State, d: int, to: int) -> int:
    """The clause by which this devil, which may move, may not go there, or 0."""
    if open_cells(s, d) >> to & 1:
        return 0
    corners = board.START_BITS | board.GRILL_BITS
    if (corners & ~goals(s)) >> to & 1:
        return 14
    if not (board.SPACE_BITS | corners) >> to & 1:
        return 4
    if s.wings:
        return 16
    return 15 if board.NEAR[s.devil[mine(s), d]] >> to & 1 else 5


@rule
def open_cells(s: State, d: int) -> int:
    """K14 to K16: bit mask of the cells to which this devil, which may move, may go."""
    c = mine(s)
    if s.wings:
        return board.SPACE_BITS & ~guarded(s, c, -1)
    own = guarded(s, c, d)
    near = int(board.NEAR[s.devil[c, d]]) & (board.SPACE_BITS | goals(s))
    open_ = near & (~own | board.START_BITS)
    if near & own:
        for to in range(board.CELLS):
            if near & own & 1 << to and passes(s, d, to, reach(s, d) - 1):
                open_ |= 1 << to
    return open_


@rule
def goals(s: State) -> int:
    """K14, K27: bit mask of the start and the grill that the player whose turn it is may enter."""
    return 1 << int(board.GRILL[mine(s)]) | int(s.homing) << int(board.START[mine(s)])


@rule
def passes(s: State, d: int, over: int, points: int) -> bool:
    """K15: whether from an own devil's space `d` can walk on to one without."""
    own = guarded(s, mine(s), d)
    edge = 1 << over
    for _ in range(points):
        wider = 0
        for at in range(board.CELLS):
            if edge >> at & 1:
                wider |= int(board.NEAR[at]) & board.SPACE_BITS
        if wider & ~own:
            return True
        edge = wider
    return False


@rule
def forbids_load(s: State, d: int, to: int, load: int) -> int:
    """The clause by which this devil may not take that load there, or 0."""
    home = to == board.GRILL[mine(s)]
    if load == 0:
        return 27 if home else 0
    if board.START_BITS >> to & 1:
        return 14
    if s.pot[load - 1] != s.devil[mine(s), d]:
        return 17
    own = (load - 1) // SIGNS == mine(s)
    return 28 if home and own and held_up(s, mine(s)) else 0


# -- all that are allowed ----------------------------------------------------------------------


@rule
def legal_moves(s: State, d: int, out: Ints, n: int) -> int:
    """Append a devil's legal moves to the `n` actions in `out`; their new number."""
    if forbids_devil(s, d):
        return n
    at = int(s.devil[mine(s), d])
    pots = 1 | pots_on(s, at) << 1
    row = board.FLIGHT if s.wings else at
    cells = open_cells(s, d)
    for i in range(len(board.SPACES)):
        to = int(board.TARGETS[row, i])
        if to == board.NOWHERE:
            break
        if cells >> to & 1:
            n = legal_loads(s, d, to, pots, out, n)
    return n


@inlined
def legal_loads(s: State, d: int, to: int, pots: int, out: Ints, n: int) -> int:
    """Append one move with each load it may be made with; bit k of `pots`: load k is there."""
    for load in range(LOADS):
        if pots >> load == 0:
            break
        if pots >> load & 1 and forbids_load(s, d, to, load) == 0:
            out[n] = move_action(d, to, load)
            n += 1
    return n
