"""What good play of UNDERWORLD looks like: advice, evaluation, features."""

from diablerie.games.underworld.policy.advice import advise
from diablerie.games.underworld.policy.evaluation import value

__all__ = ["advise", "value"]
