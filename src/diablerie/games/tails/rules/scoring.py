"""Whose bodies are whose (T5), where lines lead, and what they score (T17 to T19)."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.tails.rules.board import ACROSS, BODIES, ENDS, HEAD
from diablerie.games.tails.rules.state import JOIN

# -- sides (T5) --------------------------------------------------------------------------------


@rule
def sides(s: Record) -> int:
    """How many sides play against each other."""
    return 3 if s.seats == 3 else 2


@rule
def side_of(s: Record, seat: int) -> int:
    """The side of a seat: with 4 players, those opposite play together."""
    return int(seat) % sides(s)


@rule
def owner(s: Record, body: int) -> int:
    """The side a body belongs to."""
    return int(body) // (BODIES // sides(s))


# -- lines and scores --------------------------------------------------------------------------


@rule
def follow(s: Record, at: int) -> tuple[int, int]:
    """Into a cell at a line end and on: where the line leaves the tiles, and tiles crossed.

    That is 6·cell + end before a cell without a tile, or -1-k at the border (see board).
    """
    n = 0
    while at >= 0:
        cell = at // ENDS
        tile = s.laid[cell]
        if tile < 0:
            break
        at = int(ACROSS[ENDS * cell + JOIN[tile, at - ENDS * cell]])
        n += 1
    return at, n


@rule
def ends_in_tail(at: int) -> bool:
    """Whether that is a tail end."""
    return at < 0 and at % 2 == 0


@rule
def points(s: Record, body: int) -> int:
    """T17, T19: what a body has scored."""
    at, n = follow(s, int(HEAD[body]))
    return n if ends_in_tail(at) else 0


@rule
def scores(s: Record, out: NDArray[Any]) -> None:
    """Every seat's points so far, with 4 players those of the partnership."""
    for seat in range(s.seats):
        out[seat] = 0
    for body in range(BODIES):
        won, side = points(s, body), owner(s, body)
        for seat in range(side, s.seats, sides(s)):
            out[seat] += won
