"""Walks of several steps: which places a devil can reach now, asked of the rules step by step.

A walk keeps one load from its first step to its last. Changing pots on the way is two walks.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from diablerie.engine.record import Record, copy
from diablerie.games.kitchen.rules import play as rules
from diablerie.games.kitchen.rules.board import GRILLS
from diablerie.games.kitchen.rules.lookup import mine
from diablerie.games.kitchen.rules.notation import step_of
from diablerie.games.kitchen.rules.state import ACTIONS, END, GO, NONE, Node


class Walk(NamedTuple):
    """The shortest way of a devil with a load (0: none) to a cell."""

    devil: int
    load: int
    to: int
    actions: tuple[int, ...]
    duel: bool


class Step(NamedTuple):
    """A legal step or flight."""

    action: int
    devil: int
    to: int
    load: int


def walks(s: Record) -> list[Walk]:
    """All walks of the player who is to move, by devil, load and number of steps."""
    if s.node != Node.MOVE:
        return []
    ways = sorted({(step.devil, step.load) for step in _steps(s)})
    return [walk for devil, load in ways for walk in _spread(s, devil, load)]


def _spread(s: Record, devil: int, load: int) -> Iterator[Walk]:
    met = {int(s.devil[mine(s), devil])}
    edge: list[tuple[Record, tuple[int, ...]]] = [(s, ())]
    while edge:
        further = []
        for here, way in edge:
            for step in _steps(here):
                if (step.devil, step.load) != (devil, load) or step.to in met:
                    continue
                met.add(step.to)
                after, taken = _after(s, here, step), (*way, step.action)
                if after is None or after.obliged == NONE:
                    duel = after is not None and after.node in (Node.DEFEND, Node.STOVE)
                    yield Walk(devil, load, step.to, taken, duel)
                if after is not None and after.node == Node.MOVE:
                    further.append((after, taken))
        edge = further


def _after(s: Record, here: Record, step: Step) -> Record | None:
    """The position after a step; None after serving, since the card may be a secret."""
    if step.to in GRILLS:
        return None
    after = copy(here)
    rules.apply(after, int(s.turn), step.action)
    return after


def _steps(s: Record) -> list[Step]:
    out = np.empty(ACTIONS, np.int64)
    legal = [int(a) for a in out[: rules.legal(s, int(s.turn), out)]]
    return [Step(a, *step_of(a)) for a in legal if GO <= a < END]
