"""A result is in its file as soon as it is there: whatever happens next, it is not played again."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from diablerie.lab.running.study import check_writable
from diablerie.lab.statistics import Z, mean_estimate, wilson, win_share
from diablerie.lab.tournament import TournamentResults
from diablerie.lab.tournament.config import play_fixture, schedule, tournament_config
from diablerie.lab.tournament.standings import rate_pairings, rate_tables, standings

TWO = ("random", "sensible")


def test_every_result_is_on_disk_at_once(tmp_path):
    config, path = tournament_config("coals", TWO, games=4), tmp_path / "results.jsonl"
    with TournamentResults(config, path) as results:
        assert len(path.read_text().splitlines()) == 1
        for done, fixture in enumerate(schedule(config)[:3], 1):
            results.add(play_fixture(config, fixture, lambda: False))
            rows = path.read_text().splitlines()
            assert [json.loads(row)["game"] for row in rows[1:]] == list(range(done))
            assert results.done == done
        assert [job.number for job in results.missing] == [3]


def test_to_see_whether_a_file_can_be_written_changes_none(tmp_path):
    there, new = tmp_path / "there", tmp_path / "new"
    there.write_text("kept")
    for path in (there, new):
        check_writable(path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("there", "kept")]
    with pytest.raises(OSError, match="missing"):
        check_writable(tmp_path / "missing" / "new")
    with pytest.raises(OSError, match="not a file"):  # a device would be replaced
        check_writable(Path(os.devnull))


# -- 95 % is 1.96 standard errors, wherever it is said -------------------------------------------


def test_z_is_that_of_95_percent():
    assert pytest.approx(1.959964, abs=1e-6) == Z


def test_the_mean_of_known_numbers_has_students_interval():
    found = mean_estimate(np.array([1.0, 2.0, 3.0, 4.0]))  # deviation √(5/3), error half of it
    wide = 3.1824 * np.sqrt(5 / 3) / 2  # three degrees of freedom
    assert found.value == 2.5
    assert found.high - 2.5 == pytest.approx(wide, rel=0.01)
    assert 2.5 - found.low == pytest.approx(wide, rel=0.01)


def test_a_share_of_pairs_has_the_interval_of_agresti_and_coull():
    """Sixty of a hundred pairs won: with a won and a lost one added 61 of 102, by hand."""
    found = win_share(np.array([2.0] * 60 + [0.0] * 40), np.full(100, 2.0), 0.5)
    wide = 1.98373 * np.sqrt(61 / 102 * 41 / 102 / 101)  # Student's, of 101 degrees of freedom
    assert found.value == 0.6
    assert (found.low, found.high) == pytest.approx((61 / 102 - wide, 61 / 102 + wide), abs=1e-4)
    assert wilson(0.8, 10).low == pytest.approx(0.4902, abs=1e-4)


def test_ratings_at_mixed_tables_have_1_96_deviations_around_them():
    config = tournament_config("coals", TWO, seats=3, games=6)
    played, games = {}, []
    for fixture in schedule(config):
        result = played[fixture.number] = play_fixture(config, fixture, lambda: False)
        won = [x == max(result.returns) for x in result.returns]
        games.append([([p], w) for p, w in zip(fixture.players, won, strict=True)])
    found = standings(config, schedule(config), played).players
    for one, rated in zip(found, rate_tables(games, 2), strict=True):
        assert one.rating.value == pytest.approx(rated.mu)
        assert one.rating.high - rated.mu == pytest.approx(1.96 * rated.sigma, rel=1e-3)
        assert rated.mu - one.rating.low == pytest.approx(1.96 * rated.sigma, rel=1e-3)


def test_ratings_of_pairings_are_as_wide_as_the_shares_of_their_games():
    """Between two players a rating is the half of what their score is worth in Elo."""
    won = np.array([2.0] * 60 + [0.0] * 40)
    first, second = rate_pairings({(0, 1): won}, 2, 2)
    score = win_share(won, np.full(100, 2.0), 0.5)
    wide = 200 * (np.log10(score.high / (1 - score.high)) - np.log10(score.low / (1 - score.low)))
    for one in (first, second):
        assert one.high - one.low == pytest.approx(wide, rel=0.15)
    assert first.value == -second.value > 0
