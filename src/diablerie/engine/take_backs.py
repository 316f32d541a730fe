"""Taking back where others play, too: only what nobody has learnt anything from."""

from typing import TYPE_CHECKING

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.plies import Ply, PlyKind
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record, same
from diablerie.engine.replay import number_of
from diablerie.engine.verbs import WATCHER

if TYPE_CHECKING:
    from diablerie.engine.match import Match


def forbids_take_back(match: "Match", seat: int, to: int, past: Record | None = None) -> bool:
    """Whether `seat` may not return to the position after `to` plies, since others play here.

    That is where the match is over, or where since then somebody else has decided, or anybody has
    learnt something: of a drawn outcome, or of more than could be foreseen. Alone against bots
    one may always return: whoever asks has to know that. `past` is the state after `to` plies, if
    it is known.
    """
    if match.over:
        return True
    state = match.at(to).state if past is None else past.copy()
    for k in range(to, match.ply):
        ply = match.plies[k]
        if ply.kind is PlyKind.HAND_OVER:
            continue
        if ply.kind is not PlyKind.MOVE or ply.seat != seat or len(ply.events) > 1:
            return True
        if _reveals(match.game, match.seats, state, ply):
            return True
    return False


def _reveals(game: Game, seats: int, state: Record, ply: Ply) -> bool:
    """Whether a decision leads to more than everybody could foresee who saw it; makes it."""
    action = number_of(game, state, ply.events[0])
    viewers = (WATCHER, *range(seats))
    foreseen = [_foreseen(state, viewer, ply.seat, action) for viewer in viewers]
    verbs.apply(state, ply.seat, action)
    seen = (redacted(state, viewer) for viewer in viewers)
    return not all(map(same, seen, foreseen))


def _foreseen(state: Record, viewer: int, seat: int, action: int) -> Record:
    expected = redacted(state, viewer)
    verbs.apply(expected, seat, action)
    return redacted(expected, viewer)
