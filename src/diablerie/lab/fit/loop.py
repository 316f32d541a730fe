"""Self-play games in one compiled loop, and the λ-returns of their positions.

Every seat decides by the search, or by the game's advice. The loop remembers the positions at which
a search would evaluate. The target of a position is its λ-return (Sutton 1988): a mean of the
values that later positions were judged to have and of the game's result, in which each later term
counts λ times as much as the one before.
"""

from typing import Any, NamedTuple

from diablerie.bots.search import SEEN, START, SearchArrays, search, state_hash
from diablerie.bots.search_tree import most_visited, reset
from diablerie.engine import verbs
from diablerie.engine.arrays import Floats, Floats32
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, unit, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.lab.simulate.loop import seed_game
from diablerie.values.value_model import evaluate, write_features

MAX_STEPS = 1_000_000  # of a game; a longer one is a mistake in the rules or the advice
MAX_POSITIONS = 4096  # of a game that the loop remembers
SAMPLED = 16  # of them that are kept, spread over the game


class SelfPlayBuffers(NamedTuple):
    """How games are played, and room for their positions.

    `entries`, `worth` and `hand` hold the positions of one game, the last four arrays the kept
    positions of all games.
    """

    start: Any  # one state
    state: Any  # one state: the position of the game
    entries: Floats32  # (MAX_POSITIONS, seats, entries): the inputs of the network
    worth: Floats  # (MAX_POSITIONS + 1, seats): judged values, then λ-returns
    hand: Floats  # (MAX_POSITIONS, seats): the values of the game's own evaluation
    returns: Floats  # (seats,)
    iterations: int  # of every search; 0: follow the advice
    careless: float  # the share of random decisions
    fade: float  # λ
    known: Floats32  # (positions, seats, entries)
    targets: Floats32  # (positions, seats): the λ-returns
    ends: Floats32  # (positions, seats): the result of the game
    before: Floats32  # (positions, seats): `hand`


@rule
def play_self(
    a: SearchArrays,
    k: SelfPlayBuffers,
    params: Any,
    scratch: Any,
    rng: Rng,
    base: Any,
    first: int,
    n: int,
) -> int:
    """Play n games, numbered from `first`; return how many positions are kept, -1 on no end.

    base: the seed of all games, uint64.
    """
    kept = 0
    for i in range(n):
        seed_game(rng, base, first + i)
        k.state[0] = k.start[0]
        positions = play_remembered(a, k, params, scratch, rng)
        if positions < 0:
            return -1
        verbs.returns(k.state[0], k.returns)
        lambda_returns(k, positions)
        kept = keep_positions(k, positions, kept, rng)
    return kept


@rule
def play_remembered(
    a: SearchArrays, k: SelfPlayBuffers, params: Any, scratch: Any, rng: Rng
) -> int:
    """Play `k.state[0]` to its end; return how many positions it remembers, -1 on no end."""
    s, positions = k.state[0], 0
    for _ in range(MAX_STEPS):
        who = verbs.actor(s)
        if who == OVER:
            return positions
        if params[0].rest >> s.node & 1 and positions < MAX_POSITIONS:
            remember_position(a, k, s, positions)
            positions += 1
        if who == CHANCE:
            action = a.out[weighted(rng, a.p, verbs.chance(s, a.out, a.p))]
        else:
            action = decide_by_search(a, k, params, scratch, s, who, rng)
        verbs.apply(s, who, action)
    return -1


@rule
def remember_position(a: SearchArrays, k: SelfPlayBuffers, s: Record, at: int) -> None:
    """Store the inputs of every seat, the judged value, and the game's own evaluation."""
    for seat in range(s.seats):
        write_features(s, a.judge, seat)
        for i in range(k.entries.shape[2]):
            k.entries[at, seat, i] = a.judge.entries[0, i]
    evaluate(s, a.judge, k.returns)
    for seat in range(s.seats):
        k.worth[at, seat] = k.returns[seat]
    verbs.value(s, k.returns)
    for seat in range(s.seats):
        k.hand[at, seat] = k.returns[seat]


@rule
def decide_by_search(
    a: SearchArrays, k: SelfPlayBuffers, params: Any, scratch: Any, s: Record, who: int, rng: Rng
) -> int:
    """A random action now and then, else the advice, or the most visited action of a search."""
    n = verbs.legal(s, who, a.out)
    if n == 1:
        return int(a.out[0])
    if unit(rng) < k.careless:
        return int(a.out[below(rng, n)])
    a.states[START] = s
    verbs.redact(a.states[START], who)
    if k.iterations == 0:
        return verbs.advise(a.states[START], who, rng)
    a.states[SEEN] = a.states[START]
    reset(a.tree[0])
    a.tree[0].key, scratch[0].used, params[0].me = state_hash(a.words), 1, who
    search(a, params, scratch, rng, k.iterations)
    return int(a.tree[most_visited(a.tree)].move)


@rule
def lambda_returns(k: SelfPlayBuffers, positions: int) -> None:
    """Replace judged values by λ-returns, from the end to the start.

    G(t) = (1 - λ) V(t + 1) + λ G(t + 1), and both are the game's return after the last position.
    """
    for seat in range(k.state[0].seats):
        value = target = k.returns[seat]
        for at in range(positions - 1, -1, -1):
            target = (1.0 - k.fade) * value + k.fade * target
            value, k.worth[at, seat] = k.worth[at, seat], target


@rule
def keep_positions(k: SelfPlayBuffers, positions: int, kept: int, rng: Rng) -> int:
    """Keep a stratified sample of a game's positions; return how many are kept in all."""
    n = min(SAMPLED, positions)
    for j in range(n):
        at = min(positions - 1, int((j + unit(rng)) * positions / n)) if positions > n else j
        for seat in range(k.state[0].seats):
            for i in range(k.entries.shape[2]):
                k.known[kept, seat, i] = k.entries[at, seat, i]
            k.targets[kept, seat] = k.worth[at, seat]
            k.ends[kept, seat] = k.returns[seat]
            k.before[kept, seat] = k.hand[at, seat]
        kept += 1
    return kept
