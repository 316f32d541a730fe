"""Chances compared with who won: reliability, Brier score, calibration error, temperature.

Positions of one game share its winner, so they are not independent: every uncertainty is counted
over games.
"""

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

import msgspec
import numpy as np

from diablerie.bots.rollouts import tempered
from diablerie.engine.compile import Bools, Floats, Ints
from diablerie.engine.verbs import SEATS
from diablerie.lab.statistics import Estimate, effective_sample_size, wilson

TENTHS = 10
MIN_TEMPERATURE = 0.4
MAX_TEMPERATURE = 2.5
GRID = 49  # temperatures tried, evenly apart in their logarithms
RELIABILITY_RESAMPLES = 200  # of the games, for an interval


class PredictedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chances at positions of one game, and who won it: a line of the results file."""

    game: int  # its number
    chances: list[list[float]]  # by position and seat: the share of playouts that the seat won
    won: list[bool]  # by seat


class Predictions(NamedTuple):
    """Chances and outcomes as arrays: a row for each position, a column for each seat."""

    chances: Floats  # (positions, SEATS): shares of the playouts; 0 beyond the seats of the game
    won: Bools  # (positions, SEATS)
    there: Bools  # (positions, SEATS): whether the game has the seat
    game: Ints  # (positions,): the number of the game


class Tenth(msgspec.Struct, frozen=True):
    """The chances from `low` to below `high`: their mean (`predicted`), and how often they were won."""

    low: float
    high: float
    predicted: float
    won: Estimate
    chances: int
    games: int


class Reliability(msgspec.Struct, frozen=True):
    """How far chances agree with who won.

    brier: the mean square of chance less outcome (Brier 1950); error: the expected calibration
    error, the mean distance of chance and share won, over the tenths.
    """

    tenths: tuple[Tenth, ...]
    brier: float
    error: float
    seventy: Estimate | None  # how often chances of 65 to 75 % were won; None if there are none


def predictions(rows: Sequence[PredictedGame]) -> Predictions:
    """The rows of a results file as arrays."""
    size = sum(len(row.chances) for row in rows)
    shape = (size, SEATS)
    result = Predictions(
        np.zeros(shape), np.zeros(shape, bool), np.zeros(shape, bool), np.zeros(size, np.int64)
    )
    at = 0
    for row in rows:
        here = slice(at, at + len(row.chances))
        seats = len(row.won)
        if row.chances:
            result.chances[here, :seats] = row.chances
        result.won[here, :seats] = row.won
        result.there[here, :seats] = True
        result.game[here] = row.game
        at += len(row.chances)
    return result


def reliability(data: Predictions, temperature: float = 1.0) -> Reliability:
    """How far chances of this temperature agree with who won; there must be some."""
    chances = tempered(data.chances, temperature)[data.there]
    won = data.won[data.there].astype(float)
    game = np.broadcast_to(data.game[:, None], data.there.shape)[data.there]
    tenth = np.minimum((chances * TENTHS + 1e-9).astype(int), TENTHS - 1)
    tenths = tuple(
        _tenth(k, chances[tenth == k], won[tenth == k], game[tenth == k])
        for k in range(TENTHS)
        if (tenth == k).any()
    )
    distance = sum(one.chances * abs(one.predicted - one.won.value) for one in tenths)
    band = (chances >= 0.65) & (chances < 0.75)
    return Reliability(
        tenths=tenths,
        brier=float(((chances - won) ** 2).mean()),
        error=distance / len(chances),
        seventy=clustered_share(won[band], game[band]) if band.any() else None,
    )


def _tenth(k: int, chances: Floats, won: Floats, game: Ints) -> Tenth:
    share = clustered_share(won, game)
    games = len(np.unique(game))
    return Tenth(k / TENTHS, (k + 1) / TENTHS, float(chances.mean()), share, len(chances), games)


def clustered_share(won: Floats, game: Ints) -> Estimate:
    """The share won, with Wilson's interval for the effective sample size.

    won: 0 or 1, and game: the number of the game, both of shape (chances,).
    """
    return wilson(float(won.mean()), effective_sample_size(won, game))


# -- temperature -----------------------------------------------------------------------------------


def fit_temperature(data: Predictions, seed: int = 1) -> Estimate:
    """The temperature of the least Brier score, with a bootstrap interval over games."""
    temperatures = np.exp(np.linspace(log(MIN_TEMPERATURE), log(MAX_TEMPERATURE), GRID))
    losses = np.array([_squares_by_game(data, t) for t in temperatures])  # (temperatures, games)
    rng = np.random.default_rng(seed)
    games = losses.shape[1]
    samples = rng.multinomial(games, np.full(games, 1 / games), RELIABILITY_RESAMPLES)
    again = [_least(temperatures, losses @ counts) for counts in samples]
    value = _least(temperatures, losses.sum(1))
    low, high = np.quantile(again, (0.025, 0.975))
    return Estimate(value, min(value, float(low)), max(value, float(high)))


def _squares_by_game(data: Predictions, temperature: float) -> Floats:
    """The sums of squares of chance less outcome, (games,)."""
    difference = (tempered(data.chances, temperature) - data.won) * data.there
    _, which = np.unique(data.game, return_inverse=True)
    return np.asarray(np.bincount(which, (difference**2).sum(1)), np.float64)


def _least(temperatures: Floats, losses: Floats) -> float:
    """The temperature of the least loss: the vertex of the parabola through the lowest three."""
    k = int(losses.argmin())
    if k in (0, len(losses) - 1):
        return float(temperatures[k])
    before, here, after = losses[k - 1 : k + 2]
    curvature = before - 2 * here + after
    step = log(temperatures[1] / temperatures[0])
    shift = 0.5 * step * (before - after) / curvature if curvature else 0.0
    return exp(log(temperatures[k]) + shift)
