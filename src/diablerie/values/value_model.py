"""The learnt value model: a small neural network that judges positions, in compiled code.

A seat's score is a linear function of its features plus one hidden layer of a few rectified linear
units, the same function for every seat; a softmax over the seats' scores gives their chances to win
(or to lose). The weights are an argument, not a constant of the code, so that new weights compile
nothing.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numba.np.numpy_support import as_dtype
from numpy import dtype

from diablerie.engine import verbs
from diablerie.engine.arrays import Floats, Floats32, Ints
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.shared_rules import softmax_to_utilities
from diablerie.engine.verbs import OVER
from diablerie.values.encoding import encode

UNITS = 64  # at most


class ValueModel(NamedTuple):
    """The weights of the network, and arrays to work in, for one thread."""

    weights: Floats32  # (1 + entries + 1, units + 1), see `score_features`; (0, 0): none learnt
    sign: float  # -1 where the scores say who loses
    turns: Ints  # as `encoding.encode` takes it
    # Arrays to work in
    entries: Floats32  # (1, entries): the features of a seat
    units: Floats32  # (UNITS + 1,)
    bare: Any  # one state, redacted


@rule
def evaluate(s: Record, j: ValueModel, out: Floats) -> None:
    """Write an estimate of every seat's return into `out` (SEATS,): learnt, or the game's value.

    A softmax over the seats' scores gives their chances, and these the expected returns.
    """
    if len(j.weights) == 0:
        verbs.value(s, out)
        return
    if verbs.actor(s) == OVER:
        verbs.returns(s, out)
        return
    for seat in range(s.seats):
        write_features(s, j, seat)
        out[seat] = j.sign * score_features(j.weights, j.entries, j.units)
    softmax_to_utilities(out, int(s.seats), out)
    for seat in range(s.seats):
        out[seat] *= j.sign


@rule
def score_features(weights: Floats32, entries: Floats32, units: Floats32) -> float:
    """The score of a seat with these features: entries · w + max(0, entries · U + b) · c.

    weights: float32 (1 + entries + 1, units + 1). The first row is b and a constant, the last row
    is c; between them each entry has a row of U; the last column is w. units: room for the sums.
    """
    last, wide = weights.shape[0] - 1, weights.shape[1]
    for k in range(wide):
        units[k] = weights[0, k]
    for i in range(last - 1):
        x = entries[0, i]
        if x != 0.0:
            for k in range(wide):
                units[k] += x * weights[1 + i, k]
    total = float(units[wide - 1])
    for k in range(wide - 1):
        total += max(units[k], np.float32(0.0)) * weights[last, k]
    return total


# -- features ----------------------------------------------------------------------------------


def register_features(state: Any, write: Callable[..., None]) -> None:
    """Let `write_features` use `write` for states of this record class (see `features.Derived`)."""
    _derived[state.dtype] = write


_derived: dict[dtype[Any], Callable[..., None]] = {}


def write_features(s: Record, j: ValueModel, seat: int) -> None:
    """Write the features of `seat` into `j.entries`: derived ones, or else its observation."""
    if s.dtype in _derived:
        _derived[s.dtype](s, seat, j.entries[0])
    else:
        _observe(s, j, seat)


def _observe(s: Any, j: Any, seat: Any) -> None:
    j.bare[0] = s
    verbs.redact(j.bare[0], seat)
    encode(j.bare[0], j.turns, seat, j.entries, 0)


def _pick(s: Any, j: Any, seat: Any) -> Any:
    write = _derived.get(as_dtype(s))
    if write is None:
        return _observe

    def call(s: Any, j: Any, seat: Any) -> None:
        write(s, seat, j.entries[0])

    return call


overload(write_features)(_pick)
