"""The moments of COALS: a piece pulled from the furnace, a devil woken, burnt fingers."""

from diablerie.engine.moments import Moment
from diablerie.games.coals.rules.state import DEVIL, VALUES, Node, State


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged, from what `viewer` knows."""
    if before.node == Node.BET:
        return [Moment("stake")]
    if before.node != Node.COAL or action is None:
        return []
    who = int(before.turn)
    if action != DEVIL:
        return [Moment("pull", (VALUES[action], who))]
    return [Moment("pull", ("devil", who)), Moment("wake"), Moment("burnt", (who,))]
