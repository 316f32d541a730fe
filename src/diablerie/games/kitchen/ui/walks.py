"""Walks of several steps: which cells a devil can reach now, asked of the rules step by step.

A walk keeps one load from its first step to its last. Changing pots on the way is two walks.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.record import copy
from diablerie.games.kitchen.rules.board import GRILLS
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import ACTIONS, END, MOVE, NONE, Node, State, mine


class Walk(NamedTuple):
    """The shortest way of a devil with a load (0: none) to a cell."""

    devil: int
    load: int
    to: int
    actions: tuple[int, ...]
    duel: bool


class Move(NamedTuple):
    """A legal step or flight."""

    action: int
    devil: int
    to: int
    load: int


def walks(s: State) -> list[Walk]:
    """All walks of the player who is to move, by devil, load and number of steps."""
    if s.node != Node.MOVE:
        return []
    ways = sorted({(move.devil, move.load) for move in _moves(s)})
    return [walk for devil, load in ways for walk in _spread(s, devil, load)]


def _spread(s: State, devil: int, load: int) -> Iterator[Walk]:
    met = {int(s.devil[mine(s), devil])}
    edge: list[tuple[State, tuple[int, ...]]] = [(s, ())]
    while edge:
        further = []
        for here, way in edge:
            for move in _moves(here):
                if (move.devil, move.load) != (devil, load) or move.to in met:
                    continue
                met.add(move.to)
                after = _after(s, here, move)
                taken = (*way, move.action)
                if after is None or after.obliged == NONE:
                    duel = after is not None and after.node in (Node.DEFEND, Node.STOVE)
                    yield Walk(devil, load, move.to, taken, duel)
                if after is not None and after.node == Node.MOVE:
                    further.append((after, taken))
        edge = further


def _after(s: State, here: State, move: Move) -> State | None:
    """The position after a move; None after delivering, since the card may be a secret."""
    if move.to in GRILLS:
        return None
    after = copy(here)
    verbs.apply(after, s.turn, move.action)
    return after


def _moves(s: State) -> list[Move]:
    out = np.empty(ACTIONS, np.int64)
    legal = [int(a) for a in out[: verbs.legal(s, s.turn, out)]]
    return [Move(a, *move_of(a)) for a in legal if MOVE <= a < END]
