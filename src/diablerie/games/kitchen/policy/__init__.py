"""What good play of KITCHEN looks like: advice, evaluation, features."""

from diablerie.games.kitchen.policy.advice import advise, value

__all__ = ["advise", "value"]
