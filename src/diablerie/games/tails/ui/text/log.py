"""The log of TAILS, in sentences, and the words for cells, tiles and sides."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, Seat, say, says
from diablerie.games.tails.rules.board import BODY, CELLS, LETTERS, NUMBER
from diablerie.games.tails.rules.scoring import sides
from diablerie.games.tails.rules.state import ROTATIONS, TURN, Node
from diablerie.games.tails.ui.tracing import MET, Tail, finished, tails

TILES = (
    say("three loops"),
    say("three corners"),
    say("three bows"),
    say("a loop over a cross"),
    say("a loop, a bow and a corner"),
    say("a bow crossed twice"),
    say("a corner beside a cross"),
)
TURNS = (say("as it is"), say("turned once"), say("turned twice"))


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
    if seats == 4:
        return say("{one} and {other}", one=Seat(side), other=Seat(side + 2))
    return say("{who}", who=Seat(side))


def choosing(s: Record) -> str:
    """The clause under which a cell is named now."""
    return "T13" if s.seats == 3 else "T10" if s.count else "T9"


def narrate(
    before: Record, seat: int, action: int | None, after: Record, viewer: int
) -> list[Line]:
    """What happened, in sentences."""
    done = int(action or 0)
    if before.node == Node.FIRST:
        return [say("{who} begins.", clause="T8a", who=Seat(after.turn))]
    if before.node == Node.CELL:
        return [_told_choice(before, seat, done)]
    if before.node == Node.TILE:
        return _told_tile(before, done)
    if before.node == Node.PASS:
        return [say("{who} can choose no cell and passes.", clause="T14", who=Seat(seat))]
    return _told_laying(before, seat, done - TURN, after)


def _told_choice(before: Record, seat: int, cell: int) -> Line:
    clause = choosing(before)
    return say("{who} chooses {cell}.", clause=clause, who=Seat(seat), cell=cell_name(cell))


def _told_tile(before: Record, kind: int) -> list[Line]:
    who, tile = Seat(before.turn), TILES[kind]
    drawn = say("{who} turns up {tile}.", clause="T8", who=who, tile=tile)
    if not before.forced:
        return [drawn]
    cell = cell_name(int(before.cell))
    return [say("{who} has to lay on {cell}.", clause="T10", who=who, cell=cell), drawn]


def _told_laying(before: Record, seat: int, rotation: int, after: Record) -> list[Line]:
    cell, who = cell_name(int(before.cell)), Seat(seat)
    if ROTATIONS[before.kind] == 1:
        laid = say("{who} lays it on {cell}.", clause="T8a", who=who, cell=cell)
    else:
        turned = TURNS[rotation]
        laid = say(
            "{who} lays it {turned} on {cell}.", clause="T8a", who=who, turned=turned, cell=cell
        )
    closed = finished(tails(before), tails(after))
    lines = [laid, *(_told_tail(one, int(after.seats)) for one in closed)]
    return lines + _told_end(after) if after.node == Node.OVER else lines


def _told_tail(tail: Tail, seats: int) -> Line:
    if tail.state == MET:
        return say(
            "{one} and {other} meet: neither scores.",
            clause="T17",
            one=tail.letter,
            other=LETTERS[tail.goal],
        )
    return says(
        "The tail of {letter} ends at once: {n} point for {side}.",
        "The tail of {letter} ends: {n} points for {side}.",
        tail.length,
        clause="T19",
        letter=tail.letter,
        side=side_name(seats, tail.side),
    )


def _told_end(after: Record) -> list[Line]:
    points = side_points(after)
    top, seats = max(points), int(after.seats)
    winners = [side_name(seats, side) for side, won in enumerate(points) if won == top]
    full = say("All cells are filled: the game is over.", clause="T16")
    if len(winners) > 1:
        return [full, *(_told_share(side, top) for side in winners)]
    return [full, say("{side}: the longest tails, {n} in all!", clause="T18", side=winners[0],
                      n=top)]  # fmt: skip


def _told_share(side: Line, top: int) -> Line:
    return say("{side}: a share of the win with {n} points.", clause="T18", side=side, n=top)


def side_points(s: Record) -> list[int]:
    """The points so far, by side (T19)."""
    points = [0] * int(sides(s))
    for tail in tails(s):
        points[tail.side] += tail.points
    return points
