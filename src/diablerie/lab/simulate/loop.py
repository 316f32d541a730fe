"""Whole games between players that do not search, in one compiled loop."""

from typing import Any

import numpy as np

from diablerie.engine.arrays import Floats, Ints
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, bits, unit, weighted
from diablerie.engine.verbs import (
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

MAX_NODES = 32  # more than any game has
NOBODY = -1

# Counts of one game: decisions, outcomes of chance, who begins (NOBODY if that is unknown), the
# node of the last step, decisions by node, and everybody's return
GAME_COUNTS = np.dtype(
    [
        ("decisions", "i4"),
        ("draws", "i4"),
        ("first", "i4"),
        ("last", "i4"),
        ("visits", "i4", (MAX_NODES,)),
        ("returns", "f8", (SEATS,)),
    ]
)


@rule
def seed_game(rng: Rng, base: Any, game: int) -> None:
    """Seed the generator for the game of this number; other games do not change it.

    base: the seed of all games, uint64.
    """
    rng[0] = base
    rng[0] = bits(rng) ^ np.uint64(game)
    rng[0] = bits(rng)


@rule
def decide_by_advice(s: Record, seen: Any, who: int, epsilon: float, rng: Rng, out: Ints) -> int:
    """A random action in the share `epsilon` of cases, else advice for what the seat sees."""
    if epsilon >= 1.0 or (epsilon > 0.0 and unit(rng) < epsilon):
        return int(out[below(rng, legal(s, who, out))])
    seen[0] = s
    redact(seen[0], who)
    return advise(seen[0], who, rng)


@rule
def play_counted(
    s: Record,
    seen: Any,
    epsilons: Floats,
    opening: int,
    rng: Rng,
    out: Ints,
    p: Floats,
    row: Any,
    limit: int,
) -> bool:
    """Play `s` to its end and count in `row`; return whether it ended within `limit` steps.

    epsilons: the share of random decisions of each seat; opening: the node whose outcome is who
    begins, or -1; out, p: room for actions and probabilities.
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
            k = decide_by_advice(s, seen, who, epsilons[who], rng, out)
            row.decisions += 1
            row.visits[node] += 1
        row.last = node
        apply(s, who, k)
    return False


@rule
def play_games(
    start: Any,
    seen: Any,
    epsilons: Floats,
    opening: int,
    base: Any,
    first: int,
    rng: Rng,
    out: Ints,
    p: Floats,
    pay: Floats,
    ends: Any,
    rows: Any,
    limit: int,
) -> int:
    """Play a game for each of `rows`, numbered from `first`; return how many came to an end.

    start, seen: arrays of one state; epsilons: in game g the share of random decisions of seat i is
    `epsilons[g % len(epsilons), i]`; base: the seed of all games, uint64; out, p, pay: room for
    actions, probabilities and returns; ends: receives the last states, rows: GAME_COUNTS.
    """
    done = 0
    for i in range(len(rows)):
        seed_game(rng, base, first + i)
        ends[i] = start[0]
        rows[i].first = NOBODY
        turn = (first + i) % len(epsilons)
        done += play_counted(ends[i], seen, epsilons[turn], opening, rng, out, p, rows[i], limit)
        returns(ends[i], pay)
        for seat in range(ends[i].seats):
            rows[i].returns[seat] = pay[seat]
    return done
