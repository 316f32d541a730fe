"""Who plays together (T5), which cells that bars (T11), and what the lines of a side score.

With 2 and 3 players every seat is a side of its own, with 4 those opposite are one. Sides count
from 0; the lowest seat of a side has the side's number.
"""

import numpy as np

from diablerie.engine.compile import Floats, Ints, rule
from diablerie.engine.shared_rules import winner_takes_all
from diablerie.games.tails.rules.lines import at_tail_end, follow
from diablerie.games.tails.rules.state import BODIES, BODY, HEAD, State, mask_of

SEATS = (2, 3, 4)
COUNT = (0, 0, 2, 3, 2)  # sides, by seats
# By seats, then by seat and by body: the side. Nobody plays with 0 or 1: these rows fill up.
SIDE = np.array([np.arange(SEATS[-1]) % max(n, 1) for n in COUNT], np.int8)
OWNER = np.array([np.arange(BODIES) // (BODIES // max(n, 1)) for n in COUNT], np.int8)


def _foreign(seats: int, side: int) -> int:
    return mask_of(cell for cell, body in BODY.items() if OWNER[seats, body] != side)


# By seats, then side: mask of the border cells with another side's body.
FOREIGN = np.zeros((len(COUNT), 3), np.int64)
for _seats, _side in np.ndindex(FOREIGN.shape):
    FOREIGN[_seats, _side] = _foreign(_seats, _side)


@rule
def sides(s: State) -> int:
    """How many sides play against each other."""
    return COUNT[s.seats]


@rule
def side_of(s: State, seat: int) -> int:
    """The side of a seat."""
    return int(SIDE[s.seats, seat])


@rule
def owner(s: State, body: int) -> int:
    """The side that a body, 0 to 17, belongs to."""
    return int(OWNER[s.seats, body])


# -- what the lines score (T17 to T19) ---------------------------------------------------------


@rule
def worth(at: int, n: int) -> int:
    """T17: what a body scores whose line of so many tiles leads there."""
    return n if at_tail_end(at) else 0


@rule
def points(s: State, body: int) -> int:
    """T17, T19: what a body has scored."""
    at, n = follow(s, int(HEAD[body]))
    return worth(at, n)


@rule
def scores(s: State, out: Ints | Floats) -> None:
    """Every seat's points so far, with 4 players those of the partnership. out: at least seats."""
    for seat in range(s.seats):
        out[seat] = 0
    for body in range(BODIES):
        won = points(s, body)
        side = owner(s, body)
        for seat in range(side, s.seats, sides(s)):
            out[seat] += won


@rule
def returns(s: State, out: Floats) -> None:
    """The verb: T18, and the utility of the rule file."""
    scores(s, out)
    winner_takes_all(out, s.seats, out)  # reads each score before it writes that seat
