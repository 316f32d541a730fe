"""What good play of TAILS looks like: advice, evaluation, features."""

from diablerie.games.tails.policy.advice import advise, value

__all__ = ["advise", "value"]
