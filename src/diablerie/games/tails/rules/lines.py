"""Where lines lead. A place on one is 6·cell + end, or -1-k at the border (`ACROSS`)."""

from diablerie.engine.compile import Ints, rule
from diablerie.games.tails.rules.state import ACROSS, ENDS, JOIN, State


@rule
def way_out(s: State, at: int) -> int:
    """Where a line that comes into a cell there leaves it, 6·cell + end; -1 without a tile."""
    cell = at // ENDS
    tile = s.laid[cell]
    return ENDS * cell + int(JOIN[tile, at - ENDS * cell]) if tile >= 0 else -1


@rule
def follow(s: State, at: int) -> tuple[int, int]:
    """Into a cell there and on: where the line leaves the tiles, and the tiles crossed.

    That is 6·cell + end before a cell without a tile, or the border.
    """
    n = 0
    while at >= 0:
        out = way_out(s, at)
        if out < 0:
            break
        at = int(ACROSS[out])
        n += 1
    return at, n


@rule
def trace(s: State, at: int, way: Ints) -> tuple[int, int]:
    """As `follow`; writes where the line comes into each tile and where it leaves it.

    way: integers, 162 × 2, since a full board has so many pieces of line.
    """
    n = 0
    while at >= 0:
        out = way_out(s, at)
        if out < 0:
            break
        way[n, 0] = at
        way[n, 1] = out
        at = int(ACROSS[out])
        n += 1
    return at, n


# -- at the border ---------------------------------------------------------------------------------


@rule
def at_body(at: int) -> bool:
    """Whether that is a body."""
    return at < 0 and at % 2 != 0


@rule
def at_tail_end(at: int) -> bool:
    """Whether that is a tail end."""
    return at < 0 and at % 2 == 0


@rule
def body_at(at: int) -> int:
    """The body on the outer edge there, 0 to 17, which gives the tail end its letter too (T3)."""
    return (-1 - at) // 2
