"""Playouts: whole games in one compiled loop, uniformly random or after the game's advice."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, weighted
from diablerie.engine.verbs import CHANCE, OVER, actor, advise, apply, chance, legal

if TYPE_CHECKING:
    from diablerie.engine.game import Game


def buffers(game: "Game") -> tuple[NDArray[Any], NDArray[Any]]:
    """Room for one thread's legal actions or outcomes (int64), and probabilities (float64)."""
    return np.empty(max(game.actions, game.outcomes), np.int64), np.empty(game.outcomes)


@rule
def playout(s: Record, rng: Rng, out: NDArray[Any], p: NDArray[Any], limit: int) -> int:
    """Play `s` on at random to its end, or `limit` steps; return the number of steps.

    Every legal action is equally likely, chance follows its probabilities.
    """
    for n in range(limit):
        who = actor(s)
        if who == OVER:
            return n
        if who == CHANCE:
            k = weighted(rng, p, chance(s, out, p))
        else:
            k = below(rng, legal(s, who, out))
        apply(s, who, out[k])
    return limit


@rule
def playout_by_advice(s: Record, rng: Rng, out: NDArray[Any], p: NDArray[Any], limit: int) -> int:
    """Play `s` on, every seat after the game's advice; return the number of steps."""
    for n in range(limit):
        who = actor(s)
        if who == OVER:
            return n
        if who == CHANCE:
            apply(s, who, out[weighted(rng, p, chance(s, out, p))])
        else:
            apply(s, who, advise(s, who, rng))
    return limit


@rule
def playouts(start: Any, room: Any, rng: Rng, out: NDArray[Any], p: NDArray[Any],
             games: int) -> int:  # fmt: skip
    """Play so many random games from `start[0]` in `room[0]`; return the number of steps."""
    steps = 0
    for _ in range(games):
        room[0] = start[0]
        steps += playout(room[0], rng, out, p, 1_000_000)
    return steps
