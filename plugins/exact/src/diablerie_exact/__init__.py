"""Exact play: matrix games, game trees, and games of two that are made of rounds.

    from diablerie_exact import solved

    solution = solved("coals", {"goal": 210, "furnace": "0,0,0,0,0,1,1"}, error=0.01)

The command `diablerie solve` and the bot `exact:FILE` are entry points: diablerie imports nothing
of this package.
"""

from diablerie_exact.solving import solved

__all__ = ["solved"]
