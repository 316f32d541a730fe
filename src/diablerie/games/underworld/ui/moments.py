"""The moments of UNDERWORLD: a devil woken, a second devil, the way out, daybreak."""

from collections.abc import Iterator

from diablerie.engine.moments import Moment
from diablerie.games.underworld.rules.state import Node, State

FACES = {
    "caught": "burnt",
    "out": "triumph",
}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: devils and disks are open."""
    staged = [moment for i in range(after.seats) for moment in _of(before, after, i)]
    return [*staged, _dawn(after)] if after.node == Node.OVER else staged


def _dawn(s: State) -> Moment:
    """Who is still inside when the gate shuts, and who was the first outside."""
    order = [int(place) for place in s.gone[: s.seats]]
    return Moment("dawn", (order.index(0), order.index(1) if 1 in order else "none"))


def _of(before: State, after: State, i: int) -> Iterator[Moment]:
    """What is staged of one player."""
    if after.struck == i and after.pegs > before.pegs:
        yield Moment("caught", (i, "two"))
    elif after.devil[i] > before.devil[i] and after.pegs < before.pegs:
        yield Moment("caught", (i, "one"))
    if after.gone[i] > before.gone[i]:
        yield Moment("out", (i,))
