"""The log of TAILS, in sentences."""

from diablerie.engine.text import Line, say, says
from diablerie.games.tails.rules.state import LAY, LETTERS, ROTATIONS, Node, State
from diablerie.games.tails.ui.tracing import Tail, finished, tails
from diablerie.games.tails.ui.words import (
    TILES,
    TURNED,
    cell_name,
    naming_clause,
    side_name,
    side_points,
    winners,
)


def narrate(before: State, seat: int, action: int | None, after: State, viewer: int) -> list[Line]:
    """The log's sentences for one decision or outcome (seat CHANCE), as `viewer` may read them."""
    done = int(action or 0)
    if before.node == Node.FIRST:
        return [say("{who} begins.", "T8a", who=after.turn)]
    if before.node == Node.CELL:
        cell = cell_name(done)
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
    cell = cell_name(before.cell)
    return [say("{who} has to place the tile on {cell}.", "T10", who=who, cell=cell), drawn]


def _say_laying(before: State, seat: int, rotation: int, after: State) -> list[Line]:
    cell = cell_name(before.cell)
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
