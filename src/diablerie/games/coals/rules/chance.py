"""What chance decides in COALS (C6, C10)."""

from typing import Any

from numpy.typing import NDArray

from diablerie.engine.chances import by_count, who_begins
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.coals.rules.state import Node


@rule
def chance(s: Record, out: NDArray[Any], p: NDArray[Any]) -> int:
    """The verb: who begins (C6), or the kind of the next piece (C10)."""
    if s.node == Node.FIRST:
        return who_begins(s.seats, out, p)
    return by_count(s.furnace, out, p)
