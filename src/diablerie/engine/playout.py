"""Playouts: whole games in one compiled loop, uniformly random or after the game's advice."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, weighted
from diablerie.engine.verbs import CHANCE, OVER, actor, advise, apply, chance, legal


class Buffers(NamedTuple):
    """Room for one thread's legal actions or outcomes, and probabilities."""

    out: NDArray[Any]
    p: NDArray[Any]


def buffers(game: Game) -> Buffers:
    """Buffers wide enough for this game."""
    return Buffers(np.empty(max(game.actions, game.outcomes), np.int64), np.empty(game.outcomes))


@rule
def step(s: Record, rng: Rng, room: Buffers) -> int:
    """Play one uniformly random step of `s`, chance by its probabilities; who did it."""
    who = actor(s)
    if who == OVER:
        return who
    if who == CHANCE:
        n = chance(s, room.out, room.p)
        k = weighted(rng, room.p, n)
    else:
        k = below(rng, legal(s, who, room.out))
    apply(s, who, room.out[k])
    return who


@rule
def playout(s: Record, rng: Rng, room: Buffers, limit: int) -> int:
    """Play `s` on at random to its end, or `limit` steps; return the number of steps."""
    for n in range(limit):
        if step(s, rng, room) == OVER:
            return n
    return limit


@rule
def advised(s: Record, rng: Rng, room: Buffers, limit: int) -> int:
    """Play `s` on, every seat after the game's advice; return the number of steps."""
    for n in range(limit):
        who = actor(s)
        if who == OVER:
            return n
        if who == CHANCE:
            count = chance(s, room.out, room.p)
            apply(s, who, room.out[weighted(rng, room.p, count)])
        else:
            apply(s, who, advise(s, who, rng))
    return limit
