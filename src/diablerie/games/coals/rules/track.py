"""The track of COALS (C4)."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.coals.rules.state import LAST_MARK, MARKS


@rule
def space_of(s: Record, total: int) -> int:
    """C4: the pawn's space for a total, numbered as in `State.space`."""
    if total <= 50:
        return 0
    for i in range(MARKS):
        if total == s.marks[i] or s.marks[i] == LAST_MARK <= total:
            return 2 * i + 2
        if total < s.marks[i]:
            return 2 * i + 1
    return 0
