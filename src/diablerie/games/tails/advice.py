"""What a sensible player of TAILS does."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.games.tails.rules import returns
from diablerie.games.tails.state import PASS, TURN, Node


@rule
def advise(s: Record, seat: int, rng: Rng) -> int:
    """The verb."""
    return TURN if s.node == Node.ROTATION else PASS


@rule
def value(s: Record, out: NDArray[Any]) -> None:
    """The verb."""
    returns(s, out)
