"""The numbers are honest: known strengths are found again, intervals cover."""

import io
import re
from itertools import combinations
from math import inf

import numpy as np
import pytest
from rich.console import Console

from diablerie.lab.html import page
from diablerie.lab.running import run
from diablerie.lab.statistics import (
    elo_difference,
    elo_estimate,
    side_scores,
    win_share,
    win_share_p_value,
)
from diablerie.lab.tournament.standings import bradley_terry, rate_pairings, rate_tables

STRENGTHS = np.array([-300.0, -50.0, 100.0, 250.0])


def expected(difference):
    return 1 / (1 + 10 ** (-difference / 400))


def tables_between(strengths, pairs, dice):
    """Scores of the first of each pairing in pairs of games, where the dice favour one seat."""
    found = {}
    for a, b in combinations(range(len(strengths)), 2):
        p = expected(strengths[a] - strengths[b])
        tilt = min(0.1, p, 1 - p)
        found[a, b] = 1.0 * sum(dice.binomial(1, q, pairs) for q in (p + tilt, p - tilt))
    return found


@pytest.mark.parametrize("p", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("pairs", [10, 60])
@pytest.mark.parametrize("alike", [False, True])
def test_the_interval_of_a_share_covers_even_if_both_games_of_a_pair_end_alike(p, pairs, alike):
    dice, inside, runs = np.random.default_rng(5), 0, 1500
    for _ in range(runs):
        won = 2.0 * dice.binomial(1, p, pairs) if alike else 1.0 * dice.binomial(2, p, pairs)
        found = win_share(won, np.full(pairs, 2.0), 0.5)
        inside += found.low <= p <= found.high
    assert inside / runs > 0.92


def test_an_interval_is_not_of_width_0_when_all_was_won():
    found = win_share(np.full(50, 2.0), np.full(50, 2.0), 0.5)
    assert found.value == found.high == 1
    assert 0.88 < found.low < 0.97
    assert elo_estimate(found).high == inf


def test_a_share_of_luck_alone_is_seldom_called_more():
    dice = np.random.default_rng(6)
    called = [
        win_share_p_value(dice.binomial(3, 1 / 3, 40).astype(float), np.full(40, 3.0), 1 / 3) < 0.05
        for _ in range(1500)
    ]
    assert 0.02 < np.mean(called) < 0.07


def test_elo_of_a_score():
    assert elo_difference(0.5) == 0
    assert elo_difference(10 / 11) == pytest.approx(400)
    assert elo_difference(0) == -elo_difference(1) == -inf


def test_bradley_terry_finds_the_strengths_again():
    games = 100_000
    won = np.array([[expected(a - b) * games for b in STRENGTHS] for a in STRENGTHS])
    np.fill_diagonal(won, 0)
    assert bradley_terry(won) == pytest.approx(STRENGTHS - STRENGTHS.mean(), abs=0.1)


def test_ratings_of_simulated_games_cover_the_true_strengths():
    dice, inside = np.random.default_rng(7), []
    for _ in range(12):
        for found, true in zip(
            rate_pairings(tables_between(STRENGTHS, 150, dice), 4, 2), STRENGTHS, strict=True
        ):
            assert abs(found.value - true) < 120
            assert found.low < found.value < found.high < found.low + 200
            inside.append(found.low <= true <= found.high)
    assert np.mean(inside) > 0.85


def test_a_player_who_lost_everything_has_a_rating_and_no_lower_bound():
    low, high = rate_pairings({(0, 1): np.zeros(20)}, 2, 2)
    assert low.value == -high.value < -300
    assert low.low == -inf
    assert high.high == inf
    assert low.high < -100


def test_openskill_orders_players_by_strength_and_self_play_tells_nothing_wrong():
    dice, games = np.random.default_rng(8), []
    for _ in range(400):
        who = dice.integers(0, 3, 3)
        best = max(range(3), key=lambda seat: who[seat] + dice.gumbel())
        games.append([([int(p)], seat == best) for seat, p in enumerate(who)])
    ratings = rate_tables(games, 3)
    assert ratings[0].mu < ratings[1].mu < ratings[2].mu
    assert all(0 < r.sigma < 3 for r in ratings)


@pytest.mark.parametrize(
    ("returns", "teams", "score"),
    [
        ([1.0, -1.0], [0, 1], [1, 0]),
        ([0.0, 0.0], [0, 1], [0.5, 0.5]),
        ([0.5, 0.5, -1.0], [0, 1, 2], [0.5, 0.5, 0]),
        ([0.0, 0.0, 0.0], [0, 1, 2], [1 / 3, 1 / 3, 1 / 3]),
        ([0.5, -0.5, 0.5, -0.5], [0, 1, 0, 1], [1, 0]),
    ],
)
def test_scores(returns, teams, score):
    assert side_scores(returns, teams) == pytest.approx(score)


def test_a_report_shows_what_is_unbounded_or_tiny():
    assert page.format_elo(inf) == "+∞"
    assert page.format_elo(-12.4) == "-12"
    assert page.format_interval(
        win_share(np.ones(4), np.full(4, 2.0), 0.5), page.format_percent
    ).endswith(" %")
    assert page.format_p_value(1e-9) == "< 0.001"
    times = [page.format_duration(seconds) for seconds in (2e-6, 0.0042, 1.5)]
    assert times == ["2 µs", "4.2 ms", "1.50 s"]


def test_a_difference_has_its_sign_and_the_digits_that_matter():
    told = [page.format_difference(x) for x in (0, 0.0123, -9.5, 10, -12.34)]
    assert told == ["0", "+0.012", "-9.500", "+10.0", "-12.3"]
    assert [page.format_p_value(x) for x in (0.0099, 0.01, 0.5)] == ["0.010", "0.01", "0.50"]
    assert [page.format_elo(x) for x in (-inf, 0.0, 7.6)] == ["-∞", "+0", "+8"]
    times = [page.format_duration(seconds) for seconds in (0.001, 0.9, 1.0)]
    assert times == ["1.0 ms", "900.0 ms", "1.00 s"]


def test_a_rate_is_counted_from_the_first_game_that_ended(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(run, "monotonic", lambda: now[0])
    rate, said = run.GameRate(), []
    for now[0], done in ((107.0, 1), (108.0, 2), (113.0, 12), (118.0, 22)):
        rate.count(done)
        said.append(str(rate))
    assert said == ["", "", "2.0/s", "2.0/s"]


def test_a_rate_counts_only_the_games_of_this_run(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(run, "monotonic", lambda: now[0])
    rate = run.GameRate()
    for now[0], done in ((100.0, 500), (101.0, 501), (111.0, 521)):
        rate.count(done)
    assert str(rate) == "2.0/s"


def test_a_line_of_progress_is_written_now_and_then_however_long_the_machine_runs(monkeypatch):
    now = [1e6]
    monkeypatch.setattr(run, "monotonic", lambda: now[0])
    out = io.StringIO()
    with run.show_progress(Console(file=out)) as report:
        for done in range(1, 101):
            now[0] += run.LINE_SECONDS / 10
            report(done, 100)
    said = out.getvalue().splitlines()
    assert 9 <= len(said) <= 10
    assert re.fullmatch(r"\d+ of 100 games [\d.]+/s", said[-1])
