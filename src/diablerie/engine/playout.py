"""Playouts: whole games in one compiled loop, uniformly random or after the game's advice."""

from typing import TYPE_CHECKING, Any

import numpy as np

from diablerie.engine.arrays import Floats, Ints
from diablerie.engine.compile import inlined, rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, weighted
from diablerie.engine.verbs import CHANCE, OVER, actor, advise, apply, chance, legal, redact

if TYPE_CHECKING:
    from diablerie.engine.game import Game


def buffers(game: "Game") -> tuple[Ints, Floats]:
    """Room for one thread's legal actions or outcomes (int64), and probabilities (float64)."""
    return np.empty(max(game.actions, game.outcomes), np.int64), np.empty(game.outcomes)


@inlined
def play_on(
    s: Record,
    plies: int,
    rest: int,
    move: Any,
    how: Any,
    rng: Rng,
    out: Ints,
    p: Floats,
) -> int:
    """Play `s` on until it is over, or has come to rest; return the number of moves.

    It may rest after so many plies, at a node of the bit mask `rest` (-1: any node).
    move(s, who, how, rng, out): the rule by which a seat decides; `how` is handed on to it. This
    loop is copied into its callers, so that Numba compiles one for each such rule. out, p: see
    `buffers`.
    """
    n = 0
    while True:
        who = actor(s)
        if who == OVER or (n >= plies and rest >> s.node & 1):
            return n
        if who == CHANCE:
            action = out[weighted(rng, p, chance(s, out, p))]
        else:
            action = move(s, who, how, rng, out)
        apply(s, who, action)  # once: `apply` is large, and inlined
        n += 1


@rule
def advised_move(s: Record, who: int, how: Any, rng: Rng, out: Ints) -> int:
    """The game's advice for the whole position, what the seat cannot see included."""
    return advise(s, who, rng)


@rule
def advised_move_in_sight(s: Record, who: int, room: Any, rng: Rng, out: Ints) -> int:
    """The game's advice for what the seat sees, which is written to the state `room[0]`."""
    room[0] = s
    redact(room[0], who)
    return advise(room[0], who, rng)


@rule
def playout(s: Record, rng: Rng, out: Ints, p: Floats, limit: int) -> int:
    """Play `s` on at random to its end, or `limit` steps; return the number of steps.

    Every legal action is equally likely, chance follows its probabilities. out, p: see `buffers`.
    A loop of its own, since by `play_on` COALS is 5 to 7 % slower.
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
def playout_by_advice(s: Record, rng: Rng, out: Ints, p: Floats, limit: int) -> int:
    """Play `s` on, every seat after the game's advice; return the number of steps."""
    return play_on(s, limit, -1, advised_move, None, rng, out, p)


@rule
def playouts(start: Any, room: Any, rng: Rng, out: Ints, p: Floats, games: int) -> int:
    """Play so many random games from `start[0]` in `room[0]`; return the number of steps."""
    steps = 0
    for _ in range(games):
        room[0] = start[0]
        steps += playout(room[0], rng, out, p, 1_000_000)
    return steps
