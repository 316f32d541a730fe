"""Estimates, tests and distributions by what must always hold."""

import numpy as np
import pytest

from diablerie.lab import statistics
from diablerie.lab.html.numbers import format_number
from diablerie.lab.statistics import (
    Estimate,
    distribution,
    mean_estimate,
    share_estimate,
    wilson,
    win_share,
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


def test_columns_that_differ_are_told_from_columns_that_do_not() -> None:
    luck = np.random.default_rng(3).normal(size=(40, 3))
    assert statistics.equal_means_p_value(luck) > 0.05
    assert statistics.equal_means_p_value(luck + np.array([0.0, 0.0, 2.0])) < 1e-6
    assert statistics.equal_means_p_value(luck[:1]) == 1.0
    rounded = np.array([[0.0, 1, 0, 0, 1, 0], [0.0, 0, 0, 0, 1, 1]])  # its statistic is -2e-18
    assert statistics.equal_means_p_value(rounded) == 1.0


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
