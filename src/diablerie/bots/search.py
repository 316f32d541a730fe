"""Information-set Monte Carlo tree search for any of the games, compiled for each.

Every iteration fills in what the seat cannot know (`guess`), walks down the one tree of what it
sees, adds a decision, plays on as the game's `Playout` says until its value judges, and counts
the worth for every seat on the way back: single-observer ISMCTS with availability counts
and max^n. Moves the seat does not see are played after advice and never branch the tree.
"""

from math import log, sqrt
from typing import Any

from numpy.typing import NDArray

from diablerie.bots.tree import OBSERVE, child, grown, passed
from diablerie.engine.compile import rule
from diablerie.engine.record import Record, f64, i32, i64, record
from diablerie.engine.rng import Rng, below, unit, weighted
from diablerie.engine.verbs import (
    CHANCE,
    OVER,
    actor,
    advise,
    apply,
    chance,
    guess,
    legal,
    redact,
    returns,
    value,
    witness,
)

DEPTH = 200  # of the tree, in moves
DRAWN = 3  # of so many untried actions the most promising is tried next


@record
class Plan:
    """What a search is to do, and its scratch room."""

    me: i32
    used: i32  # spots of the arena in use
    stamp: i32  # of the decision whose actions are marked
    horizon: i32  # playouts last so many moves, at least
    rest: i64  # mask of the nodes where they may be judged then
    explore: f64  # how much the untried is preferred, in deviations of the worth
    widen: f64  # so many actions are tried after one visit; with more visits, the root's multiple
    bias: f64  # as how many playouts the game's value of what an action leads to counts
    hope: f64  # that value, for the action tried now
    skill: f64  # the share of moves in playouts that follow advice, the others being random
    path: i32[DEPTH]
    worth: f64[6]


@rule
def search(start: Any, room: Any, eye: Any, words: NDArray[Any], tree: Any, plans: Any,
           mark: NDArray[Any], rng: Rng, out: NDArray[Any], p: NDArray[Any],
           n: int) -> None:  # fmt: skip
    """Think for so many iterations about `start[0]`, as the seat that decides sees it.

    room and eye: arrays of one state; words: the bytes of eye as int64; mark: int32, an entry per
    action; out and p: see engine.playout.buffers.
    """
    plan = plans[0]
    for _ in range(n):
        room[0] = start[0]
        guess(room[0], plan.me, rng)
        depth = descend(room, eye, words, tree, plan, mark, rng, out, p)
        play_on(room[0], plan, rng, out, p)
        for i in range(depth + 1):
            passed(tree[plan.path[i]], plan.worth, room[0].seats)


@rule
def descend(room: Any, eye: Any, words: NDArray[Any], tree: Any, plan: Record,
            mark: NDArray[Any], rng: Rng, out: NDArray[Any], p: NDArray[Any]) -> int:  # fmt: skip
    """Walk down the tree to a decision made for the first time; the number of moves."""
    s = room[0]
    at, depth = 0, 0
    plan.path[0] = 0
    while depth < DEPTH - 2 and plan.used < len(tree) - 2:
        who = plan.me if depth == 0 else actor(s)
        if who == OVER:
            break
        seen = who == plan.me or (witness(s) >> plan.me) & 1 != 0
        plan.hope = 0.0
        if who == CHANCE:
            move, n = out[weighted(rng, p, chance(s, out, p))], 1
        elif seen:
            n = legal(s, who, out)
            move = out[0] if n == 1 else pick(room, eye, tree, plan, at, who, mark, rng, out, n)
        else:
            move, n = advise(s, who, rng), 1
        apply(s, who, move)
        if seen:
            at = reached(tree, plan, at, who, move)
            if tree[at].visits == 0:
                tree[at].hope = plan.hope
            depth += 1
            plan.path[depth] = at
        before = at
        at = told(room, eye, words, tree, plan, at)
        if at != before:
            depth += 1
            plan.path[depth] = at
        if n > 1 and tree[at].visits == 0:
            break
    return depth


@rule
def reached(tree: Any, plan: Record, at: int, who: int, move: int) -> int:
    """The child by this move, made if need be."""
    found = child(tree, at, who, move)
    if found == 0:
        found = grown(tree, plan.used, at, who, move)
        plan.used += 1
    return found


@rule
def told(room: Any, eye: Any, words: NDArray[Any], tree: Any, plan: Record, at: int) -> int:
    """The spot itself, or the one below it for this sight, if the seat has seen another one."""
    eye[0] = room[0]
    redact(eye[0], plan.me)
    key = digest(words)
    if tree[at].key == 0:
        tree[at].key = key
    if tree[at].key == key:
        return at
    found = reached(tree, plan, at, OBSERVE, key & 0x7FFFFFFF)
    tree[found].key = key
    return found


@rule
def digest(words: NDArray[Any]) -> int:
    """A number for these bytes that is never 0."""
    h = 0
    for word in words:
        h = (h ^ word) * 0x2545F4914F6CDD1D
        h ^= (h >> 29) & 0x7FFFFFFFF
    return h | 1


# -- choosing ----------------------------------------------------------------------------------


@rule
def pick(room: Any, eye: Any, tree: Any, plan: Record, at: int, who: int, mark: NDArray[Any],
         rng: Rng, out: NDArray[Any], n: int) -> int:  # fmt: skip
    """The action to walk down by: an untried one while the spot is narrow, else the best bound."""
    tried, visits, spread = survey(tree, plan, at, who, mark, out, n)
    if tried < n and tried < 1 + plan.widen * sqrt(float(visits)):
        return fresh(room, eye, plan, who, mark, rng, out, n, tried)
    best, chosen = -1e9, out[0]
    found = int(tree[at].first)
    while found:
        spot = tree[found]
        if spot.who == who and mark[spot.move] == -plan.stamp:
            x = bound(spot, plan, who, spread)
            if x > best:
                best, chosen = x, spot.move
        found = int(spot.following)
    return chosen


@rule
def survey(tree: Any, plan: Record, at: int, who: int, mark: NDArray[Any], out: NDArray[Any],
           n: int) -> tuple[int, int, float]:  # fmt: skip
    """Mark what is legal and what of it is tried; tried ones, their visits, how they differ."""
    plan.stamp += 1
    for i in range(n):
        mark[out[i]] = plan.stamp
    tried, visits, total, square = 0, 0, 0.0, 0.0
    found = int(tree[at].first)
    while found:
        spot = tree[found]
        if spot.who == who and mark[spot.move] == plan.stamp:
            mark[spot.move] = -plan.stamp
            spot.offered += 1
            tried += 1
            visits += spot.visits
            total += spot.worth[who]
            square += spot.square
        found = int(spot.following)
    return tried, visits, deviation(visits, total, square)


@rule
def deviation(n: int, total: float, square: float) -> float:
    """The standard deviation of n numbers with this sum and this sum of squares."""
    if n < 2:
        return 1.0
    mean = total / n
    return sqrt(max(square / n - mean * mean, 1e-6))


@rule
def bound(spot: Record, plan: Record, who: int, spread: float) -> float:
    """What an action may be worth at best: its mean, and more the less it was tried."""
    if spot.visits == 0:
        return 1e8
    mean = (spot.worth[who] + plan.bias * spot.hope) / (spot.visits + plan.bias)
    return mean + plan.explore * spread * sqrt(log(float(spot.offered + 1)) / spot.visits)


@rule
def fresh(room: Any, eye: Any, plan: Record, who: int, mark: NDArray[Any], rng: Rng,
          out: NDArray[Any], n: int, tried: int) -> int:  # fmt: skip
    """An untried action: the advised one first, then the most promising of a few."""
    if tried == 0:
        chosen = advise(room[0], who, rng)
        if plan.bias > 0:
            plan.hope = promise(room, eye, plan, who, chosen)
        return chosen
    plan.hope, chosen = -1e9, -1
    for _ in range(DRAWN):
        move = untried(mark, plan.stamp, out, n, below(rng, n - tried))
        x = promise(room, eye, plan, who, move)
        if x > plan.hope:
            plan.hope, chosen = x, move
    return chosen


@rule
def promise(room: Any, eye: Any, plan: Record, who: int, move: int) -> float:
    """The game's value, for who moves, of what a move leads to."""
    eye[0] = room[0]
    apply(eye[0], who, move)
    value(eye[0], plan.worth)
    return plan.worth[who]


@rule
def untried(mark: NDArray[Any], stamp: int, out: NDArray[Any], n: int, k: int) -> int:
    """The k-th of the untried actions."""
    for i in range(n):
        if mark[out[i]] == stamp:
            if k == 0:
                return out[i]
            k -= 1
    return out[n - 1]


# -- playing on --------------------------------------------------------------------------------


@rule
def play_on(s: Record, plan: Record, rng: Rng, out: NDArray[Any], p: NDArray[Any]) -> None:
    """Play after advice up to the horizon, and judge into `plan.worth`."""
    n = 0
    who = actor(s)
    while who != OVER:
        if n >= plan.horizon and plan.rest >> s.node & 1:
            value(s, plan.worth)
            return
        if who == CHANCE:
            move = out[weighted(rng, p, chance(s, out, p))]
        elif plan.skill == 1.0 or unit(rng) < plan.skill:
            move = advise(s, who, rng)
        else:
            move = out[below(rng, legal(s, who, out))]
        apply(s, who, move)
        who = actor(s)
        n += 1
    returns(s, plan.worth)
