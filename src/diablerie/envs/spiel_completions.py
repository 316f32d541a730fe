"""List every state that a redacted position may be, with its probability.

A game's `guess` fills what `redact` blanked with a random sample. This module runs the uncompiled
code of `guess` once for every sequence of random numbers that it can draw, so that the samples
become an exact distribution.
"""

from collections.abc import Callable, Iterator
from math import prod
from types import FunctionType
from typing import Any

from diablerie.engine import rng
from diablerie.engine.game import Game
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.verbs import WATCHER

MOST = 10_000  # completions that are listed

Draw = Callable[[list[float]], int]  # an index, drawn with these probabilities


class TooManyCompletions(ValueError):
    """A position with more completions than are listed."""


def completions(game: Game, public: Record, viewer: int = WATCHER) -> list[tuple[Record, float]]:
    """Every state that `public`, redacted for `viewer`, may be, with its probability.

    In the order of the draws of `guess`; equal states are one. Raises TooManyCompletions.
    """
    probabilities: dict[bytes, float] = {}
    for number, (s, p) in enumerate(_all(game, public, viewer)):
        if number == MOST:
            raise TooManyCompletions(
                f"more than {MOST} ways to fill what is hidden in this position"
            )
        probabilities[s.tobytes()] = probabilities.get(s.tobytes(), 0.0) + p
    return [(from_bytes(game.state, data), p) for data, p in probabilities.items()]


def _all(game: Game, public: Record, viewer: int) -> Iterator[tuple[Record, float]]:
    """The leaves of the tree of draws, the last draw changing fastest."""
    taken: list[int] = []  # the index of every draw on the way to a leaf
    drawn: list[list[float]] = []  # and its probabilities

    def draw(weights: list[float]) -> int:
        if len(drawn) == len(taken):
            taken.append(0)
        drawn.append(weights)
        return taken[len(drawn) - 1]

    guess = uncompiled(game.rules.guess, draw, {})
    while True:
        drawn.clear()
        s = public.copy()
        guess(s, viewer, None)
        yield s, prod(weights[k] for weights, k in zip(drawn, taken, strict=True))
        while taken and taken[-1] + 1 == len(drawn[len(taken) - 1]):
            taken.pop()
        if not taken:
            return
        taken[-1] += 1


def uncompiled(function: Any, draw: Draw, done: dict[Any, Any]) -> Any:
    """The Python function that a rule was compiled from, drawing its random numbers from `draw`.

    The functions that it calls are treated alike; `done` holds those that have been. Raises
    ValueError for random numbers other than `below` and `weighted`, which take too many values.
    """
    plain = getattr(function, "py_func", function)
    if plain not in done:
        known = dict(plain.__globals__)
        done[plain] = FunctionType(plain.__code__, known, plain.__name__, plain.__defaults__)
        for name in plain.__code__.co_names:
            called = known.get(name)
            if called is rng.below:
                known[name] = lambda _, n: draw([1 / int(n)] * int(n))
            elif called is rng.weighted:
                known[name] = lambda _, p, n: draw([float(x) for x in p[:n]])
            elif called is rng.unit or called is rng.bits:
                raise ValueError(f"{plain.__name__} draws numbers that cannot be listed")
            elif hasattr(called, "py_func") or isinstance(called, FunctionType):
                known[name] = uncompiled(called, draw, done)
    return done[plain]
