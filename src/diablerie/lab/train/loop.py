"""Games to learn from, in one compiled loop, and what their positions turned out to be worth.

Every seat decides by the search, or after advice. A position counts where a search would judge it.
What it was worth is its λ-return: the mean of what later positions were taken for and of how the
game ended, later ones counting λ times as much as the one before each.
"""

from typing import Any, NamedTuple

from numpy.typing import NDArray

from diablerie.bots.search import SEEN, START, Arrays, digest, search
from diablerie.bots.tree import most_visited, reset
from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.judging import describe, judge
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below, unit, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.lab.simulate.loop import seed_game

STEPS = 1_000_000  # a game that is not over by then is somebody's mistake
MOMENTS = 4096  # of a game that can be remembered
DRAWN = 16  # of them that are learnt from, spread over the game


class Lesson(NamedTuple):
    """How games are played and what of them is kept; first axis of the last four: positions."""

    start: Any  # one state
    state: Any  # one state: where the game stands
    entries: NDArray[Any]  # float32 (MOMENTS, seats, entries): what every seat knew
    worth: NDArray[Any]  # float64 (MOMENTS + 1, seats): judged, then the λ-returns
    hand: NDArray[Any]  # float64 (MOMENTS, seats): as the game's own value judges
    returns: NDArray[Any]  # float64 (seats,)
    iterations: int  # of every search; 0: advice is followed
    careless: float  # the share of random decisions
    fade: float  # λ
    known: NDArray[Any]  # float32 (positions, seats, entries)
    targets: NDArray[Any]  # float32 (positions, seats): the λ-returns
    ends: NDArray[Any]  # float32 (positions, seats): how the game ended
    before: NDArray[Any]  # float32 (positions, seats): `hand`


@rule
def games(a: Arrays, k: Lesson, params: Any, scratch: Any, rng: Rng, base: Any, first: int,
          n: int) -> int:  # fmt: skip
    """Play n games, numbered from `first`; how many positions are kept, -1 if one never ends."""
    kept = 0
    for i in range(n):
        seed_game(rng, base, first + i)
        k.state[0] = k.start[0]
        moments = play(a, k, params, scratch, rng)
        if moments < 0:
            return -1
        verbs.returns(k.state[0], k.returns)
        look_back(k, moments)
        kept = keep(k, moments, kept, rng)
    return kept


@rule
def play(a: Arrays, k: Lesson, params: Any, scratch: Any, rng: Rng) -> int:
    """Play `k.state[0]` to its end; how many positions are remembered, -1 if it never ends."""
    s, moments = k.state[0], 0
    for _ in range(STEPS):
        who = verbs.actor(s)
        if who == OVER:
            return moments
        if params[0].rest >> s.node & 1 and moments < MOMENTS:
            remember(a, k, s, moments)
            moments += 1
        if who == CHANCE:
            action = a.out[weighted(rng, a.p, verbs.chance(s, a.out, a.p))]
        else:
            action = decide(a, k, params, scratch, s, who, rng)
        verbs.apply(s, who, action)
    return -1


@rule
def remember(a: Arrays, k: Lesson, s: Record, at: int) -> None:
    """What every seat knows, what the position is taken for, and what the hand takes it for."""
    for seat in range(s.seats):
        describe(s, a.judge, seat)
        for i in range(k.entries.shape[2]):
            k.entries[at, seat, i] = a.judge.entries[0, i]
    judge(s, a.judge, k.returns)
    for seat in range(s.seats):
        k.worth[at, seat] = k.returns[seat]
    verbs.value(s, k.returns)
    for seat in range(s.seats):
        k.hand[at, seat] = k.returns[seat]


@rule
def decide(a: Arrays, k: Lesson, params: Any, scratch: Any, s: Record, who: int,
           rng: Rng) -> int:  # fmt: skip
    """A random action now and then, else advice, or what a search tries most."""
    n = verbs.legal(s, who, a.out)
    if n == 1:
        return a.out[0]
    if unit(rng) < k.careless:
        return a.out[below(rng, n)]
    a.states[START] = s
    verbs.redact(a.states[START], who)
    if k.iterations == 0:
        return verbs.advise(a.states[START], who, rng)
    a.states[SEEN] = a.states[START]
    reset(a.tree[0])
    a.tree[0].key, scratch[0].used, params[0].me = digest(a.words), 1, who
    search(a, params, scratch, rng, k.iterations)
    return int(a.tree[most_visited(a.tree)].move)


@rule
def look_back(k: Lesson, moments: int) -> None:
    """Turn what positions were taken for into their λ-returns, from the end to the start."""
    for seat in range(k.state[0].seats):
        then = worth = k.returns[seat]
        for at in range(moments - 1, -1, -1):
            worth = (1.0 - k.fade) * then + k.fade * worth
            then, k.worth[at, seat] = k.worth[at, seat], worth


@rule
def keep(k: Lesson, moments: int, kept: int, rng: Rng) -> int:
    """Keep some of the positions of a game, spread over it; how many are kept in all."""
    n = min(DRAWN, moments)
    for j in range(n):
        at = min(moments - 1, int((j + unit(rng)) * moments / n)) if moments > n else j
        for seat in range(k.state[0].seats):
            for i in range(k.entries.shape[2]):
                k.known[kept, seat, i] = k.entries[at, seat, i]
            k.targets[kept, seat] = k.worth[at, seat]
            k.ends[kept, seat] = k.returns[seat]
            k.before[kept, seat] = k.hand[at, seat]
        kept += 1
    return kept
