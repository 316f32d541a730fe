"""The moments of COALS: a devil woken that costs much, one's own burnt fingers, the end."""

from diablerie.engine.moments import Moment
from diablerie.engine.queries import sole_winner
from diablerie.games.coals.rules.state import DEVIL, Node, State

MUCH_COAL = 100

FACES = {"burnt": "burnt", "wake": "burnt"}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: all coal is open."""
    ended = [Moment("flag", (sole_winner(after),))] if after.node == Node.OVER else []
    if before.node != Node.COAL or action != DEVIL:
        return ended
    if before.turn == viewer:
        return [Moment("burnt", (viewer,)), *ended]
    return [*([Moment("wake")] if before.coal[before.turn] >= MUCH_COAL else []), *ended]
