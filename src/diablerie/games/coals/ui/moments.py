"""The moments of COALS: a devil woken, and one's own burnt fingers."""

from diablerie.engine.moments import Moment
from diablerie.games.coals.rules.state import DEVIL, Node, State


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: all coal is open."""
    if before.node != Node.COAL or action != DEVIL:
        return []
    who = int(before.turn)
    return [Moment("wake"), *([Moment("burnt", (who,))] if who == viewer else ())]
