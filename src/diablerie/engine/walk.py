"""Walk and perft: two ways to compare implementations of the rules step by step.

Both are defined in the rules' own terms: a walk takes option `(x >> 33) mod n` of a 64-bit linear
congruential generator, perft counts the different histories of a given length.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.compile import Floats, Ints, Records, rule
from diablerie.engine.record import Record
from diablerie.engine.verbs import CHANCE, OVER, actor, apply, chance, legal

FACTOR = 6364136223846793005
ADDEND = 1442695040888963407
MASK = 2**64 - 1

if TYPE_CHECKING:
    from diablerie.engine.game import Game


def walk(game: "Game", s: Record, seed: int, limit: int | None = None) -> Iterator[str]:
    """Play `s` to its end (at most `limit` steps) without skill; yield the walk's lines."""
    x = seed & MASK
    out = np.empty(max(game.actions, game.outcomes), np.int64)
    p = np.empty(game.outcomes)
    step = 0
    while (who := verbs.actor(s)) != OVER and step != limit:
        node = game.node(s.node).name.lower()
        n = verbs.chance(s, out, p) if who == CHANCE else verbs.legal(s, who, out)
        x = (x * FACTOR + ADDEND) & MASK
        k = (x >> 33) % n
        yield f"{step} {'chance' if who == CHANCE else who} {node} {n} {k}"
        verbs.apply(s, who, int(out[k]))
        step += 1
    yield _last(game, s) if who == OVER else "cut"


def _last(game: "Game", s: Record) -> str:
    out = np.zeros(game.seats[-1])
    verbs.returns(s, out)
    return "end " + " ".join(f"{x + 0.0:.6f}" for x in out[: s.seats])


def perft(game: "Game", s: Record, depth: int) -> int:
    """The number of different histories of exactly `depth` steps from `s`."""
    wide = max(game.actions, game.outcomes)
    stack = np.repeat(s.array, depth + 1).view(np.recarray)
    options = np.empty((depth + 1, wide), np.int64)
    left = np.zeros(depth + 1, np.int64)
    return int(_count(stack, options, left, np.empty(wide), depth))


@rule
def _count(stack: Records, options: Ints, left: Ints, p: Floats, depth: int) -> int:
    """Depth first: `stack[k]` is a state with k steps to go, `left[k]` its options not taken."""
    total = int(depth == 0)
    level = depth
    left[depth] = _options(stack[depth], options[depth], p)
    while depth > 0 and level <= depth:
        if left[level] == 0:
            level += 1
            continue
        left[level] -= 1
        stack[level - 1] = stack[level]
        apply(stack[level - 1], actor(stack[level]), options[level][left[level]])
        if level == 1:
            total += 1
        else:
            level -= 1
            left[level] = _options(stack[level], options[level], p)
    return total


@rule
def _options(s: Record, out: Ints, p: Floats) -> int:
    who = actor(s)
    if who == OVER:
        return 0
    return chance(s, out, p) if who == CHANCE else legal(s, who, out)
