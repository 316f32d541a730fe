"""What good play of COALS looks like: advice, evaluation, features."""

from diablerie.games.coals.policy.advice import advise, value

__all__ = ["advise", "value"]
