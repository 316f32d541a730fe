"""What good play of COALS looks like: advice and evaluation, and the game of two as rounds."""

from typing import Any

from diablerie.engine.record import Record
from diablerie.games.coals.policy.advice import advise
from diablerie.games.coals.policy.evaluation import value
from diablerie.games.coals.policy.features import FEATURES


def rounds(first: Record) -> Any:
    """The game that begins so as rounds to be solved (`for_two.Rounds`). Raises Unsolvable."""
    from diablerie.games.coals.policy.for_two import Rounds

    return Rounds(first)


__all__ = ["FEATURES", "advise", "rounds", "value"]
