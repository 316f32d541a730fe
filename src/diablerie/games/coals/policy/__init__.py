"""What good play of COALS looks like: advice and evaluation."""

from diablerie.games.coals.policy.advice import advise
from diablerie.games.coals.policy.evaluation import value

__all__ = ["advise", "value"]
