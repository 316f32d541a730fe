"""Estimates, tests and distributions by what must always hold."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from diablerie.lab import statistics
from diablerie.lab.html.page import format_number
from diablerie.lab.statistics import (
    Estimate,
    distribution,
    mean_estimate,
    share_estimate,
    wilson,
    win_share,
    win_share_p_value,
)


def test_shares_of_whole_games_have_the_interval_of_whole_games() -> None:
    assert share_estimate(np.array([0.0, 1.0, 1.0, 0.0])) == wilson(0.5, 4)
    assert share_estimate(np.array([1.0, 1.0])) == wilson(1.0, 2)


def test_one_number_alone_has_the_interval_that_is_named_and_else_none() -> None:
    assert mean_estimate(np.array([3.0])) == Estimate(3.0, 3.0, 3.0)
    assert mean_estimate(np.array([3.0]), single=2.0) == Estimate(3.0, 1.0, 5.0)


@pytest.mark.parametrize("halves", [[0.0, 0.5, 0.0, 0.0], [1.0, 0.5, 1.0, 1.0]])
def test_no_share_is_below_nothing_or_above_all(halves: list[float]) -> None:
    found = share_estimate(np.array(halves))
    assert found.value == pytest.approx(np.mean(halves))
    assert 0 <= found.low < found.value < found.high <= 1


def test_trials_of_one_cluster_that_are_alike_count_as_one() -> None:
    won, many = np.array([1.0, 0.0, 1.0, 1.0, 0.0] * 2), statistics.effective_sample_size
    alone, four = np.arange(10), np.repeat(np.arange(10), 4)
    assert many(won, alone) == pytest.approx(9, rel=0.01)
    assert many(np.repeat(won, 4), four) == pytest.approx(9, rel=0.01)
    assert many(np.tile([1.0, 1.0, 0.0, 0.0], 10), four) == 10, "no variance between them is seen"
    assert many(won, np.zeros(10, int)) == 1
    assert many(np.tile([1.0, 0.0, 1.0, 0.0, 1.0], 8), four) == 40, "never more than there are"


def test_nine_of_ten_games_lie_between_the_quantiles_that_are_told() -> None:
    games = np.arange(0.0, 101.0)
    found = distribution(games)
    assert (found.least, found.low, found.median, found.high, found.most) == (0, 5, 50, 95, 100)
    assert sum(found.counts) == len(games)
    assert found.least + found.width * len(found.counts) > found.most


def test_places_that_differ_are_told_from_places_that_do_not() -> None:
    luck = np.random.default_rng(3).normal(size=(40, 3))
    p_value = statistics.equal_places_p_value
    assert (p_value(luck) or 0) > 0.05
    assert (p_value(luck + np.array([0.0, 0.0, 2.0])) or 1) < 1e-6
    assert p_value(luck[:29]) is None, "too few games"
    assert p_value(np.full((40, 3), 1 / 3)) == 1.0
    always = np.tile([1.0, 0.0], (40, 1))
    assert (p_value(always) or 1) < 1e-6, "a place that always wins does not vary"


def winners(dice: np.random.Generator, games: int, places: int) -> NDArray[np.float64]:
    """One winner a game."""
    return np.eye(places)[dice.integers(0, places, games)]


def shared(dice: np.random.Generator, games: int, places: int) -> NDArray[np.float64]:
    """Wins that are often shared."""
    points = dice.integers(0, 3, (games, places))
    best = (points == points.max(axis=1, keepdims=True)).astype(float)
    return np.asarray(best / best.sum(axis=1, keepdims=True))


def partners(dice: np.random.Generator, games: int, places: int) -> NDArray[np.float64]:
    """Two sides, whose players alternate."""
    return winners(dice, games, 2)[:, np.arange(places) % 2]


@pytest.mark.parametrize("made", [winners, shared, partners])
@pytest.mark.parametrize(("places", "games"), [(2, 30), (4, 50), (6, 30)])
def test_equal_places_are_called_unequal_in_one_of_twenty_studies(
    made: Callable[..., NDArray[np.float64]], places: int, games: int
) -> None:
    dice = np.random.default_rng(11)
    p_values = [
        statistics.equal_places_p_value(made(dice, games, places)) or 0.0 for _ in range(600)
    ]
    assert 0.02 < np.mean([p < 0.05 for p in p_values]) < 0.085


@pytest.mark.parametrize("n", [20, 50, 200])
@pytest.mark.parametrize("lost_and_tied", [(0, 0.04), (0.01, 0.04), (0.2, 0.3), (0.9, 0.08)])
def test_the_interval_of_shares_with_ties_covers_near_all_and_nothing_too(
    n: int, lost_and_tied: tuple[float, float]
) -> None:
    lost, tied = lost_and_tied
    true, dice = 1 - lost - tied / 2, np.random.default_rng(12)
    found = [
        share_estimate(dice.choice([0.0, 0.5, 1.0], n, p=[lost, tied, 1 - lost - tied]))
        for _ in range(600)
    ]
    assert np.mean([one.low <= true <= one.high for one in found]) > 0.93


@pytest.mark.parametrize(("tables", "size"), [(8, 4), (25, 4), (12, 6), (10, 3), (100, 2)])
def test_an_equal_player_differs_from_the_fair_share_in_one_of_twenty_tournaments(
    tables: int, size: int
) -> None:
    dice, seats = np.random.default_rng(13), np.full(tables, float(size))
    won = [dice.binomial(size, 1 / size, tables).astype(float) for _ in range(1000)]
    found = [win_share(one, seats, 1 / size) for one in won]
    outside = np.mean([not one.low <= 1 / size <= one.high for one in found])
    assert 0.02 < outside < 0.07
    called = [win_share_p_value(one, seats, 1 / size) < 0.05 for one in won]
    assert np.mean(called) == pytest.approx(outside, abs=0.01)


@pytest.mark.parametrize("share", [0.5, 0.3, 0.9])
@pytest.mark.parametrize("alike", [False, True])
def test_the_interval_of_eight_pairs_is_not_too_narrow(share: float, alike: bool) -> None:
    """Whether the two games of a pair depend on each other or not."""
    dice, seats = np.random.default_rng(15), np.full(8, 2.0)
    each = (dice.random((1000, 8, 2)) < share).astype(float)
    won = 2 * each[:, :, 0] if alike else each.sum(axis=2)
    found = [win_share(one, seats, 0.5) for one in won]
    assert np.mean([one.low <= share <= one.high for one in found]) > 0.94


@pytest.mark.parametrize("n", [3, 5, 10, 30])
def test_the_interval_of_a_mean_covers_with_few_numbers(n: int) -> None:
    dice = np.random.default_rng(14)
    found = [mean_estimate(dice.normal(size=n)) for _ in range(1000)]
    assert np.mean([one.low <= 0 <= one.high for one in found]) == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize(
    ("degrees", "critical"), [(3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)]
)
def test_students_quantiles_and_p_values_are_those_of_the_tables(
    degrees: int, critical: float
) -> None:
    assert statistics.t_quantile(degrees) == pytest.approx(critical, rel=0.01)
    assert statistics.t_p_value(critical, degrees) == pytest.approx(0.05, abs=0.004)


def test_a_share_won_is_that_of_all_seats_and_its_interval_narrows_with_tables() -> None:
    won, seats = np.array([1.0, 0.0, 2.0, 1.0]), np.array([2.0, 2.0, 2.0, 2.0])
    few, many = win_share(won, seats, 0.5), win_share(np.tile(won, 25), np.tile(seats, 25), 0.5)
    assert few.value == many.value == 0.5
    assert 0 < few.low < many.low < 0.5 < many.high < few.high < 1
    error = np.sqrt(0.5 / 100) / 2  # of the mean of 100 tables with shares 1/2, 0, 1, 1/2
    assert many.high - 0.5 == pytest.approx(statistics.Z * error, rel=0.05)


def test_a_number_has_three_digits_and_its_sign() -> None:
    told = [format_number(x) for x in (0, 0.0123, 1.234, 12.34, 1234.5, -12.34)]
    assert told == ["0", "0.012", "1.23", "12.3", "1234", "-12.3"]
