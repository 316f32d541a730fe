"""The tree of a search: spots in an arena of fixed size, linked by numbers.

A spot is a position as the searching seat sees it, reached from another by one move: a decision,
an outcome, or a sight (OBSERVE: the same move has shown something else before). Spot 0 is the
root, and also stands for "none". A full arena grows no further; playouts then start higher up.
"""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record, f64, i8, i32, i64, record

SEATS = 6
OBSERVE = -3  # who moves where only the sight differs


@record
class Spot:
    """One spot; the sums run over the playouts that came through."""

    key: i64  # digest of what the searching seat sees here
    first: i32  # the first of its children, 0 if none
    following: i32  # the next child of the same spot, 0 if none
    move: i32  # the action, outcome or sight that leads here
    who: i8  # the seat that moves so, CHANCE or OBSERVE
    visits: i32
    offered: i32  # how often the move was there to be chosen
    hope: f64  # the game's value for the mover after it, when it was first tried
    square: f64  # sum of the squares of the mover's worth
    worth: f64[SEATS]  # sums of every seat's worth


def arena(size: int) -> Any:
    """Room for so many spots, as a record array."""
    return np.zeros(size, Spot.dtype).view(np.recarray)  # type: ignore[attr-defined]


@rule
def wipe(spot: Record) -> None:
    """A spot nobody has come through."""
    spot.first = spot.following = spot.visits = spot.offered = spot.move = 0
    spot.key = spot.who = 0
    spot.square = spot.hope = 0.0
    for i in range(SEATS):
        spot.worth[i] = 0.0


@rule
def child(tree: Any, at: int, who: int, move: int) -> int:
    """The child of a spot by this move, 0 if there is none."""
    found = int(tree[at].first)
    while found and (tree[found].move != move or tree[found].who != who):
        found = int(tree[found].following)
    return found


@rule
def grown(tree: Any, used: int, at: int, who: int, move: int) -> int:
    """Put a new child into place `used` of the arena."""
    spot = tree[used]
    wipe(spot)
    spot.who, spot.move = who, move
    spot.following = tree[at].first
    tree[at].first = used
    return used


@rule
def passed(spot: Record, worth: NDArray[Any], seats: int) -> None:
    """Count a playout that came through."""
    spot.visits += 1
    for i in range(seats):
        spot.worth[i] += worth[i]
    if spot.who >= 0:
        spot.square += worth[spot.who] * worth[spot.who]


@rule
def foremost(tree: Any) -> int:
    """The root's most visited child, 0 if it has none."""
    best = at = int(tree[0].first)
    while at:
        if tree[at].visits > tree[best].visits:
            best = at
        at = int(tree[at].following)
    return best


@rule
def lead(tree: Any, who: int) -> float:
    """By how many standard errors the root's most visited action is better than any other."""
    best = foremost(tree)
    n, total, square = sums(tree, who)
    if n < 2:
        return 0.0
    variance = max(square / n - (total / n) ** 2, 1e-6)
    least = 1e9
    at = int(tree[0].first)
    while at:
        if at != best and tree[at].who == who and tree[at].visits:
            ahead = mean(tree[best], who) - mean(tree[at], who)
            error = variance * (1.0 / tree[at].visits + 1.0 / tree[best].visits)
            least = min(least, ahead / sqrt(error))
        at = int(tree[at].following)
    return least


@rule
def sums(tree: Any, who: int) -> tuple[int, float, float]:
    """Of the root's actions: their visits, worth for the mover, and squares of it."""
    n, total, square = 0, 0.0, 0.0
    at = int(tree[0].first)
    while at:
        if tree[at].who == who:
            n += tree[at].visits
            total += tree[at].worth[who]
            square += tree[at].square
        at = int(tree[at].following)
    return n, total, square


@rule
def mean(spot: Record, who: int) -> float:
    """What a visited spot has been worth to a seat."""
    return spot.worth[who] / spot.visits


@rule
def sought(tree: Any, used: int, key: int) -> int:
    """The spot with this key below the root, 0 if there is none."""
    best = 0
    for at in range(1, used):
        if tree[at].key == key and tree[at].visits > tree[best].visits * (best > 0):
            best = at
    return best


@rule
def replanted(tree: Any, at: int, into: Any) -> int:
    """Copy what hangs below a spot into another arena, as its root; how many spots that is."""
    into[0] = tree[at]
    into[0].following = into[0].move = into[0].who = 0
    used = 1
    done = 0
    while done < used:  # those before `done` have their children copied
        old, last = int(into[done].first), 0
        into[done].first = 0
        while old:
            into[used] = tree[old]
            into[used].following = 0
            if last:
                into[last].following = used
            else:
                into[done].first = used
            last = used
            old = int(tree[old].following)
            used += 1
        done += 1
    return used
