"""What is drawn in TAILS: who begins, and the tiles."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.chances import by_count, who_begins
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.tails.rules.state import Node


@rule
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """The verb: who begins (T8a), or the next tile (T8), of all but those turned before."""
    if s.node == Node.FIRST:
        return who_begins(s.seats, out, p)
    return by_count(s.stock, out, p)
