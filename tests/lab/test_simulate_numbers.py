"""What a simulation says is right: known shares are covered, corrections hold."""

import numpy as np
import pytest

from diablerie.lab.simulate.playing import SimulationSetting
from diablerie.lab.simulate.summary import GameColumns, by_place, compare_settings, place_name
from diablerie.lab.statistics import (
    chi_squared_tail,
    distribution,
    equal_places_p_value,
    holm,
    wilson,
    win_shares,
)

DICE = np.random.default_rng


def games(dice, n, length=100.0, label="x", edge=0.0):
    """Made-up games of two seats: their length, and what the first player has above a half."""
    first = dice.integers(0, 2, n)
    won = np.where(dice.random(n) < 0.5 + edge, first, 1 - first)
    share = np.eye(2)[won]
    return GameColumns(
        setting=SimulationSetting(label, 2, {}, ("sensible",)), game=np.arange(n),
        decisions=dice.normal(length, 10, n).round(), draws=np.zeros(n), first=first,
        ending=np.full(n, "so"), returns=2 * share - 1, visits=np.ones((n, 1)),
        share=share, best=None, margin=None, fair=0.5,
    )  # fmt: skip


def test_a_proportion_has_wilsons_interval():
    found = wilson(1 / 10, 10)  # Brown, Cai and DasGupta 2001, worked by hand
    assert (found.value, found.low, found.high) == pytest.approx((0.1, 0.0179, 0.4042), abs=1e-4)
    assert wilson(0 / 10, 10).low == 0
    assert wilson(10 / 10, 10).high == 1


@pytest.mark.parametrize(
    ("degrees", "critical"), [(1, 3.841), (2, 5.991), (3, 7.815), (4, 9.488), (5, 11.070)]
)
def test_the_tail_of_chi_squared_is_that_of_the_tables(degrees, critical):
    assert chi_squared_tail(critical, degrees) == pytest.approx(0.05, abs=1e-4)
    assert chi_squared_tail(0.0, degrees) == 1


def test_the_order_of_play_counts_from_who_begins():
    found = games(DICE(1), 2000, edge=0.1)
    place = by_place(found, found.share)
    assert place[:, 0].mean() == pytest.approx(0.6, abs=0.04)
    assert found.share[:, 0].mean() == pytest.approx(0.5, abs=0.04)
    assert equal_places_p_value(place) < 1e-6
    assert equal_places_p_value(found.share) > 0.001


def test_places_are_called_by_the_order_of_play_or_by_the_seats():
    called = [place_name(i, known=True) for i in range(7)]
    assert called == ["begins", "second", "third", "fourth", "fifth", "sixth", "7"]
    assert [place_name(i, known=False) for i in range(2)] == ["seat 1", "seat 2"]


def test_shares_of_the_win_are_those_of_tournaments():
    returns = np.array([[1, -0.5, -0.5], [0.5, 0.5, -1], [0, 0, 0.0]])
    assert win_shares(returns, (0, 1, 2)).tolist() == [[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3]
    partners = np.array([[0.5, -0.5, 0.5, -0.5]])
    assert win_shares(partners, (0, 1, 0, 1)).tolist() == [[1, 0, 1, 0]]


def test_a_difference_is_found_with_its_effect_and_no_other():
    dice = DICE(3)
    base, longer = games(dice, 4000, label="a"), games(dice, 4000, 105.0, "b")
    found = {one.what: one for one in compare_settings([base, longer])}
    assert found["decisions"].difference.low < 5 < found["decisions"].difference.high
    assert found["decisions"].effect.value == pytest.approx(0.5, abs=0.08)
    assert found["decisions"].chance < 1e-6
    assert found["first player's edge"].chance > 0.01
    assert found["shared wins"].chance == 1
    assert "winner's points" not in found


def test_a_single_game_says_nothing_of_how_games_spread():
    dice = DICE(3)
    assert compare_settings([games(dice, 1, label="a"), games(dice, 50, label="b")]) == []
    assert compare_settings([games(dice, 50, label="a"), games(dice, 1, label="b")]) == []
    assert compare_settings([games(dice, 2, label="a"), games(dice, 50, label="b")])


def test_all_intervals_hold_together():
    dice, wrong = DICE(4), 0
    for _ in range(200):
        tests = compare_settings([games(dice, 60, label=str(i)) for i in range(6)])
        wrong += any(not one.difference.low <= 0 <= one.difference.high for one in tests)
    assert wrong / 200 < 0.1


def test_holms_correction():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_a_histogram_has_every_value_once_in_bins_of_whole_units():
    values = 10.0 * DICE(5).integers(20, 300, 500)
    found = distribution(values)
    assert sum(found.counts) == 500
    assert found.width % 10 == 0
    assert len(found.counts) <= 48
    assert found.low < found.median < found.high
    inside = (values >= found.least) & (values < found.least + found.width)
    assert found.counts[0] == inside.sum()
    assert distribution(np.full(3, 7.0)).counts == [3]
