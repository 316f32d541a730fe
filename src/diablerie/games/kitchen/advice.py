"""What a sensible cook does."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, below
from diablerie.games.kitchen.rules import legal
from diablerie.games.kitchen.state import ACTIONS


@rule
def advise(s: Record, seat: int, rng: Rng) -> int:
    """The verb."""
    out = np.empty(ACTIONS, np.int64)
    return out[below(rng, legal(s, seat, out))]


@rule
def value(s: Record, out: NDArray[Any]) -> None:
    """The verb."""
    for seat in range(s.seats):
        out[seat] = 0.0
