"""Placeholder."""

from diablerie.engine.compile import rule
from diablerie.games.underworld.rules import returns


@rule
def advise(s, seat, rng):
    return 0


@rule
def value(s, out):
    returns(s, out)
