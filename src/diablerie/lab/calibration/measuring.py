"""What was told beside who won: reliability by tenths, the Brier score, the calibration error.

Positions of one game are won together, and so are not independent: what is uncertain is counted
by game.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.bots.calibration import tempered
from diablerie.engine.verbs import SEATS
from diablerie.lab.calibration.playing import Told
from diablerie.lab.intervals import Estimate, Z

TENTHS = 10


class Answers(NamedTuple):
    """Positions and outcomes as arrays: row by row a position, column by column a seat."""

    chances: NDArray[Any]  # float64, shape (positions, SEATS), as played out; 0 beyond the seats
    won: NDArray[Any]  # bool, the same shape
    there: NDArray[Any]  # bool, the same shape: whether there is such a seat
    game: NDArray[Any]  # int64, shape (positions,): the number of the game


class Tenth(msgspec.Struct, frozen=True):
    """The chances told from `low` to below `high`: their mean, and how often they were won."""

    low: float
    high: float
    told: float
    won: Estimate
    chances: int
    games: int


class Reliability(msgspec.Struct, frozen=True):
    """How far chances can be trusted.

    brier: the mean square of chance less outcome; error: the expected calibration error, the mean
    distance of what was told from what was won, over the tenths.
    """

    tenths: tuple[Tenth, ...]
    brier: float
    error: float
    seventy: Estimate | None  # how often chances of 65 to 75 % were won; None without any


def answers(rows: Sequence[Told]) -> Answers:
    """The rows of a file as arrays."""
    size = sum(len(row.chances) for row in rows)
    shape = (size, SEATS)
    found = Answers(np.zeros(shape), np.zeros(shape, bool), np.zeros(shape, bool),
                    np.zeros(size, np.int64))  # fmt: skip
    at = 0
    for row in rows:
        here, seats = slice(at, at + len(row.chances)), len(row.won)
        if row.chances:
            found.chances[here, :seats] = row.chances
        found.won[here, :seats], found.there[here, :seats] = row.won, True
        found.game[here] = row.game
        at += len(row.chances)
    return found


def reliability(found: Answers, temperature: float = 1.0) -> Reliability:
    """How far chances of this temperature can be trusted; there must be some."""
    told = tempered(found.chances, temperature)[found.there]
    won = found.won[found.there].astype(float)
    game = np.broadcast_to(found.game[:, None], found.there.shape)[found.there]
    tenth = np.minimum((told * TENTHS + 1e-9).astype(int), TENTHS - 1)
    tenths = tuple(
        _tenth(k, told[tenth == k], won[tenth == k], game[tenth == k])
        for k in range(TENTHS)
        if (tenth == k).any()
    )
    apart = sum(one.chances * abs(one.told - one.won.value) for one in tenths)
    band = (told >= 0.65) & (told < 0.75)
    return Reliability(
        tenths=tenths,
        brier=float(((told - won) ** 2).mean()),
        error=apart / len(told),
        seventy=wilson(won[band], game[band]) if band.any() else None,
    )


def _tenth(k: int, told: NDArray[Any], won: NDArray[Any], game: NDArray[Any]) -> Tenth:
    return Tenth(k / TENTHS, (k + 1) / TENTHS, float(told.mean()), wilson(won, game), len(told),
                 len(np.unique(game)))  # fmt: skip


def wilson(won: NDArray[Any], game: NDArray[Any]) -> Estimate:
    """A share won, with Wilson's interval for as many chances as are worth independent ones.

    That many have the variance that is seen between games; where all were won or all were lost,
    and none is seen, every game counts once.
    """
    share, n = float(won.mean()), effective(won, game)
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z * sqrt(share * (1 - share) / n + Z**2 / (4 * n**2)) / (1 + Z**2 / n)
    return Estimate(share, min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)))


def effective(won: NDArray[Any], game: NDArray[Any]) -> float:
    """How many independent chances are worth as much as these, at most as many as there are."""
    _, which = np.unique(game, return_inverse=True)
    share, games = won.mean(), int(which.max()) + 1
    residuals = np.bincount(which, won - share)
    variance = (residuals**2).sum() / len(won) ** 2 * games / max(games - 1, 1)
    if games < 2 or variance == 0:
        return float(games)
    return float(min(share * (1 - share) / variance, len(won)))
