"""Who may know what in TAILS: everything, but for the order of the tiles, which nobody knows."""

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.rng import Rng
from diablerie.games.tails.rules.state import State

EVERYONE = verbs.EVERYONE


@rule
def witness(s: State) -> int:
    """The verb."""
    return EVERYONE


@rule
def redact(s: State, seat: int) -> None:
    """The verb: nothing to blank."""


@rule
def guess(s: State, seat: int, rng: Rng) -> None:
    """The verb: nothing to fill in."""
