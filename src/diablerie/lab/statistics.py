"""Estimates with 95 % intervals, tests and distributions, for what studies measure."""

from collections.abc import Sequence
from math import copysign, erfc, exp, gamma, inf, log1p, log10, sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import Floats, Ints

Z = 1.959964  # the normal quantile of a 95 % interval
ADDED_GAMES = 4  # to a share won
FEWEST_GAMES = 30  # below them nobody can say whether places differ
BINS = 48  # of a histogram at most: a picture of a hand's width shows no more


class Estimate(msgspec.Struct, frozen=True):
    """A measured number and its 95 % interval."""

    value: float
    low: float
    high: float


class Distribution(msgspec.Struct, frozen=True):
    """How a number varies from game to game: mean, quantiles, and a histogram.

    counts: how many games lie in each bin of `width`; the first bin begins at `least`.
    """

    mean: Estimate
    sd: float
    least: float
    low: float  # the 5 % quantile
    median: float
    high: float  # the 95 % quantile
    most: float
    width: float
    counts: list[int]


# -- means and shares of independent numbers -------------------------------------------------------


def mean_estimate(values: NDArray[np.generic], single: float = 0.0) -> Estimate:
    """The mean of numbers of shape (n,), with Student's interval.

    single: the half-width of the interval of one number alone.
    """
    x = values.astype(np.float64)
    quantile = t_quantile(len(x) - 1) if len(x) > 1 else 0.0
    error = quantile * sample_deviation(x) / sqrt(len(x)) if len(x) > 1 else single
    centre = float(x.mean())
    return Estimate(centre, centre - error, centre + error)


def t_quantile(degrees: float, z: float = Z) -> float:
    """The quantile of Student's t where the normal one is `z`.

    Abramowitz and Stegun 26.7.5: within 3 % at two degrees of freedom, within 1 % from three on.
    """
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3


def t_p_value(t: float, degrees: float) -> float:
    """The two-sided p-value of Student's t, by the normal score of Wallace (1959)."""
    z = sqrt(degrees * log1p(t * t / degrees)) * (8 * degrees + 1) / (8 * degrees + 3)
    return erfc(z / sqrt(2))


def sample_deviation(values: Floats) -> float:
    """The sample standard deviation of numbers of shape (n,); 0 for one number alone."""
    return float(values.std(ddof=1)) if len(values) > 1 else 0.0


def wilson(share: float, n: float) -> Estimate:
    """A share of `n` independent trials, with the score interval of Wilson (1927)."""
    z = Z * Z / n
    centre = (share + z / 2) / (1 + z)
    error = Z / (1 + z) * sqrt(share * (1 - share) / n + z / n / 4)
    return Estimate(
        share, max(0.0, min(share, centre - error)), min(1.0, max(share, centre + error))
    )


def share_estimate(values: Floats) -> Estimate:
    """The mean of shares of shape (n,), each from 0 to 1, with Wilson's interval.

    Shares between 0 and 1 vary less than whole ones of the same mean, so they count as more trials:
    by the ratio of the variances, a lost and a won one added, which a few equal shares need.
    """
    share = float(values.mean())
    n = len(values)
    if np.isin(values, (0, 1)).all():
        return wilson(share, n)
    more = np.append(values, (0.0, 1.0))
    centre = float(more.mean())
    return wilson(share, n * centre * (1 - centre) / float(more.var()))


def distribution(numbers: NDArray[np.generic]) -> Distribution:
    """How numbers of shape (n,) vary."""
    values = numbers.astype(np.float64)
    least, low, median, high, most = np.percentile(values, (0, 5, 50, 95, 100)).tolist()
    unit = int(np.gcd.reduce(np.unique(values - least).astype(np.int64))) or 1
    width = unit * int(max(1, np.ceil((most - least + unit) / unit / BINS)))
    counts = np.bincount(((values - least) // width).astype(np.int64)).tolist()
    return Distribution(
        mean_estimate(values),
        sample_deviation(values),
        least,
        low,
        median,
        high,
        most,
        width,
        counts,
    )


# -- shares of games that belong together ----------------------------------------------------------


def win_share(won: Floats, seats: Floats, fair: float) -> Estimate:
    """The share won of the seats taken; both arrays have one entry for each table.

    The games of a table are correlated, so the interval is Student's on the means of tables. The
    four games of the “plus four” interval of Agresti and Coull (1998) are added: one table that was
    won outright, and lost ones so that the added share is the fair one. So the interval never has
    width 0, nor is it too narrow near 0 and 1. Of a few pairs it is wide: eight lie outside of it
    in one of a hundred studies, instead of five.
    """
    centre, error, degrees = _centre(won, seats, fair)
    value = float(won.sum() / seats.sum())
    quantile = t_quantile(degrees)
    low = centre - quantile * error
    high = centre + quantile * error
    return Estimate(value, min(value, max(0.0, low)), max(value, min(1.0, high)))


def win_share_p_value(won: Floats, seats: Floats, fair: float) -> float:
    """The two-sided p-value of the hypothesis that the share is the fair one; see `win_share`."""
    centre, error, degrees = _centre(won, seats, fair)
    return t_p_value((centre - fair) / error, degrees)


def _centre(won: Floats, seats: Floats, fair: float) -> tuple[float, float, int]:
    """Mean and standard error of the ratio, over tables and the added ones; degrees of freedom.

    The added tables are of two kinds, won and lost, so they count as two, however many they are.
    """
    w, n = with_pseudo_tables(won, seats, fair)
    centre = w.sum() / n.sum()
    spread = ((w - centre * n) ** 2).sum() * len(w) / (len(w) - 1)
    return float(centre), float(np.sqrt(spread) / n.sum()), len(won) + 1


def with_pseudo_tables(won: Floats, seats: Floats, fair: float) -> tuple[Floats, Floats]:
    """Add four games: a table that was won outright, and lost ones so that their share is `fair`.

    However many seats tables have, no more games are added: they would hide what was played.
    """
    size = ADDED_GAMES * fair
    lost = round(1 / fair) - 1
    more = np.array([size] + [0.0] * lost)
    return np.append(won, more), np.append(seats, np.full(len(more), size))


def effective_sample_size(won: Floats, game: Ints) -> float:
    """How many independent trials have the variance that clustered trials show.

    won: 0 or 1 for each trial; game: the cluster of each trial, of the same shape. At most as many
    as there are trials; where no variance is seen, every cluster counts once. It is the size
    divided by the design effect (Kish 1965).
    """
    _, which = np.unique(game, return_inverse=True)
    share = won.mean()
    games = int(which.max()) + 1
    residuals = np.bincount(which, won - share)
    variance = (residuals**2).sum() / len(won) ** 2 * games / max(games - 1, 1)
    if games < 2 or variance == 0:
        return float(games)
    return float(min(share * (1 - share) / variance, len(won)))


# -- scores of a game ---------------------------------------------------------------------------


def side_scores(returns: Sequence[float], teams: Sequence[int]) -> list[float]:
    """The score of each side: winners share 1; where nobody won, all sides share it.

    returns, teams: the utility and the side of each seat.
    """
    won = [False] * len(set(teams))
    for seat, side in enumerate(teams):
        won[side] |= returns[seat] > 0
    count = sum(won)
    return [w / count if count else 1 / len(won) for w in won]


def win_shares(returns: Floats, teams: tuple[int, ...]) -> Floats:
    """The share of the win by seat, float64 (games, seats): `side_scores` for many games."""
    if not len(returns):
        return np.zeros((0, len(teams)))
    kinds, which = np.unique(returns, axis=0, return_inverse=True)
    shares = np.array([side_scores(kind, teams) for kind in kinds.tolist()])[:, list(teams)]
    return np.asarray(shares[which.reshape(-1)])


# -- Elo -------------------------------------------------------------------------------------------


def elo_difference(score: float) -> float:
    """The difference in Elo that makes a score the expected one."""
    if not 0 < score < 1:
        return copysign(inf, score - 0.5)
    return 400 * log10(score / (1 - score)) + 0.0


def elo_estimate(score: Estimate) -> Estimate:
    """The same for an estimated score."""
    return Estimate(*(elo_difference(x) for x in (score.value, score.low, score.high)))


# -- tests -----------------------------------------------------------------------------------------


def equal_places_p_value(values: Floats) -> float | None:
    """The p-value of the hypothesis that all places have the same mean; None for too few games.

    values: shape (games, places); a game's entries may depend on each other. If places are equal,
    the entries of a game might as well stand one or more places further round the table. The
    covariance of the means over all these turns is known, without an estimate for each pair of
    places: where one place wins a game, this is Pearson's test.
    """
    games, places = values.shape
    if games < FEWEST_GAMES:
        return None
    x = values - values.mean(axis=1, keepdims=True)
    # The covariance of two places depends on their distance round the table alone.
    by_distance = np.array([(x * np.roll(x, -d, axis=1)).mean() for d in range(places)])
    seat = np.arange(places)
    covariance = by_distance[(seat[None, :] - seat[:, None]) % places] / games
    rank = int(np.linalg.matrix_rank(covariance))
    if not rank:
        return 1.0
    off = x.mean(axis=0)
    statistic = max(0.0, float(off @ np.linalg.pinv(covariance, hermitian=True) @ off))
    return chi_squared_tail(statistic, rank)


def chi_squared_tail(x: float, degrees: int) -> float:
    """The probability that a chi-squared number with so many degrees of freedom is above `x`.

    Abramowitz and Stegun 26.4.4 and 26.4.5.
    """
    half = x / 2
    tail, k = (exp(-half), 2) if degrees % 2 == 0 else (erfc(sqrt(half)), 1)
    while k < degrees:
        tail += half ** (k / 2) * exp(-half) / gamma(k / 2 + 1)
        k += 2
    return min(1.0, tail)


def holm(p_values: list[float]) -> list[float]:
    """These p-values, corrected for how many they are (Holm 1979)."""
    corrected = [1.0] * len(p_values)
    worst = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        worst = max(worst, min(1.0, p_values[i] * (len(p_values) - rank)))
        corrected[i] = worst
    return corrected
