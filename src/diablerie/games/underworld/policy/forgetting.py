"""Forgetting: what somebody looked at (U15) and does not think of now, as if it were not seen."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, unit
from diablerie.games.underworld.rules.board import SPACES
from diablerie.games.underworld.rules.hidden import knows, redact


@rule
def forget(s: Record, seat: int, memory: float, rng: Rng) -> None:
    """Blank each card that the seat has looked at, but for the share `memory` of them."""
    for space in range(SPACES):
        if knows(s, seat, space) and unit(rng) >= memory:
            s.known[space] &= ~(1 << seat)
    redact(s, seat)
