"""Exact play: matrix games, game trees, and games of two that are made of rounds.

    from diablerie.exact import solved

    solution = solved("coals", {"goal": 210, "furnace": "0,0,0,0,0,1,1"}, error=0.01)

Needs SciPy, which the extra `exact` brings. No other package of diablerie imports this one: the
command `diablerie solve` and the bot `exact:FILE` are entry points.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from diablerie.exact.solving import solved

__all__ = ["solved"]


def __getattr__(name: str) -> Any:
    if name != "solved":  # imported when it is asked for, since `diablerie --help` comes by here
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from diablerie.exact.solving import solved

    return solved
