"""The moments of COALS: a piece pulled from the furnace, a devil woken, burnt fingers, the end."""

from diablerie.engine.moments import Moment
from diablerie.engine.queries import sole_winner
from diablerie.games.coals.rules.state import DEVIL, VALUES, Node, State

FACES = {"burnt": "burnt"}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged, from what `viewer` knows."""
    if before.node == Node.BET:
        return [Moment("stake")]
    if before.node == Node.COAL and action is not None:
        return [*_pulled(int(before.turn), action), *_ended(after)]
    return _ended(after)


def _pulled(who: int, piece: int) -> list[Moment]:
    if piece != DEVIL:
        return [Moment("pull", (VALUES[piece], who))]
    return [Moment("pull", ("devil", who)), Moment("wake"), Moment("burnt", (who,))]


def _ended(after: State) -> list[Moment]:
    return [Moment("flag", (sole_winner(after),))] if after.node == Node.OVER else []
