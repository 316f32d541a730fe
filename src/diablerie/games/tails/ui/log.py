"""The log of TAILS in sentences, and the words for its tiles, cells and sides."""

import numpy as np

from diablerie.engine.queries import utilities
from diablerie.engine.text import Line, SeatRef, say, says
from diablerie.games.tails.rules.legality import turn_clause
from diablerie.games.tails.rules.notation import CELL_NAMES
from diablerie.games.tails.rules.sides import COUNT, SIDE, scores
from diablerie.games.tails.rules.state import (
    BODY,
    CELLS,
    INDEX,
    LAY,
    LETTERS,
    PLACES,
    ROTATIONS,
    Node,
    State,
    beside,
)
from diablerie.games.tails.ui.tracing import Tail, finished, tails

# -- words -------------------------------------------------------------------------------------


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
    """A cell as people say it: its half and number (T2), and the devils towards which it lies."""
    where = numbered_cell(cell)
    letters = DEVILS_OF[cell]
    if cell in BODY:
        return say("{cell} in front of devil {letter}", cell=where, letter=letters[0])
    if len(letters) == 1:
        return say("{cell} towards devil {letter}", cell=where, letter=letters[0])
    one, other = letters
    return say("{cell} towards devils {one} and {other}", cell=where, one=one, other=other)


def numbered_cell(cell: int) -> Line:
    """A cell by its half and number alone, those of the notation."""
    half, number = CELL_NAMES[cell].split()
    if half == "far":
        return say("the far cell {number}", number=number)
    return say("the near cell {number}", number=number)


def _devils() -> dict[int, list[str]]:
    """The letters of the devils that each cell lies at.

    From the border inwards: a cell lies at the devils of those of its neighbours that lie farther
    out; where two such neighbours share a devil, at that one.
    """
    named = {cell: {body} for cell, body in BODY.items()}
    for least in (2, 1, 1, 1):  # neighbours: first those cells that lie between two of the border
        fresh = {}
        for cell in set(range(CELLS)) - set(named):
            bodies = [named[other] for other in _neighbours(cell) if other in named]
            if len(bodies) >= least:
                fresh[cell] = set.intersection(*bodies) or set.union(*bodies)
        named |= fresh
    letters = {}
    for cell, whose in named.items():
        letters[cell] = [LETTERS[body] for body in sorted(whose)]
    return letters


def _neighbours(cell: int) -> list[int]:
    """The cells on the board that share a side with one."""
    beyond = (beside(PLACES[cell], side) for side in range(3))
    return [INDEX[place] for place in beyond if place in INDEX]


DEVILS_OF = _devils()


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
    by_seat = np.zeros(s.seats, np.int64)
    scores(s, by_seat)
    return [int(points) for points in by_seat[: COUNT[s.seats]]]


def winners(s: State) -> list[int]:
    """The sides that have won a game that is over, all of them if the win is shared (T18)."""
    returns = utilities(s, COUNT[s.seats])  # each side's stands at its lowest seat
    return [side for side, utility in enumerate(returns) if utility == max(returns)]


# -- the log -----------------------------------------------------------------------------------


def narrate(before: State, seat: int, action: int | None, after: State, viewer: int) -> list[Line]:
    """The log's sentences for one decision or outcome (seat CHANCE), as `viewer` may read them.

    Cells are told by their numbers, as people say them; the picture shows which one it was.
    """
    done = int(action or 0)
    if before.node == Node.FIRST:
        return [say("{who} begins.", "T8a", who=after.turn)]
    if before.node == Node.CELL:
        cell = numbered_cell(done)
        clause = naming_clause(before)
        return [say("{who} chooses {cell}.", clause, who=seat, cell=cell)]
    if before.node == Node.TILE:
        return _say_tile(before, done)
    if before.node == Node.PASS:
        return [say("{who} cannot choose any cell and passes.", "T14", who=seat)]
    return _say_laying(before, seat, done - LAY, after)


def _say_tile(before: State, kind: int) -> list[Line]:
    who = before.turn
    drawn = say("{who} reveals {tile}.", "T8", who=who, tile=TILES[kind])
    if not before.forced:
        return [drawn]
    cell = numbered_cell(before.cell)
    return [say("{who} has to place the tile on {cell}.", "T10", who=who, cell=cell), drawn]


def _say_laying(before: State, seat: int, rotation: int, after: State) -> list[Line]:
    cell = numbered_cell(before.cell)
    who = seat
    if ROTATIONS[before.kind] == 1:
        laid = say("{who} places the tile on {cell}.", "T8a", who=who, cell=cell)
    else:
        turned = TURNED[rotation]
        laid = say(
            "{who} places the tile on {cell}, {turned}.", "T8a", who=who, turned=turned, cell=cell
        )
    closed = finished(tails(before), tails(after))
    lines = [laid, *(_say_tail(tail, after.seats) for tail in closed)]
    return lines + _say_end(after) if after.node == Node.OVER else lines


def _say_tail(tail: Tail, seats: int) -> Line:
    if tail.state == "met":
        return say(
            "{one} and {other} meet: neither scores.",
            "T17",
            one=tail.letter,
            other=LETTERS[tail.goal],
        )
    return says(
        "The tail of {letter} ends at once: {n} point for {side}.",
        "The tail of {letter} ends: {n} points for {side}.",
        tail.points,
        "T19",
        letter=tail.letter,
        side=side_name(seats, tail.side),
    )


def _say_end(after: State) -> list[Line]:
    points = side_points(after)
    seats = after.seats
    won = [(side_name(seats, side), points[side]) for side in winners(after)]
    full = say("All cells are filled: the game is over.", "T16")
    if len(won) > 1:
        return [
            full,
            *(
                say("{side}: a shared win with {n} points.", "T18", side=side, n=n)
                for side, n in won
            ),
        ]
    [(side, n)] = won
    return [full, say("{side}: the longest tails, {n} in total!", "T18", side=side, n=n)]
