"""The tree of a search: nodes in an arena of fixed size, linked by their indices.

A node is a position as the searching seat sees it, reached from its parent by one move: a
decision, an outcome, or an observation (OBSERVE: the same move has shown something else before).
Node 0 is the root, and also stands for "none". A full arena grows no further; rollouts then start
higher up.
"""

from math import sqrt
from typing import Annotated

import numpy as np

from diablerie.engine.compile import Floats, Records, rule
from diablerie.engine.record import Record, f64, i8, i32, i64, record
from diablerie.engine.verbs import SEATS

OBSERVE = -4  # who moves where only the observation differs; beside CHANCE, OVER and WATCHER
SMALLEST_VARIANCE = 1e-6  # the smallest variance that is assumed, so that nothing is divided by 0


@record
class TreeNode(Record):
    """One node; the sums run over the iterations that came through."""

    key: i64  # digest of what the searching seat sees here
    child: i32  # the first of its children, 0 if none
    sibling: i32  # the next child of the same parent, 0 if none
    move: i32  # the action, outcome or observation that leads here
    who: i8  # the seat that moves so, CHANCE or OBSERVE
    visits: i32
    available: i32  # in how many iterations the move was legal where its parent was visited
    squares: f64  # sum of the squares of the mover's returns
    returns: Annotated[Floats, f64, SEATS]  # sums of every seat's returns


def arena(size: int) -> Records:
    """Room for so many nodes, as a record array of shape (size,)."""
    return np.zeros(size, TreeNode.dtype).view(np.recarray)


@rule
def reset(node: TreeNode) -> None:
    """Clear a node, as if no iteration had passed through it."""
    node.child = node.sibling = node.visits = node.available = node.move = 0
    node.key = node.who = 0
    node.squares = 0.0
    for i in range(SEATS):
        node.returns[i] = 0.0


@rule
def find_child(tree: Records, at: int, who: int, move: int) -> int:
    """The child of node `at` by this move, 0 if there is none."""
    child = int(tree[at].child)
    while child and (tree[child].move != move or tree[child].who != who):
        child = int(tree[child].sibling)
    return child


@rule
def add_child(tree: Records, used: int, at: int, who: int, move: int) -> int:
    """Put a new child of node `at` into place `used` of the arena; returns that place."""
    node = tree[used]
    reset(node)
    node.who = who
    node.move = move
    node.sibling = tree[at].child
    tree[at].child = used
    return used


@rule
def backup(node: TreeNode, returns: Floats, seats: int) -> None:
    """Count an iteration that passed through a node. returns: what every seat got, (SEATS,)."""
    node.visits += 1
    for i in range(seats):
        node.returns[i] += returns[i]
    if node.who >= 0:
        node.squares += returns[node.who] * returns[node.who]


@rule
def most_visited(tree: Records) -> int:
    """The root's most visited child, 0 if it has none."""
    best = at = int(tree[0].child)
    while at:
        if tree[at].visits > tree[best].visits:
            best = at
        at = int(tree[at].sibling)
    return best


@rule
def lead(tree: Records, who: int) -> float:
    """By how many standard errors the root's most visited action is better than any other.

    The smallest, over the other actions, of the difference of both means divided by its standard
    error √(v (1/n₁ + 1/n₂)), with the variance v of all returns at the root pooled.
    """
    best = most_visited(tree)
    n, total, squares = root_sums(tree, who)
    if n < 2:
        return 0.0
    variance = max(squares / n - (total / n) ** 2, SMALLEST_VARIANCE)
    least = 1e9
    at = int(tree[0].child)
    while at:
        if at != best and tree[at].who == who and tree[at].visits:
            ahead = mean_return(tree[best], who) - mean_return(tree[at], who)
            error = variance * (1.0 / tree[at].visits + 1.0 / tree[best].visits)
            least = min(least, ahead / sqrt(error))
        at = int(tree[at].sibling)
    return least


@rule
def root_sums(tree: Records, who: int) -> tuple[int, float, float]:
    """Sums over the root's actions: visits, the mover's returns, and the squares of its returns."""
    n = 0
    total = 0.0
    squares = 0.0
    at = int(tree[0].child)
    while at:
        if tree[at].who == who:
            n += tree[at].visits
            total += tree[at].returns[who]
            squares += tree[at].squares
        at = int(tree[at].sibling)
    return n, total, squares


@rule
def mean_return(node: TreeNode, who: int) -> float:
    """The mean return of a seat at a visited node."""
    return float(node.returns[who]) / node.visits


@rule
def find_key(tree: Records, used: int, key: int) -> int:
    """The most visited node with this key below the root, 0 if there is none."""
    best = 0
    for at in range(1, used):
        if tree[at].key == key and tree[at].visits > tree[best].visits * (best > 0):
            best = at
    return best


@rule
def copy_subtree(tree: Records, at: int, into: Records) -> int:
    """Copy node `at` and all nodes below it into another arena, whose root it becomes.

    Returns the number of nodes. Breadth first: `done` counts nodes whose children are copied, and
    `used` those that have a place in `into`; `child` of the nodes between still points into `tree`.
    """
    into[0] = tree[at]
    into[0].sibling = into[0].move = into[0].who = 0
    used = 1
    done = 0
    while done < used:
        old = int(into[done].child)
        last = 0
        into[done].child = 0
        # The children of one node get neighbouring places, and are linked again as siblings.
        while old:
            into[used] = tree[old]
            into[used].sibling = 0
            if last:
                into[last].sibling = used
            else:
                into[done].child = used
            last = used
            old = int(tree[old].sibling)
            used += 1
        done += 1
    return used
