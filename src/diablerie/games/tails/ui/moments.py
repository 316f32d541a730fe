"""The moments of TAILS: two tails that meet, and a tail of one's own that brings much."""

from diablerie.engine.moments import Moment
from diablerie.games.tails.rules.board import LETTERS
from diablerie.games.tails.rules.sides import SIDE, owner
from diablerie.games.tails.rules.state import Node, State
from diablerie.games.tails.ui.drawing.layout import way
from diablerie.games.tails.ui.tracing import Tail, finished, tails

MUCH = 15  # points
ROOM = (215.0, 14.0, 372.0, 276.0)  # of a tail that ends, in its scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: all is open. Watchers have no side."""
    if before.node != Node.ROTATION:
        return []
    own = int(SIDE[after.seats, viewer]) if viewer >= 0 else -1
    closed = finished(tails(before), tails(after))
    return [
        _ended(after, tail)
        for tail in closed
        if tail.state == "met" or (tail.points >= MUCH and own in (tail.side, -1))
    ]


def _ended(after: State, tail: Tail) -> Moment:
    """The tail of one devil, with what it scores and its way, or with the devil it met."""
    if tail.state == "met":
        other = LETTERS[tail.goal], int(owner(after, tail.goal))
        return Moment("met", (tail.letter, tail.side, *other))
    return Moment("run", (tail.letter, tail.side, tail.points, *way(tail.pieces, ROOM)))
