"""How a finished game of KITCHEN is summed up in statistics."""

from collections.abc import Sequence

from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.kitchen.rules.lookup import colour_of, players_left
from diablerie.games.kitchen.rules.state import GOAL, LAST_TURN


def points(s: Record) -> Sequence[float]:
    """What everybody has served."""
    return [int(s.score[colour_of(s, seat)]) for seat in range(s.seats)]


def ending(s: Record) -> Line:
    """What ended the game."""
    if max(points(s)) >= GOAL:
        return say("somebody had ten points", "K32")
    if players_left(s) == 1:
        return say("one player had devils left", "K33")
    if s.turns >= LAST_TURN:
        return say("the 500th turn was over", "K33")
    return say("nobody could reach ten any more", "K33")
