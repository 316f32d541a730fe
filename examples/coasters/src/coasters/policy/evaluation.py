"""How a position of COASTERS stands: points, coasters left, and a turning that is under way."""

from typing import Any

from numpy.typing import NDArray

from coasters.rules.play import returns
from coasters.rules.state import Node
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.utility import softmax_to_utilities

POINT = (0.0, 0.0, 0.0)
COASTERS = (-9.0, -1.2, -0.5, -0.2, 0.0)


@rule
def value(s: Record, out: NDArray[Any]) -> None:
    """The verb: shares of the win, by the worth of each seat."""
    if s.node == Node.OVER:
        returns(s, out)
        return
    for i in range(s.seats):
        out[i] = 1.5 * s.points[i] + COASTERS[s.coasters[i]]
    softmax_to_utilities(out, s.seats, out)
