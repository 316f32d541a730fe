"""How a finished game of COALS is summed up in statistics."""

from collections.abc import Sequence

from diablerie.engine.record import Record
from diablerie.engine.text import Line, say


def points(s: Record) -> Sequence[float]:
    """Everybody's money."""
    return [int(chips) for chips in s.chips[: s.seats]]


def ending(s: Record) -> Line:
    """What ended the game."""
    if max(points(s)) >= s.goal:
        return say("the goal was reached", "C21")
    return say("the hundredth round was over", "C24")
