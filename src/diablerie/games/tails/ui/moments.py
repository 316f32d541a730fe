"""The moments of TAILS: two tails that meet, one of one's own that brings much, the longest at the end."""

from diablerie.engine.moments import Moment
from diablerie.games.tails.rules.sides import SIDE, owner
from diablerie.games.tails.rules.state import LETTERS, Node, State
from diablerie.games.tails.ui.drawing.layout import way
from diablerie.games.tails.ui.tracing import Tail, finished, tails
from diablerie.games.tails.ui.words import side_points

MUCH_POINTS = 15  # points
TAIL_BOX = (215.0, 14.0, 372.0, 276.0)  # of a tail that ends, in its scene
LONGEST_TAIL_BOX = (215.0, 12.0, 372.0, 238.0)  # of the longest, at the end of the game
MOST_SIDES = 3  # at most
COUNTING_STEPS = 8  # steps in which their points are counted

FACES = {"run": "sly", "met": "burnt"}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: all is open. Watchers have no side."""
    if before.node != Node.ROTATION:
        return []
    own = int(SIDE[after.seats, viewer]) if viewer >= 0 else -1
    closed = finished(tails(before), tails(after))
    ends = [
        _ended(after, tail)
        for tail in closed
        if tail.state == "met" or (tail.points >= MUCH_POINTS and own in (tail.side, -1))
    ]
    return [*ends, *([_counted(after)] if after.node == Node.OVER else [])]


def _ended(after: State, tail: Tail) -> Moment:
    """The tail of one devil, with what it scores and its way, or with the devil it met."""
    if tail.state == "met":
        other = LETTERS[tail.goal], int(owner(after, tail.goal))
        return Moment("met", (tail.letter, tail.side, *other))
    return Moment("run", (tail.letter, tail.side, tail.points, *way(tail.pieces, TAIL_BOX)))


def _counted(after: State) -> Moment:
    """The tail that brought most, its way, how many sides there are, and their points step by step."""
    best = max(tails(after), key=lambda tail: (tail.points, tail.length))
    points = [int(n) for n in side_points(after)]
    counts = [
        (points[side] if side < len(points) else 0) * step // COUNTING_STEPS
        for side in range(MOST_SIDES)
        for step in range(1, COUNTING_STEPS + 1)
    ]
    words = best.letter, best.side, *way(best.pieces, LONGEST_TAIL_BOX), f"of{len(points)}"
    return Moment("count", (*words, *counts))
