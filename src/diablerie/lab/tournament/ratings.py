"""Ratings of players: Bradley-Terry from pairings, Plackett-Luce (openskill) from mixed tables.

A library for Bradley-Terry such as choix fits one tournament at a time and needs SciPy; the
bootstrap here fits a thousand at once, as one array.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import inf, log

import numpy as np
from openskill.models import PlackettLuce, PlackettLuceRating

from diablerie.engine.compile import Floats
from diablerie.lab.statistics import Estimate, with_pseudo_tables

ELO_PER_LOG_ODDS = 400 / log(10)
ADDED_DRAWS = 1.0  # drawn games added to each pairing, so that ratings stay finite
RATING_RESAMPLES = 1000
Pair = tuple[int, int]


def bradley_terry(won: Floats) -> Floats:
    """The Elo ratings of mean 0 that make these results most likely (Bradley and Terry 1952).

    won: float64 (…, m, m), the score of player i against player j; axes in front are further
    tournaments, rated each for itself. The result has shape (…, m).
    """
    m = won.shape[-1]
    won = won + ADDED_DRAWS / 2 * (1 - np.eye(m))
    played = won + won.swapaxes(-1, -2)
    x = np.zeros(won.shape[:-1])
    for _ in range(200):  # far more than Newton's method needs
        step = np.clip(_newton(won, played, x), -1, 1)  # a full step may overshoot at first
        x += step - step.mean(-1, keepdims=True)
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(ELO_PER_LOG_ODDS * x)


def _newton(won: Floats, played: Floats, x: Floats) -> Floats:
    """The Newton step of the log-likelihood at the ratings x, shape (…, m).

    The Hessian is singular, since ratings are determined but for a constant. The last term of
    `curve` makes it regular; it changes the step by a constant only.
    """
    m = won.shape[-1]
    p = 1 / (1 + np.exp(x[..., None, :] - x[..., :, None]))
    weight = played * p * (1 - p)
    slope = (won - played * p).sum(-1)
    total = weight.sum(-1)
    curve = np.eye(m) * total[..., None] - weight + total.sum(-1)[..., None, None] / m**2
    return np.asarray(np.linalg.solve(curve, slope[..., None])[..., 0])


def rate_pairings(tables: Mapping[Pair, Floats], players: int, games: int) -> list[Estimate]:
    """Every player's Elo rating.

    tables: for each pair of players the score of the first in each table, float64 (tables,); games:
    how many a table has. Intervals are percentiles of a bootstrap over tables, with those added
    that `statistics.win_share` adds.
    """
    dice = np.random.default_rng(1)
    won = _matrix(tables, {pair: row.sum() for pair, row in tables.items()}, players, games)
    drawn = {pair: _resampled(row, games, dice) for pair, row in tables.items()}
    many = bradley_terry(_matrix(tables, drawn, players, games, RATING_RESAMPLES))
    low, high = np.percentile(many, (2.5, 97.5), axis=0)
    # their results do not bound them
    low[won.sum(1) == 0] = -inf
    high[won.sum(0) == 0] = inf
    return [
        Estimate(float(v), float(min(a, v)), float(max(b, v)))
        for v, a, b in zip(bradley_terry(won), low, high, strict=True)
    ]


def _matrix(
    tables: Mapping[Pair, Floats],
    sums: Mapping[Pair, Floats | np.float64],
    players: int,
    games: int,
    *times: int,
) -> Floats:
    """Scores of player i against j, float64 (*times, players, players), from sums of each pair."""
    won = np.zeros((*times, players, players))
    for (a, b), total in sums.items():
        won[..., b, a] = games * len(tables[a, b]) - total
        won[..., a, b] = total
    return won


def _resampled(won: Floats, games: int, dice: np.random.Generator) -> Floats:
    """Sums over as many tables, drawn with replacement, for each bootstrap sample."""
    pool, _ = with_pseudo_tables(won, np.full(len(won), float(games)), 0.5)
    values, counts = np.unique(pool, return_counts=True)
    return np.asarray(dice.multinomial(len(won), counts / len(pool), RATING_RESAMPLES) @ values)


def rate_tables(
    games: Iterable[Sequence[tuple[Sequence[int], bool]]], players: int
) -> list[PlackettLuceRating]:
    """Every player's openskill rating (with mu and sigma), from the sides of each game in turn.

    This is the Plackett-Luce update of Weng and Lin (2011).

    A side is its players and whether it won. A player who has several seats of a game gets the mean
    of their ratings.
    """
    model = PlackettLuce(tau=0.0)  # bots do not change from game to game
    ratings = [model.rating() for _ in range(players)]
    for sides in games:
        after = model.rate(
            [[model.rating(ratings[p].mu, ratings[p].sigma) for p in who] for who, _ in sides],
            ranks=[2.0 - won for _, won in sides],
        )
        by_player: dict[int, list[PlackettLuceRating]] = {}
        for (who, _), rated in zip(sides, after, strict=True):
            for p, rating in zip(who, rated, strict=True):
                by_player.setdefault(p, []).append(rating)
        for p, several in by_player.items():
            mu = sum(r.mu for r in several) / len(several)
            ratings[p] = model.rating(mu, sum(r.sigma for r in several) / len(several))
    return ratings
