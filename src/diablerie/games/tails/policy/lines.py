"""Where the lines of TAILS lead, and what a line may expect that arrives somewhere.

Lines are followed once for each decision, and a tile that is tried joins those that lead to its
cell. A slot is the number of a place, 6·cell + end; behind the cells come the places at the border.
"""

from typing import Any

import numpy as np

from diablerie.engine.compile import Floats32, rule, summing
from diablerie.games.tails.policy.evaluation import KEPT, LOST, MEET, TO_COME
from diablerie.games.tails.rules.state import ACROSS, BODIES, CELLS, ENDS, JOIN, State

BORDER = ENDS * CELLS  # the first slot at the border: a body, its tail end, the next body
SLOTS = BORDER + 2 * BODIES
# In `room`, by slot: where a line that goes out there leads, a slot, and its tiles; both again, to
# be changed. Then tables of what a line may expect that arrives there: the points to come, and
# SLOTS further on the chance to score. By what is usual, and one, three, and two or four cells ahead
WAY, TILES, KEPT_WAY, KEPT_TILES = (k * SLOTS for k in range(4))
USUAL, ONE_AHEAD, THREE_AHEAD, FOUR_AHEAD = ((4 + 2 * k) * SLOTS for k in range(4))
FREE = 12 * SLOTS  # the first slots of the empty cells
BESIDE = FREE + CELLS  # and of those that lines lead to from the cell in question
ONE = np.float32(1.0)
# How likely a random tile joins an end with each of the other ends of its cell: with those that
# have the same place on their sides, and with the rest. So the tiles are made (T6)
ALIKE = np.float32(MEET[0, 2])
UNLIKE = np.float32(MEET[0, 1])
U = np.uint64  # of an index: it is not asked then whether it counts from the end
U_WAY = U(WAY)
U_TILES = U(TILES)
U_SLOTS = U(SLOTS)
U_1 = U(1)
U_2 = U(2)
U_3 = U(3)
U_4 = U(4)
U_5 = U(5)


def _slot(at: int) -> int:
    """The slot of a place."""
    return at if at >= 0 else BORDER - 1 - at


def _empty_board() -> Floats32:
    """Where lines lead while no tile lies, by slot: float32 (SLOTS,)."""
    ways = np.zeros(SLOTS, np.float32)
    for at, across in enumerate(ACROSS):
        ways[at] = _slot(int(across))
        if across < 0:
            ways[_slot(int(across))] = at
    return ways


EMPTY_BOARD = _empty_board()


def _paired(joined: Any) -> list[int]:
    """The three pairs of ends that a tile joins, one after the other. joined: its row of JOIN."""
    ends = list[int]()
    for a, b in enumerate(joined.tolist()):
        if b > a:
            ends += [a, b]
    return ends


PAIRED = np.array([_paired(row) for row in JOIN], np.int16)


@rule
def join_lines(room: Floats32, at: int, tile: int) -> None:
    """A tile comes to lie on the cell whose first slot is `at`."""
    for k in range(0, ENDS, 2):
        one = at + PAIRED[tile, k]
        two = at + PAIRED[tile, k + 1]
        a = U(room[WAY + one])
        b = U(room[WAY + two])
        n = room[TILES + one] + room[TILES + two] + ONE
        room[U_WAY + a] = b
        room[U_WAY + b] = a
        room[U_TILES + a] = room[U_TILES + b] = n


@rule
def find_lines(s: State, room: Floats32) -> int:
    """Write where all lines lead, and the empty cells; return how many these are."""
    for k in range(SLOTS):
        room[WAY + k] = EMPTY_BOARD[k]
        room[TILES + k] = 0.0
    n = 0
    for cell in range(CELLS):
        if s.laid[cell] < 0:
            room[FREE + n] = ENDS * cell
            n += 1
        else:
            join_lines(room, ENDS * cell, s.laid[cell])
    return n


@rule
def usual_lines(s: State, room: Floats32) -> None:
    """Write what a line comes to on the average, and at the border of all tables."""
    scores = KEPT - LOST * s.count / CELLS
    for k in range(BORDER):
        room[USUAL + k] = TO_COME
        room[USUAL + SLOTS + k] = scores
    for table in range(USUAL, FREE, 2 * SLOTS):
        for k in range(BORDER, SLOTS):
            room[table + k] = 0.0
            room[table + SLOTS + k] = k % 2


@rule
def onward(room: Floats32, table: Any, at: Any) -> tuple[Any, Any]:
    """The points of a line that leaves a cell in a slot, with the cell's tile, and its chance."""
    way = U(room[U_WAY + at])
    scores = room[table + U_SLOTS + way]
    return room[table + way] + scores * (room[U_TILES + at] + ONE), scores


@summing
def spread(room: Floats32, to: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> None:
    """A random tile joins the ends of a cell: from what each brings to what comes of each."""
    even = a + c + e
    odd = b + d + f
    x = ALIKE * even + UNLIKE * odd
    y = ALIKE * odd + UNLIKE * even
    room[to] = x - ALIKE * a
    room[to + U_1] = y - ALIKE * b
    room[to + U_2] = x - ALIKE * c
    room[to + U_3] = y - ALIKE * d
    room[to + U_4] = x - ALIKE * e
    room[to + U_5] = y - ALIKE * f


@summing
def sweep(room: Floats32, cells: int, n: int, table: int, to: int) -> None:
    """Look one cell further ahead than a table at the n cells listed in `room[cells]`."""
    origin = U(table)
    target = U(to)
    for i in range(n):
        at = U(room[cells + i])
        a, p = onward(room, origin, at)
        b, q = onward(room, origin, at + U_1)
        c, r = onward(room, origin, at + U_2)
        d, t = onward(room, origin, at + U_3)
        e, u = onward(room, origin, at + U_4)
        f, v = onward(room, origin, at + U_5)
        spread(room, target + at, a, b, c, d, e, f)
        spread(room, target + U_SLOTS + at, p, q, r, t, u, v)


@summing
def line_ahead(room: Floats32, table: int, way: int) -> tuple[Any, Any]:
    """What a line may expect that arrives in a slot, one cell further ahead than a table."""
    origin = U(table)
    at = U(way)
    if way >= BORDER:
        return room[origin + at], room[origin + U_SLOTS + at]
    end = way % ENDS
    even = U(way - end)
    odd = even + U_1
    if end % 2 != 0:
        even, odd = odd, even
    a, p = onward(room, origin, even)
    b, q = onward(room, origin, even + U_2)
    c, r = onward(room, origin, even + U_4)
    d, t = onward(room, origin, odd)
    e, u = onward(room, origin, odd + U_2)
    f, v = onward(room, origin, odd + U_4)
    own, likely = onward(room, origin, at)
    more = ALIKE * (a + b + c - own) + UNLIKE * (d + e + f)
    return more, ALIKE * (p + q + r - likely) + UNLIKE * (t + u + v)


@rule
def comes_to(room: Floats32, table: int, at: int, n: Any) -> Any:
    """The points that a line of so many tiles may expect which arrives in a slot."""
    return room[table + at] + room[table + SLOTS + at] * n


@rule
def body_slot(body: int) -> int:
    """The slot of a body."""
    return BORDER + 2 * body
