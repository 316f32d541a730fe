"""What a sensible player of COALS does."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.games.coals.rules import returns
from diablerie.games.coals.state import PULL, STOP, Node


@rule
def advise(s: Record, seat: int, rng: Rng) -> int:
    """The verb."""
    if s.node == Node.BET:
        return min(8, s.chips[seat] // 10)
    return STOP if s.pieces[seat] > 2 else PULL


@rule
def value(s: Record, out: NDArray[Any]) -> None:
    """The verb."""
    returns(s, out)
