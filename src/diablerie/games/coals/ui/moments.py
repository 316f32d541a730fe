"""The moments of COALS: a devil woken that costs much, and one's own burnt fingers."""

from diablerie.engine.moments import Moment
from diablerie.games.coals.rules.state import DEVIL, Node, State

MUCH = 100  # coal


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: all coal is open."""
    if before.node != Node.COAL or action != DEVIL:
        return []
    if before.turn == viewer:
        return [Moment("burnt", (viewer,))]
    return [Moment("wake")] if before.coal[before.turn] >= MUCH else []
