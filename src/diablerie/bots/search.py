"""Information-set Monte Carlo tree search (ISMCTS) for any of the games, compiled for each.

Each iteration fills in what the seat cannot know (`guess`: a determinization), walks down one tree
of what the seat sees, adds a decision, plays on as the game's `Playout` says until the value
function judges the position, and counts every seat's return on the way back. Moves that the seat
does not see follow the advice and never branch the tree.

Sources:
- single-observer ISMCTS, availability counts: Cowling, Powley and Whitehouse 2012, "Information
  Set Monte Carlo Tree Search";
- upper confidence bounds (UCB1, UCT): Auer, Cesa-Bianchi and Fischer 2002; Kocsis and Szepesvári
  2006. Here the bound is in standard deviations of the returns at the node;
- progressive widening: Chaslot, Winands, van den Herik, Uiterwijk and Bouzy 2008, "Progressive
  Strategies for Monte-Carlo Tree Search";
- each seat maximises its own return (max^n): Luckhardt and Irani 1986.
"""

from math import log, sqrt
from typing import Annotated, NamedTuple

from diablerie.bots.search_tree import (
    OBSERVE,
    SMALLEST_VARIANCE,
    TreeNode,
    add_child,
    backup,
    find_child,
    mean_return,
)
from diablerie.engine import verbs
from diablerie.engine.compile import Floats, Ints, Ints32, Records, rule, wrapping
from diablerie.engine.playout import play_on
from diablerie.engine.record import Record, Row, f64, i32, i64, record
from diablerie.engine.rng import Rng, below, unit, weighted
from diablerie.engine.verbs import CHANCE, OVER, SEATS

DEEPEST_TREE = 200  # moves from the root that are kept in the tree: no search has come near it
UNTRIED_DRAWN = 3  # of so many untried actions the most promising is tried next; not measured


@record
class SearchParams(Record):
    """What a search is asked to do."""

    me: i64  # the seat that thinks
    horizon: i32  # rollouts last so many moves, at least
    rest: i64  # mask of the nodes where they may be judged then
    skill: f64  # the share of moves in rollouts that follow advice, the others being random
    explore: f64  # the exploration constant of UCB, in standard deviations of the returns
    widen: f64  # progressive widening: a node tries 1 + widen · √visits actions
    open: i32  # whether nothing is ever hidden: then the moves identify a position


@record
class Scratch(Record):
    """The variables of a running search."""

    used: i32  # nodes of the arena in use
    stamp: i32  # the number of the decision whose legal actions are marked
    path: Annotated[Row, i32, DEEPEST_TREE]  # the nodes of this iteration, from the root
    returns: Annotated[Floats, f64, SEATS]  # of every seat, in this iteration


# of Arrays.states
SEARCH_START = 0
SEARCH_STATE = 1
SEARCH_SEEN = 2


class SearchArrays(NamedTuple):
    """The arrays of a search, for one thread.

    Numba counts references to each array at each call, so there are few of them.
    """

    states: (
        Records  # the root as the seat sees it; where the iteration stands; what the seat sees then
    )
    words: Ints  # the bytes of `states[SEARCH_SEEN]` as int64
    tree: Records  # the arena of nodes
    mark: Ints32  # int32, an entry for each action
    out: Ints  # of legal actions and outcomes, and below their probabilities:
    p: Floats  # see engine.playout.buffers


@rule
def search(a: SearchArrays, params: Records, scratch: Records, rng: Rng, n: int) -> None:
    """Think for `n` iterations about `a.states[SEARCH_START]`, as the seat that decides sees it.

    params: an array of one SearchParams; scratch: of one Scratch.
    """
    for _ in range(n):
        a.states[SEARCH_STATE] = a.states[SEARCH_START]
        verbs.guess(a.states[SEARCH_STATE], params[0].me, rng)  # a determinization
        depth = descend(a, params[0], scratch[0], rng)
        rollout(a, params[0], scratch[0], rng)
        for i in range(depth + 1):
            backup(a.tree[scratch[0].path[i]], scratch[0].returns, a.states[SEARCH_STATE].seats)


@rule
def descend(a: SearchArrays, params: SearchParams, scratch: Scratch, rng: Rng) -> int:
    """Walk down the tree to a decision that is tried for the first time; return the depth.

    `scratch.path[: depth + 1]` are the nodes of the walk. A move that the seat does not see adds no
    node: it follows the game's advice. Where the seat sees something new after a move, an
    observation node follows (`observe`).
    """
    s = a.states[SEARCH_STATE]
    at = 0
    depth = 0
    scratch.path[0] = 0
    while depth < DEEPEST_TREE - 2 and scratch.used < len(a.tree) - 2:
        who = params.me if depth == 0 else verbs.actor(s)
        if who == OVER:
            break
        # Whether the seat sees this move, as `witness` says before it is made.
        seen = who == params.me or (verbs.witness(s) >> params.me) & 1 != 0
        if who == CHANCE:
            move = a.out[weighted(rng, a.p, verbs.chance(s, a.out, a.p))]
            n = 1
        elif seen:
            n = verbs.legal(s, who, a.out)
            move = a.out[0] if n == 1 else select(a, params, scratch, at, who, rng, n)
        else:
            # The tree has only what the seat can tell apart, so here the advice plays.
            move = verbs.advise(s, who, rng)
            n = 1
        verbs.apply(s, who, move)
        if seen:
            at = step_child(a.tree, scratch, at, who, move)
            depth += 1
            scratch.path[depth] = at
        # Even a move that it does not see may show it something: then it is another node.
        before = at
        at = observe(a, params, scratch, at)
        if at != before:
            depth += 1
            scratch.path[depth] = at
        # A choice tried for the first time: the rest of the game is for the rollout.
        if n > 1 and a.tree[at].visits == 0:
            break
    return depth


@rule
def step_child(tree: Records, scratch: Scratch, at: int, who: int, move: int) -> int:
    """The child of node `at` by this move, added if there is none."""
    child = find_child(tree, at, who, move)
    if child == 0:
        child = add_child(tree, scratch.used, at, who, move)
        scratch.used += 1
    return child


@rule
def observe(a: SearchArrays, params: SearchParams, scratch: Scratch, at: int) -> int:
    """The node for what the seat sees in the present state, after the moves that lead to `at`.

    A node's key is the hash of what the seat sees there. That is `at` itself where the hash is its
    key; else a child of `at`, since the same moves have shown the seat something else before.
    """
    if params.open and a.tree[at].key != 0:
        return at
    a.states[SEARCH_SEEN] = a.states[SEARCH_STATE]
    verbs.redact(a.states[SEARCH_SEEN], params.me)
    key = state_hash(a.words)
    if a.tree[at].key == 0:
        a.tree[at].key = key
    if a.tree[at].key == key:
        return at
    child = step_child(a.tree, scratch, at, OBSERVE, key & 0x7FFFFFFF)
    a.tree[child].key = key
    return child


@wrapping
def state_hash(words: Ints) -> int:
    """A hash of a record, given as int64 words; it is never 0.

    It is not cryptographic: do not use it on data that an opponent chooses.
    """
    h = 0
    for word in words:
        h = (h ^ word) * 0x2545F4914F6CDD1D  # the multiplier of xorshift64* (Vigna 2016)
        h ^= (h >> 29) & 0x7FFFFFFFF
    return h | 1


# -- selection ---------------------------------------------------------------------------------


@rule
def select(
    a: SearchArrays, params: SearchParams, scratch: Scratch, at: int, who: int, rng: Rng, n: int
) -> int:
    """The action by which the walk goes down, one of the first `n` in `a.out`.

    An untried action while fewer than 1 + widen · √visits are tried (progressive widening), else
    the tried one with the highest upper confidence bound.
    """
    tried, visits, spread = survey(a, scratch, at, who, n)
    if tried < n and tried < 1 + params.widen * sqrt(float(visits)):
        return expand(a, scratch, who, rng, n, tried)
    # Children are a linked list; some belong to moves that are not legal in this determinization.
    best = -1e9
    chosen = a.out[0]
    child = int(a.tree[at].child)
    while child:
        node = a.tree[child]
        if node.who == who and a.mark[node.move] == -scratch.stamp:
            x = upper_bound(node, params, who, spread)
            if x > best:
                best = x
                chosen = node.move
        child = int(node.sibling)
    return int(chosen)


@rule
def survey(a: SearchArrays, scratch: Scratch, at: int, who: int, n: int) -> tuple[int, int, float]:
    """Mark the `n` legal actions in `a.out`: with `stamp`, or with -`stamp` where tried.

    A new stamp for each call makes older marks invalid, so that nothing needs to be cleared.
    Returns the number of tried actions, their visits, and the standard deviation of their returns.
    """
    scratch.stamp += 1
    for i in range(n):
        a.mark[a.out[i]] = scratch.stamp
    tried = 0
    visits = 0
    total = 0.0
    squares = 0.0
    child = int(a.tree[at].child)
    while child:
        node = a.tree[child]
        if node.who == who and a.mark[node.move] == scratch.stamp:
            a.mark[node.move] = -scratch.stamp
            # Counted whether it is then chosen or not: see `upper_bound`.
            node.available += 1
            tried += 1
            visits += node.visits
            total += node.returns[who]
            squares += node.squares
        child = int(node.sibling)
    return tried, visits, standard_deviation(visits, total, squares)


@rule
def standard_deviation(n: int, total: float, squares: float) -> float:
    """The standard deviation of n numbers with this sum and this sum of squares."""
    if n < 2:
        return 1.0
    mean = total / n
    return sqrt(max(squares / n - mean * mean, SMALLEST_VARIANCE))


@rule
def upper_bound(node: TreeNode, params: SearchParams, who: int, spread: float) -> float:
    """The upper confidence bound of an action: its mean return, and more the less it was tried.

    returns / visits + explore · spread · √(ln(available + 1) / visits):
    `available` takes the place of the parent's visits, since an action may be illegal in some
    determinizations.
    """
    if node.visits == 0:
        return 1e8
    rarity = sqrt(log(float(node.available + 1)) / node.visits)
    return mean_return(node, who) + params.explore * spread * rarity


@rule
def expand(a: SearchArrays, scratch: Scratch, who: int, rng: Rng, n: int, tried: int) -> int:
    """An untried action: the advised one first, then the best by value of `UNTRIED_DRAWN` random ones."""
    if tried == 0:
        return verbs.advise(a.states[SEARCH_STATE], who, rng)
    best = -1e9
    chosen = -1
    for _ in range(UNTRIED_DRAWN):
        move = untried(a.mark, scratch.stamp, a.out, n, below(rng, n - tried))
        x = value_after(a, scratch, who, move)
        if x > best:
            best = x
            chosen = move
    return chosen


@rule
def value_after(a: SearchArrays, scratch: Scratch, who: int, move: int) -> float:
    """The value, to the seat `who`, of the position after a move; it overwrites `states[SEARCH_SEEN]`."""
    a.states[SEARCH_SEEN] = a.states[SEARCH_STATE]
    verbs.apply(a.states[SEARCH_SEEN], who, move)
    verbs.value(a.states[SEARCH_SEEN], scratch.returns)
    return float(scratch.returns[who])


@rule
def untried(mark: Ints32, stamp: int, out: Ints, n: int, k: int) -> int:
    """The k-th of the untried actions."""
    for i in range(n):
        if mark[out[i]] == stamp:
            if k == 0:
                return int(out[i])
            k -= 1
    return int(out[n - 1])


# -- simulation --------------------------------------------------------------------------------


@rule
def rollout(a: SearchArrays, params: SearchParams, scratch: Scratch, rng: Rng) -> None:
    """Play the state on up to the horizon, and write every seat's return into `scratch.returns`."""
    s = a.states[SEARCH_STATE]
    play_on(s, params.horizon, params.rest, skilled_move, params, rng, a.out, a.p)
    if verbs.actor(s) == OVER:
        verbs.returns(s, scratch.returns)
    else:
        verbs.value(s, scratch.returns)


@rule
def skilled_move(s: Record, who: int, params: SearchParams, rng: Rng, out: Ints) -> int:
    """The game's advice, or with probability 1 - `params.skill` a random action."""
    if params.skill == 1.0 or unit(rng) < params.skill:
        return verbs.advise(s, who, rng)
    return int(out[below(rng, verbs.legal(s, who, out))])
