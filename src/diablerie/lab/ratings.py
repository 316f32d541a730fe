"""Ratings of all players: Bradley-Terry from pairings, Plackett-Luce from mixed tables."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf, log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce

from diablerie.lab.intervals import Estimate, padded

ELO = 400 / log(10)  # Elo for one unit of log odds
DRAWN = 1.0  # games of each pairing that are added as drawn: ratings stay finite
SAMPLES = 1000
Pair = tuple[int, int]


def bradley_terry(won: NDArray[Any]) -> NDArray[Any]:
    """Elo ratings of mean 0 that make these results most likely; `won[i, j]`: i's against j.

    Of many results at once if there are more axes in front.
    """
    m = won.shape[-1]
    won = won + DRAWN / 2 * (1 - np.eye(m))
    played, x = won + won.swapaxes(-1, -2), np.zeros(won.shape[:-1])
    for _ in range(200):
        step = np.clip(_newton(won, played, x), -1, 1)
        x += step - step.mean(-1, keepdims=True)
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(ELO * x)


def _newton(won: NDArray[Any], played: NDArray[Any], x: NDArray[Any]) -> NDArray[Any]:
    """The step to where the slope of the likelihood would vanish, were its curve a parabola."""
    m = won.shape[-1]
    p = 1 / (1 + np.exp(x[..., None, :] - x[..., :, None]))
    weight = played * p * (1 - p)
    slope = (won - played * p).sum(-1)
    total = weight.sum(-1)
    curve = np.eye(m) * total[..., None] - weight + total.sum(-1)[..., None, None] / m**2
    return np.asarray(np.linalg.solve(curve, slope[..., None])[..., 0])


def rate_pairings(tables: Mapping[Pair, NDArray[Any]], players: int, games: int) -> list[Estimate]:
    """Every player's Elo, from the score that the first of each pair made in each table.

    `games` is how many a table has. Intervals are percentiles of a bootstrap over tables, with
    those added that `intervals.share` adds.
    """
    dice = np.random.default_rng(1)
    won = _matrix(tables, {pair: row.sum() for pair, row in tables.items()}, players, games)
    drawn = {pair: _resampled(row, games, dice) for pair, row in tables.items()}
    many = bradley_terry(_matrix(tables, drawn, players, games, SAMPLES))
    low, high = np.percentile(many, (2.5, 97.5), axis=0)
    low[won.sum(1) == 0], high[won.sum(0) == 0] = -inf, inf  # nothing bounds them
    return [
        Estimate(float(v), float(min(a, v)), float(max(b, v)))
        for v, a, b in zip(bradley_terry(won), low, high, strict=True)
    ]


def _matrix(
    tables: Mapping[Pair, NDArray[Any]], sums: Mapping[Pair, Any], players: int, games: int,
    *times: int,
) -> NDArray[Any]:  # fmt: skip
    """Who won how much against whom, from the first one's sum (or so many sums) of each pair."""
    won = np.zeros((*times, players, players))
    for (a, b), total in sums.items():
        won[..., a, b], won[..., b, a] = total, games * len(tables[a, b]) - total
    return won


def _resampled(won: NDArray[Any], games: int, dice: np.random.Generator) -> NDArray[Any]:
    """Sums over as many tables, drawn from those played with replacement, SAMPLES times."""
    pool, _ = padded(won, np.full(len(won), float(games)), 0.5)
    values, counts = np.unique(pool, return_counts=True)
    return np.asarray(dice.multinomial(len(won), counts / len(pool), SAMPLES) @ values)


def rate_tables(games: Iterable[Sequence[tuple[Sequence[int], bool]]], players: int) -> list[Any]:
    """Every player's openskill rating (mu, sigma), from the sides of each game in turn.

    A side is its players and whether it won; one who sits at a table more than once gets the mean.
    """
    model = PlackettLuce(tau=0.0)  # bots do not change from game to game
    ratings = [model.rating() for _ in range(players)]
    for sides in games:
        after = model.rate(
            [[model.rating(ratings[p].mu, ratings[p].sigma) for p in who] for who, _ in sides],
            ranks=[2.0 - won for _, won in sides],
        )
        seen: dict[int, list[Any]] = {}
        for (who, _), rated in zip(sides, after, strict=True):
            for p, rating in zip(who, rated, strict=True):
                seen.setdefault(p, []).append(rating)
        for p, found in seen.items():
            mu = sum(r.mu for r in found) / len(found)
            ratings[p] = model.rating(mu, sum(r.sigma for r in found) / len(found))
    return ratings
