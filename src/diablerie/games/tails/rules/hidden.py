"""Who may know what in TAILS: everything, but for the order of the tiles, which nobody knows."""

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng

EVERYONE = verbs.EVERYONE


@rule
def witness(s: Record) -> int:
    """The verb."""
    return EVERYONE


@rule
def redact(s: Record, seat: int) -> None:
    """The verb: nothing to blank."""


@rule
def guess(s: Record, seat: int, rng: Rng) -> None:
    """The verb: nothing to fill in."""
