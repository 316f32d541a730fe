"""Who has how many points in TAILS, and who has won, as the rules count."""

import numpy as np

from diablerie.engine.record import Record
from diablerie.games.tails.rules.scoring import returns, scores
from diablerie.games.tails.rules.sides import COUNT


def side_points(s: Record) -> list[int]:
    """The points so far, by side (T19)."""
    by_seat = np.zeros(int(s.seats), np.int64)
    scores(s, by_seat)
    return by_seat[: COUNT[s.seats]].tolist()


def winners(s: Record) -> list[int]:
    """The sides that have won a game that is over, all of them if the win is shared (T18)."""
    by_seat = np.zeros(int(s.seats))
    returns(s, by_seat)
    utilities = by_seat[: COUNT[s.seats]].tolist()
    return [side for side, utility in enumerate(utilities) if utility == max(utilities)]
