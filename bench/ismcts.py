"""A plain ISMCTS to measure the devils against: what anybody would write first for these games.

Single-observer information-set Monte Carlo tree search after Cowling, Powley and Whitehouse
(2012): every iteration determinizes, walks down by UCB1 among the actions that are legal there
(with availability counts), adds one node, plays uniformly at random to the end of the game, and
counts the returns. The most visited action is played. It knows the rules and nothing else: no
advice, no value, no policy. Moves that the seat does not see are random and branch nothing.

    diablerie tournament tails --players search:cpu=50,bench.ismcts:Ismcts50 --games 200
"""

import time
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.bots.search_tree import (
    add_child,
    arena,
    backup,
    find_child,
    mean_return,
    most_visited,
    reset,
)
from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers, playout
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng, below, weighted
from diablerie.engine.verbs import CHANCE, OVER, SEATS

NODES = 1 << 17  # of the tree; what is found beyond is played out at random
DEPTH = 400  # of the tree, in moves
LONGEST = 100_000  # moves of a playout
EXPLORE = 0.7  # the paper's constant, for returns from 0 to 1
BATCH = 20  # iterations between two looks at the clock


class Arrays(NamedTuple):
    """What a search works on."""

    root: Any  # one state: as the seat sees it
    state: Any  # one state: where the iteration stands
    tree: Any
    mark: NDArray[Any]  # int64, an entry for each action, and last the newest mark
    path: NDArray[Any]  # int64: the nodes of this iteration
    out: NDArray[Any]
    p: NDArray[Any]
    returns: NDArray[Any]


@rule
def search(a: Arrays, used: int, me: int, rng: Rng, explore: float, n: int) -> int:
    """Think for `n` iterations; `used` nodes are in the tree before, the result after."""
    for _ in range(n):
        s = a.state[0]
        a.state[0] = a.root[0]
        verbs.guess(s, me, rng)
        depth, used = descend(a, used, me, rng, explore)
        playout(s, rng, a.out, a.p, LONGEST)
        verbs.returns(s, a.returns)
        for i in range(depth + 1):
            backup(a.tree[a.path[i]], a.returns, s.seats)
    return used


@rule
def descend(a: Arrays, used: int, me: int, rng: Rng, explore: float) -> tuple[int, int]:
    """Walk down to the first action that was never tried; its depth, and the nodes used."""
    s = a.state[0]
    at, depth, new = 0, 0, False
    a.path[0] = 0
    while not new and depth < DEPTH - 1 and used < len(a.tree) - 1:
        who = me if depth == 0 else verbs.actor(s)
        if who == OVER:
            break
        seen = who == me or (verbs.witness(s) >> me) & 1 != 0
        if who == CHANCE:
            move = a.out[weighted(rng, a.p, verbs.chance(s, a.out, a.p))]
        else:
            n = verbs.legal(s, who, a.out)
            move = select(a, at, who, rng, explore, n) if seen else a.out[below(rng, n)]
        verbs.apply(s, who, move)
        if seen:
            below_it = find_child(a.tree, at, who, move)
            if below_it == 0:
                below_it = add_child(a.tree, used, at, who, move)
                used += 1
                new = who != CHANCE
            at = below_it
            depth += 1
            a.path[depth] = at
    return depth, used


@rule
def select(a: Arrays, at: int, who: int, rng: Rng, explore: float, n: int) -> int:
    """An untried action of the `n` legal ones in `a.out` by lot, else the one UCB1 prefers."""
    a.mark[-1] += 1
    stamp, left = a.mark[-1], n
    for i in range(n):
        a.mark[a.out[i]] = stamp
    best, chosen, found = -1e9, a.out[0], int(a.tree[at].child)
    while found:
        node = a.tree[found]
        if node.who == who and a.mark[node.move] == stamp:
            a.mark[node.move] = 0
            left -= 1
            node.available += 1
            x = (mean_return(node, who) + 1) / 2 + explore * sqrt(
                log(node.available + 1) / node.visits
            )
            if x > best:
                best, chosen = x, node.move
        found = int(node.sibling)
    return untried(a, stamp, n, below(rng, left)) if left else chosen


@rule
def untried(a: Arrays, stamp: int, n: int, k: int) -> int:
    """The k-th legal action that still has its mark."""
    for i in range(n):
        if a.mark[a.out[i]] == stamp:
            if k == 0:
                return int(a.out[i])
            k -= 1
    return int(a.out[0])


class Ismcts:
    """Thinks for `ms` milliseconds of processor time, or exactly `n` iterations if given."""

    ms, n, explore = 50.0, 0, EXPLORE

    def __init__(self, game: Game) -> None:
        root, state = (np.zeros(1, game.state.dtype).view(np.recarray) for _ in range(2))
        out, p = buffers(game)
        mark, path = np.zeros(game.actions + 1, np.int64), np.zeros(DEPTH, np.int64)
        tree = arena(NODES)
        self._arrays = Arrays(root, state, tree, mark, path, out, p, np.zeros(SEATS))

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        """The most visited action."""
        a, end = self._arrays, time.thread_time() + self.ms / 1000
        if verbs.legal(copy(s), seat, a.out) == 1:
            return int(a.out[0])
        a.root[0] = s.array[0]
        reset(a.tree[0])
        used, done = 1, 0
        while done < self.n if self.n else time.thread_time() < end:
            batch = min(BATCH, self.n - done) if self.n else BATCH
            used = search(a, used, seat, rng, self.explore, batch)
            done += batch
        return int(a.tree[most_visited(a.tree)].move)


class Ismcts5(Ismcts):
    """With 5 ms."""

    ms = 5.0


class Ismcts10(Ismcts):
    """With 10 ms."""

    ms = 10.0


class Ismcts20(Ismcts):
    """With 20 ms."""

    ms = 20.0


class Ismcts50(Ismcts):
    """With 50 ms."""


class Ismcts250(Ismcts):
    """With 250 ms."""

    ms = 250.0
