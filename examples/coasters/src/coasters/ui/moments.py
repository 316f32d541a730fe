"""The moments of COASTERS: the skull that is met, and the point. The house draws the heads."""

from coasters.rules.state import Node, State
from diablerie.engine.moments import Moment


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: what is turned is open."""
    if before.node != Node.TURN or after.node == Node.TURN:
        return []
    who = int(before.turn)
    return [Moment("triumph" if after.points[who] > before.points[who] else "burnt", (who,))]
