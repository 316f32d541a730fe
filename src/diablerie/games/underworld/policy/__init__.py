"""What good play of UNDERWORLD looks like: advice, evaluation, features."""

from diablerie.games.underworld.policy.advice import advise
from diablerie.games.underworld.policy.evaluation import value
from diablerie.games.underworld.policy.features import FEATURES

__all__ = ["FEATURES", "advise", "value"]
