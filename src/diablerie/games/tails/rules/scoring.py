"""What the lines score (T17 to T19), and who wins."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.utility import winner_takes_all
from diablerie.games.tails.rules.board import BODIES, HEAD
from diablerie.games.tails.rules.lines import at_tail_end, follow
from diablerie.games.tails.rules.sides import owner, sides


@rule
def worth(at: int, n: int) -> int:
    """T17: what a body scores whose line of so many tiles leads there."""
    return n if at_tail_end(at) else 0


@rule
def points(s: Record, body: int) -> int:
    """T17, T19: what a body has scored."""
    at, n = follow(s, int(HEAD[body]))
    return worth(at, n)


@rule
def scores(s: Record, out: NDArray[Any]) -> None:
    """Every seat's points so far, with 4 players those of the partnership. out: at least seats."""
    for seat in range(s.seats):
        out[seat] = 0
    for body in range(BODIES):
        won, side = points(s, body), owner(s, body)
        for seat in range(side, s.seats, sides(s)):
            out[seat] += won


@rule
def returns(s: Record, out: NDArray[Any]) -> None:
    """The verb: T18, and the utility of the rule file."""
    scores(s, out)
    winner_takes_all(out, s.seats, out)  # reads each score before it writes that seat
