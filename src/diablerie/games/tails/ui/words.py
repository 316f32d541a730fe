"""The words for tiles, cells, sides and clauses of TAILS."""

import numpy as np

from diablerie.engine.queries import utilities
from diablerie.engine.record import Record
from diablerie.engine.text import Line, SeatRef, say
from diablerie.games.tails.rules.board import BODY, CELLS, LETTERS, NUMBER
from diablerie.games.tails.rules.legality import turn_clause
from diablerie.games.tails.rules.sides import COUNT, SIDE, scores

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
    """A cell by its number, half and devil."""
    number, far = NUMBER[cell], cell < CELLS // 2
    if cell in BODY:
        letter = LETTERS[BODY[cell]]
        if far:
            return say("cell {number} of the far half, at {letter}", number=number, letter=letter)
        return say("cell {number} of the near half, at {letter}", number=number, letter=letter)
    if far:
        return say("cell {number} of the far half", number=number)
    return say("cell {number} of the near half", number=number)


def side_name(seats: int, side: int) -> Line:
    """The players of a side (T5)."""
    first, *others = (SeatRef(seat) for seat in range(seats) if SIDE[seats, seat] == side)
    if others:
        return say("{one} and {other}", one=first, other=others[0])
    return say("{who}", who=first)


def naming_clause(s: Record) -> str:
    """The clause under which a cell is named now."""
    return f"T{turn_clause(s)}"


def side_points(s: Record) -> list[int]:
    """The points so far, by side (T19)."""
    by_seat = np.zeros(int(s.seats), np.int64)
    scores(s, by_seat)
    return by_seat[: COUNT[s.seats]].tolist()


def winners(s: Record) -> list[int]:
    """The sides that have won a game that is over, all of them if the win is shared (T18)."""
    returns = utilities(s, COUNT[s.seats])  # each side's stands at its lowest seat
    return [side for side, utility in enumerate(returns) if utility == max(returns)]
