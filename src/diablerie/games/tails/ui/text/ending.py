"""How a finished game of TAILS is summed up in statistics."""

from collections.abc import Sequence

import numpy as np

from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.tails.rules.scoring import scores


def points(s: Record) -> Sequence[float]:
    """Everybody's points, with 4 players those of the partnership."""
    out = np.zeros(s.seats)
    scores(s, out)
    return [float(x) for x in out]


def ending(s: Record) -> Line:
    """What ended the game."""
    return say("all cells were filled", "T16")
