"""Playouts: whole games in one compiled loop, uniformly random or after the game's advice."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from diablerie.engine.compile import Floats, Ints, Records, inlined, rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, bits, unit, weighted
from diablerie.engine.verbs import (
    CHANCE,
    OVER,
    actor,
    advise,
    apply,
    chance,
    legal,
    redact,
    returns,
)

if TYPE_CHECKING:
    from diablerie.engine.game import Game

NO_FIRST_SEAT = -1


def buffers(game: "Game") -> tuple[Ints, Floats]:
    """Room for one thread's legal actions or outcomes (int64), and probabilities (float64)."""
    return np.empty(max(game.actions, game.outcomes), np.int64), np.empty(game.outcomes)


@inlined
def play_on(
    s: Record,
    plies: int,
    rest: int,
    move: Callable[..., int],
    how: object,
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
def advised_move(s: Record, who: int, how: object, rng: Rng, out: Ints) -> int:
    """The game's advice for the whole position, what the seat cannot see included."""
    return advise(s, who, rng)


@rule
def advised_move_in_sight(s: Record, who: int, room: Records, rng: Rng, out: Ints) -> int:
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
def playouts(start: Records, room: Records, rng: Rng, out: Ints, p: Floats, games: int) -> int:
    """Play so many random games from `start[0]` in `room[0]`; return the number of steps."""
    steps = 0
    for _ in range(games):
        room[0] = start[0]
        steps += playout(room[0], rng, out, p, 1_000_000)
    return steps


# -- games that are counted -------------------------------------------------------------------------


@rule
def seed_game(rng: Rng, base: np.uint64, game: int) -> None:
    """Seed the generator for the game of this number; other games do not change it.

    base: the seed of all games, uint64.
    """
    rng[0] = base
    rng[0] = bits(rng) ^ np.uint64(game)
    rng[0] = bits(rng)


@rule
def decide_by_advice(
    s: Record, seen: Records, who: int, epsilon: float, rng: Rng, out: Ints
) -> int:
    """A random action in the share `epsilon` of cases, else advice for what the seat sees."""
    if epsilon >= 1.0 or (epsilon > 0.0 and unit(rng) < epsilon):
        return int(out[below(rng, legal(s, who, out))])
    return int(advised_move_in_sight(s, who, seen, rng, out))


@rule
def play_counted(
    s: Record,
    seen: Records,
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
        # Read before `apply` changes it: a visit counts where the decision was made.
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
    start: Records,
    seen: Records,
    epsilons: Floats,
    opening: int,
    base: np.uint64,
    first: int,
    rng: Rng,
    out: Ints,
    p: Floats,
    pay: Floats,
    ends: Records,
    rows: Records,
    limit: int,
) -> int:
    """Play a game for each of `rows`, numbered from `first`; return how many came to an end.

    start, seen: arrays of one state; epsilons: in game g the share of random decisions of seat i is
    `epsilons[g % len(epsilons), i]`; base: the seed of all games, uint64; out, p, pay: room for
    actions, probabilities and returns; ends: receives the last states, rows: records of counts,
    see `lab.simulate.playing`.
    """
    done = 0
    for i in range(len(rows)):
        seed_game(rng, base, first + i)
        ends[i] = start[0]
        rows[i].first = NO_FIRST_SEAT
        # The rows of epsilons take turns, so that each is played as often at each place.
        turn = (first + i) % len(epsilons)
        done += play_counted(ends[i], seen, epsilons[turn], opening, rng, out, p, rows[i], limit)
        returns(ends[i], pay)
        for seat in range(ends[i].seats):
            rows[i].returns[seat] = pay[seat]
    return done
