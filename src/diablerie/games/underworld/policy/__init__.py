"""What good play of UNDERWORLD looks like: advice, evaluation, features, forgetting."""

from diablerie.games.underworld.policy.advice import advise
from diablerie.games.underworld.policy.evaluation import value
from diablerie.games.underworld.policy.features import FEATURES
from diablerie.games.underworld.policy.forgetting import forget

__all__ = ["FEATURES", "advise", "forget", "value"]
