"""How a finished game of UNDERWORLD is summed up in statistics."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.underworld.rules.state import TURNS


def ending(s: Record) -> Line:
    """What ended the game."""
    if sum(bool(left) for left in s.gone) == s.seats - 1:
        return say("only one was left", "U27")
    if s.down == 0:
        return say("every card was face up", "U28")
    if s.turns >= TURNS:
        return say("600 turns were over", "U29")
    return say("60 turns in a row brought nothing new", "U29")
