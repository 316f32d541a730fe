"""The temperature at which chances come nearest to who won: the one of the least Brier score."""

from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.bots.calibration import tempered
from diablerie.lab.calibration.measuring import Answers
from diablerie.lab.intervals import Estimate

COLDEST, HOTTEST = 0.4, 2.5
FINE = 49  # temperatures tried, evenly apart in their logarithms
RESAMPLES = 200  # of the games, for an interval


def fitted(found: Answers, seed: int = 1) -> Estimate:
    """The best temperature, with an interval by drawing the games anew (bootstrap)."""
    temperatures = np.exp(np.linspace(log(COLDEST), log(HOTTEST), FINE))
    losses = np.array([by_game(found, t) for t in temperatures])  # by temperature and game
    rng, games = np.random.default_rng(seed), losses.shape[1]
    drawn = rng.multinomial(games, np.full(games, 1 / games), RESAMPLES)
    again = [best(temperatures, losses @ counts) for counts in drawn]
    value = best(temperatures, losses.sum(1))
    low, high = np.quantile(again, (0.025, 0.975))
    return Estimate(value, min(value, float(low)), max(value, float(high)))


def by_game(found: Answers, temperature: float) -> NDArray[Any]:
    """The sums of squares of chance less outcome, by game."""
    apart = (tempered(found.chances, temperature) - found.won) * found.there
    _, which = np.unique(found.game, return_inverse=True)
    return np.bincount(which, (apart**2).sum(1))


def best(temperatures: NDArray[Any], losses: NDArray[Any]) -> float:
    """The temperature of the least loss: the vertex of the parabola through the lowest three."""
    k = int(losses.argmin())
    if k in (0, len(losses) - 1):
        return float(temperatures[k])
    before, here, after = losses[k - 1 : k + 2]
    curved = before - 2 * here + after
    step = log(temperatures[1] / temperatures[0])
    return exp(log(temperatures[k]) + (0.5 * step * (before - after) / curved if curved else 0.0))
