"""Whole games between players that need no search, in one compiled loop."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, bits, unit, weighted
from diablerie.engine.verbs import (  # fmt: skip
    CHANCE,
    OVER,
    SEATS,
    actor,
    advise,
    apply,
    chance,
    legal,
    redact,
    returns,
)

NODES = 32  # room for the nodes of any game
NOBODY = -1

# What is counted of one game: decisions, outcomes of chance, who begins (NOBODY: it cannot be
# told), the node of the last step, decisions by node, and everybody's return
COUNTS = np.dtype(
    [
        ("decisions", "i4"),
        ("draws", "i4"),
        ("first", "i4"),
        ("last", "i4"),
        ("visits", "i4", (NODES,)),
        ("returns", "f8", (SEATS,)),
    ]
)


@rule
def seed_game(rng: Rng, base: Any, game: int) -> None:
    """Set the generator to the seed of one game, which does not depend on the others."""
    rng[0] = base
    rng[0] = bits(rng) ^ np.uint64(game)
    rng[0] = bits(rng)


@rule
def decide(s: Record, seen: Any, who: int, careless: float, rng: Rng, out: NDArray[Any]) -> int:
    """A random action in the share `careless` of cases, else advice for what the seat sees."""
    if careless >= 1.0 or (careless > 0.0 and unit(rng) < careless):
        return out[below(rng, legal(s, who, out))]
    seen[0] = s
    redact(seen[0], who)
    return advise(seen[0], who, rng)


@rule
def play(s: Record, seen: Any, careless: NDArray[Any], opening: int, rng: Rng,
         out: NDArray[Any], p: NDArray[Any], row: Record, limit: int) -> bool:  # fmt: skip
    """Play `s` on and count in `row`; whether it ended within so many steps.

    careless: by seat; opening: the node whose outcome is who begins, or -1.
    """
    for _ in range(limit):
        who = actor(s)
        if who == OVER:
            return True
        node = int(s.node)
        if who == CHANCE:
            k = out[weighted(rng, p, chance(s, out, p))]
            row.draws += 1
            if node == opening:
                row.first = k
        else:
            k = decide(s, seen, who, careless[who], rng, out)
            row.decisions += 1
            row.visits[node] += 1
        row.last = node
        apply(s, who, k)
    return False


@rule
def games(start: Any, seen: Any, careless: NDArray[Any], opening: int, base: Any, first: int,
          rng: Rng, out: NDArray[Any], p: NDArray[Any], pay: NDArray[Any], ends: Any, rows: Any,
          limit: int) -> int:  # fmt: skip
    """Play a game for each of `rows`, numbered from `first`; return how many came to an end.

    start, seen: arrays of one state; ends: room for the last states; careless: in game g seat i
    plays as `careless[g % len(careless), i]` says; base: the seed of all games, uint64;
    pay: room for everybody's return (float64).
    """
    done = 0
    for i in range(len(rows)):
        seed_game(rng, base, first + i)
        ends[i] = start[0]
        rows[i].first = NOBODY
        turn = (first + i) % len(careless)
        done += play(ends[i], seen, careless[turn], opening, rng, out, p, rows[i], limit)
        returns(ends[i], pay)
        for seat in range(ends[i].seats):
            rows[i].returns[seat] = pay[seat]
    return done
