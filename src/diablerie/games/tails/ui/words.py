"""The words for tiles, cells, sides and clauses of TAILS."""

import numpy as np

from diablerie.engine.queries import utilities
from diablerie.engine.text import Line, SeatRef, say
from diablerie.games.tails.rules.board import BODY, CELLS, INDEX, LETTERS, PLACES, beside
from diablerie.games.tails.rules.legality import turn_clause
from diablerie.games.tails.rules.sides import COUNT, SIDE, scores
from diablerie.games.tails.rules.state import State

TILES = (
    say("three loops"),
    say("three corners"),
    say("three bows"),
    say("a loop over a cross"),
    say("a loop, a bow and a corner"),
    say("a bow crossed twice"),
    say("a corner beside a cross"),
)
TURNED = (say("as it is"), say("turned once"), say("turned twice"))


def cell_name(cell: int) -> Line:
    """A cell as people point at it: by the devils it lies at. No two have the same name."""
    row, letters = PLACE_OF[cell]
    if row == EDGE and len(letters) == 1:
        return say("the cell in front of devil {letter}", letter=letters[0])
    if row == EDGE:
        one, other = letters
        return say("the edge cell between devils {one} and {other}", one=one, other=other)
    if row == CENTRE:
        return say("the middle cell towards devil {letter}", letter=letters[0])
    if len(letters) == 1:
        return say("the cell behind devil {letter}", letter=letters[0])
    one, other = letters
    return say("the cell behind devils {one} and {other}", one=one, other=other)


EDGE, BEHIND, CENTRE = range(3)  # how far from the border


def _places() -> dict[int, tuple[int, list[str]]]:
    """How far from the border each cell is, and the letters of the devils it lies at.

    From the border inwards: a cell lies at the devils of those of its neighbours that lie farther
    out; where two such neighbours share a devil, at that one.
    """
    near = [
        [INDEX[there] for side in range(3) if (there := beside(place, side)) in INDEX]
        for place in PLACES
    ]
    named = {cell: (EDGE, {body}) for cell, body in BODY.items()}
    for row in (EDGE, BEHIND, BEHIND, CENTRE):
        fresh = {}
        for cell in set(range(CELLS)) - set(named):
            bodies = [named[other][1] for other in near[cell] if other in named]
            if len(bodies) > (row == EDGE):
                fresh[cell] = row, set.intersection(*bodies) or set.union(*bodies)
        named |= fresh
    return {
        cell: (row, [LETTERS[body] for body in sorted(bodies)])
        for cell, (row, bodies) in named.items()
    }


PLACE_OF = _places()


def side_name(seats: int, side: int) -> Line:
    """The players of a side (T5)."""
    first, *others = (SeatRef(seat) for seat in range(seats) if SIDE[seats, seat] == side)
    if others:
        return say("{one} and {other}", one=first, other=others[0])
    return say("{who}", who=first)


def naming_clause(s: State) -> str:
    """The clause under which a cell is named now."""
    return f"T{turn_clause(s)}"


def side_points(s: State) -> list[int]:
    """The points so far, by side (T19)."""
    by_seat = np.zeros(int(s.seats), np.int64)
    scores(s, by_seat)
    return [int(points) for points in by_seat[: COUNT[s.seats]]]


def winners(s: State) -> list[int]:
    """The sides that have won a game that is over, all of them if the win is shared (T18)."""
    returns = utilities(s, COUNT[s.seats])  # each side's stands at its lowest seat
    return [side for side, utility in enumerate(returns) if utility == max(returns)]
