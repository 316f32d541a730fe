"""How the players of a tournament begin: their first decisions, and what came of them."""

from collections import Counter
from collections.abc import Iterable

import msgspec
import numpy as np

from diablerie.lab.intervals import Estimate, share

MOST = 8  # openings told of a player, the most frequent


class Opening(msgspec.Struct, frozen=True):
    """A player's first decision of a game: how often it was taken, and the share of wins then."""

    player: str
    action: str
    games: int  # sides taken, as in Standing
    won: Estimate


def openings(begun: Iterable[tuple[str, str, float]], fair: float) -> list[Opening]:
    """The most frequent ones of every player, from (player, action, score) of each side."""
    scores: dict[str, dict[str, list[float]]] = {}
    for player, action, score in begun:
        scores.setdefault(player, {}).setdefault(action, []).append(score)
    return [
        Opening(player, action, count, won(found[action], fair))
        for player, found in scores.items()
        for action, count in Counter({a: len(x) for a, x in found.items()}).most_common(MOST)
    ]


def won(scores: list[float], fair: float) -> Estimate:
    """The share of wins among these games, as if they were independent."""
    return share(np.array(scores), np.ones(len(scores)), fair)
