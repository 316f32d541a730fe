"""Fillings: the empty cells of TAILS filled at random, and what every tile would bring with them.

Under random play it hardly matters in which order the tiles are laid, so one filling of the board
is a whole playout; and with a filling every cell can be tried with every tile, since only the lines
through that cell change. All actions are so judged by the same luck.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from diablerie.engine.compile import Floats, Ints, Records, rule
from diablerie.engine.rng import Rng, below
from diablerie.games.tails.rules.lines import at_body, at_tail_end, body_at, follow, trace
from diablerie.games.tails.rules.state import (
    ACROSS,
    BODIES,
    CELLS,
    ENDS,
    HEAD,
    JOIN,
    KINDS,
    ROTATIONS,
    TURNS,
    State,
    code,
    pairs,
)

ANY = -1  # tile in hand: none
NONE = -1  # no line
_ENDS_OF = list(combinations(range(ENDS), 2))
ENDS_OF = np.array(_ENDS_OF, np.int64)  # the two ends of every pair of ends


def _pairs_of(kind: int, rotation: int) -> list[int]:
    """The numbers of the three pairs of ends that a tile joins."""
    return [_ENDS_OF.index((min(ends), max(ends))) for ends in pairs(kind, rotation)]


PAIRS_OF = np.array(  # by `code`
    [_pairs_of(kind, rotation) for kind in range(KINDS) for rotation in range(TURNS)], np.int64
)


class Work(NamedTuple):
    """The position of one decision, and the arrays that its fillings are worked out in."""

    start: Records  # one state: the position
    room: Records  # one state: where it is filled
    pool: Ints  # 56: kinds of the tiles not yet laid
    sums: Floats  # by cell and tile: the leads with this tile there
    total: Floats  # 2: the leads of the fillings as they came, and their squares
    signs: Floats  # by body: what a point of it is worth to the side
    way: Ints  # 162 x 2: a line, see `rules.lines.trace`
    lines: Ints  # by cell and end: number of the line there, NONE in a ring
    ats: Ints  # by cell and end: where the line leads out of the cell there
    lengths: Ints  # by cell and end: over how many tiles
    pairs: Floats  # by pair of ends: what it brings to join them


@rule
def sample(w: Work, cells: int, kind: int, rng: Rng, n: int) -> None:
    """Fill the board `n` times, and add every lead of a side with other tiles on these cells.

    cells: a mask; kind: of the tile in hand, or ANY.
    """
    s = w.room[0]
    for _ in range(n):
        w.room[0] = w.start[0]
        fill(s, w.pool, rng)
        lead = follow_all(w)
        w.total[0] += lead
        w.total[1] += lead * lead
        for cell in range(CELLS):
            if cells >> cell & 1:
                try_tiles(w, cell, kind, lead)


@rule
def fill(s: State, pool: Ints, rng: Rng) -> None:
    """Lay any of the tiles left on every empty cell, in any rotation."""
    n = 0
    for kind in range(KINDS):
        for _ in range(s.stock[kind]):
            pool[n] = kind
            n += 1
    for cell in range(CELLS):
        if s.laid[cell] < 0:
            k = below(rng, n)
            n -= 1
            s.laid[cell] = code(pool[k], below(rng, TURNS))
            pool[k] = pool[n]


# -- the lines of a filling ----------------------------------------------------------------------


@rule
def follow_all(w: Work) -> float:
    """Follow every line from border to border; the lead in points of the side."""
    w.lines[:] = NONE
    lead = 0.0
    for border in range(2 * BODIES):  # bodies and tail ends, as `ACROSS` numbers them
        begin = int(HEAD[border // 2]) + border % 2
        if w.lines[begin] == NONE:
            lead += follow_one(w, -1 - border, begin)
    return lead


@rule
def follow_one(w: Work, origin: int, begin: int) -> float:
    """Follow the line that comes from the border at `origin` into a cell at `begin`: its points."""
    at, n = trace(w.room[0], begin, w.way)
    for k in range(n):
        into = w.way[k, 0]
        out = w.way[k, 1]
        w.lines[into] = w.lines[out] = begin
        w.ats[into] = origin
        w.lengths[into] = k
        w.ats[out] = at
        w.lengths[out] = n - 1 - k
    return points_between(w, origin, at, n)


@rule
def points_between(w: Work, one: int, other: int, n: int) -> float:
    """What a line over so many tiles brings the side that leads from here to there."""
    if at_body(one) and at_tail_end(other):
        return float(w.signs[body_at(one)] * n)
    if at_body(other) and at_tail_end(one):
        return float(w.signs[body_at(other)] * n)
    return 0.0


# -- one cell ----------------------------------------------------------------------------------


@rule
def try_tiles(w: Work, cell: int, only: int, lead: float) -> None:
    """Add the lead with every tile (of one kind, or of ANY) in place of the one on a cell."""
    s = w.room[0]
    laid = int(s.laid[cell])
    s.laid[cell] = -1
    if straight(w, cell, laid):
        join_ends(w, cell)
        rest = lead - joined(w.pairs, laid)
        for kind in range(KINDS):
            if only in (ANY, kind):
                for rotation in range(ROTATIONS[kind]):
                    tile = code(kind, rotation)
                    w.sums[cell, tile] += rest + joined(w.pairs, tile)
    else:
        try_around(w, cell, only, lead, laid)
    s.laid[cell] = laid


@rule
def straight(w: Work, cell: int, tile: int) -> bool:
    """Whether none of the lines through a cell, with this tile, comes back to it."""
    seen = NONE
    other = NONE
    for end in range(ENDS):
        if JOIN[tile, end] > end:  # each of three pairs once
            line = w.lines[ENDS * cell + end]
            if line in (NONE, seen, other):
                return False
            other = seen
            seen = line
    return True


@rule
def join_ends(w: Work, cell: int) -> None:
    """What it brings to join any two ends of the cell: points where a body meets a tail end."""
    for pair in range(len(ENDS_OF)):
        a = ENDS * cell + ENDS_OF[pair, 0]
        b = ENDS * cell + ENDS_OF[pair, 1]
        one = int(w.ats[a])
        other = int(w.ats[b])
        n = w.lengths[a] + w.lengths[b] + 1
        w.pairs[pair] = points_between(w, one, other, n)


@rule
def joined(pairs: Floats, tile: int) -> float:
    """What a tile brings, which joins three pairs of ends."""
    a, b, c = PAIRS_OF[tile]
    return float(pairs[a] + pairs[b] + pairs[c])


@rule
def try_around(w: Work, cell: int, only: int, lead: float, laid: int) -> None:
    """As `try_tiles`, where a line comes back to the cell: it is followed through each tile."""
    bodies = reach(w, cell)
    rest = lead - through(w, cell, laid) if bodies else lead
    for kind in range(KINDS):
        if only in (ANY, kind):
            for rotation in range(ROTATIONS[kind]):
                tile = code(kind, rotation)
                w.sums[cell, tile] += rest + through(w, cell, tile) if bodies else rest


@rule
def reach(w: Work, cell: int) -> int:
    """Write where the lines from the ends of an empty cell lead; return how many lead to bodies."""
    bodies = 0
    for end in range(ENDS * cell, ENDS * cell + ENDS):
        w.ats[end], w.lengths[end] = follow(w.room[0], int(ACROSS[end]))
        bodies += at_body(w.ats[end])
    return bodies


@rule
def through(w: Work, cell: int, tile: int) -> float:
    """What the lines of the bodies that come to a cell bring with this tile on it."""
    points = 0.0
    for end in range(ENDS * cell, ENDS * cell + ENDS):
        if at_body(w.ats[end]):
            out = ENDS * cell + JOIN[tile, end - ENDS * cell]
            n = w.lengths[end] + w.lengths[out] + 1
            while w.ats[out] >= 0:  # it comes back
                out = ENDS * cell + JOIN[tile, w.ats[out] - ENDS * cell]
                n += w.lengths[out] + 1
            if at_tail_end(w.ats[out]):
                points += w.signs[body_at(w.ats[end])] * n
    return points


@rule
def likely_best(s: State, sums: Floats, sign: float) -> float:
    """The sum to be expected if the next tile is laid for the most (sign 1), or least (-1)."""
    likely = 0.0
    tiles = 0
    for kind in range(KINDS):
        if s.stock[kind] > 0:
            best = sums[code(kind, 0)]
            for rotation in range(1, ROTATIONS[kind]):
                best = sign * max(sign * best, sign * sums[code(kind, rotation)])
            likely += s.stock[kind] * best
            tiles += s.stock[kind]
    return likely / tiles
