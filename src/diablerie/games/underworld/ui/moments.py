"""The moments of UNDERWORLD: a devil woken, a second devil, the way out."""

from collections.abc import Iterator

from diablerie.engine.moments import Moment
from diablerie.games.underworld.rules.state import State


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: devils and disks are open."""
    return [one for i in range(int(after.seats)) for one in _of(before, after, i)]


def _of(before: State, after: State, i: int) -> Iterator[Moment]:
    """What is staged of one player."""
    if after.struck == i and after.pegs > before.pegs:
        yield Moment("caught", (i, "two"))
    elif after.devil[i] > before.devil[i] and after.pegs < before.pegs:
        yield Moment("caught", (i, "one"))
    if after.gone[i] > before.gone[i]:
        yield Moment("out", (i,))
