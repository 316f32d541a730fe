"""The sequential test: it errs as seldom as it says, and what it says is the file's alone."""

import io
import json
from functools import partial
from math import log

import numpy as np
import pytest
from rich.console import Console

from diablerie.lab.running import terminal
from diablerie.lab.running.run import run_study
from diablerie.lab.tournament import TournamentResults
from diablerie.lab.tournament.config import GameResult, schedule, tournament_config
from diablerie.lab.tournament.sprt import (
    PAIR_SCORES,
    Sprt,
    SprtRun,
    expected_score,
    likeliest_frequencies,
)
from tests.lab.test_tournament import games
from tests.test_cli import refused, run

START = ("tournament", "coals", "--workers", "1")
CLEAR = ("--players", "sensible,random", "--sprt", "0,100")


def run_sprt(test, outcomes):
    """The answer of a test to these pairs, given by their scores in quarters."""
    run = SprtRun(test)
    any(map(run.count, outcomes))  # until the test is over
    return run.answer


def pairs(elo, most, dice):
    """Pairs between players of this difference, where the dice of a pair favour one seat."""
    luck = dice.normal(0, 0.15, most)
    won = (dice.random(most) < np.clip(expected_score(elo) + sign * luck, 0, 1) for sign in (1, -1))
    tied = dice.random(most) < 0.1
    return (2 * sum(x.astype(int) for x in won) * ~tied + 2 * tied).tolist()


def verdicts(elo, test, runs):
    dice = np.random.default_rng(4)
    return [run_sprt(test, pairs(elo, 600, dice)).verdict for _ in range(runs)]


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.2, 0.05)])
def test_a_test_errs_as_seldom_as_it_says(alpha, beta):
    test, runs = Sprt(0, 80, alpha, beta), 150
    often = 1 + 3 / (runs * min(alpha, beta)) ** 0.5  # three standard deviations, for luck
    assert verdicts(0, test, runs).count("accepted") <= often * alpha * runs
    assert verdicts(80, test, runs).count("rejected") <= often * beta * runs


def test_it_is_sure_sooner_where_the_difference_is_larger():
    dice, test = np.random.default_rng(4), Sprt(0, 80)
    clear, close = (
        np.mean([run_sprt(test, pairs(elo, 600, dice)).pairs for _ in range(30)])
        for elo in (250, 40)
    )
    assert clear < close / 2


def test_the_likeliest_frequencies_have_the_mean_and_none_near_them_is_likelier():
    seen, mean = [3.0, 10.0, 40.0, 12.0, 5.0], 0.55
    found = np.array(likeliest_frequencies(seen, mean))
    assert found.sum() == pytest.approx(1)
    assert found @ PAIR_SCORES == pytest.approx(mean)
    best = sum(n * log(x) for n, x in zip(seen, found, strict=True))
    for aside in np.linalg.svd(np.array([[1.0] * 5, PAIR_SCORES]))[2][2:]:  # keeps sum and mean
        for step in (-0.01, 0.01):
            other = found + step * aside
            assert sum(n * log(x) for n, x in zip(seen, other, strict=True)) < best


def test_with_wins_and_losses_alone_it_is_the_ratio_of_two_binomials():
    found = SprtRun(Sprt(-50, 50))
    for outcome in [4] * 6 + [0] * 4:
        found.count(outcome)
    high, low = expected_score(50), expected_score(-50)
    by_hand = 6 * log(high / low) + 4 * log((1 - high) / (1 - low))
    assert found.llr == pytest.approx(by_hand, abs=0.02)


def test_an_answer_stays():
    found = SprtRun(Sprt(0, 100))
    while not found.count(4):
        pass
    before = found.answer
    assert found.count(0)
    assert found.answer == before
    assert before.verdict == "accepted"
    assert before.llr >= before.bounds[1]


def test_however_clear_it_is_there_is_no_answer_before_the_eighth_pair():
    found = SprtRun(Sprt(0, 400))
    assert [found.count(4) for _ in range(8)] == [False] * 7 + [True]
    assert found.llr > found.answer.bounds[1] + 1


def ended(config, number, first):
    """A game of a tournament in which player 0 returns `first`."""
    seats = schedule(config)[number].players
    returns = tuple(first if player == 0 else -first for player in seats)
    return GameResult(number, tuple(config.players[p] for p in seats), returns, (1, 1), (0.0, 0.0))


def test_pairs_count_in_their_order_whenever_they_come():
    config = tournament_config("coals", ("random", "sensible"), games=40)
    score = {0: 1.0, 1: 0.0, 2: -1.0, 3: -1.0, 4: 1.0, 5: 1.0}
    with TournamentResults(config, test=Sprt(0, 100)) as results:
        for number in (5, 3, 4, 2, 1):
            results.add(ended(config, number, score[number]))
            assert not results.decided()
            assert results.test.pairs == 0
        results.add(ended(config, 0, score[0]))
        assert not results.decided()
        assert list(results.pair_scores()) == [3, 0, 4]
        assert results.test.answer.counts == (1, 0, 0, 1, 1)


def test_a_tournament_ends_when_its_test_does_and_tells(tmp_path):
    file = tmp_path / "kept.jsonl"
    found = json.loads(run(*START, *CLEAR, "--json", "--file", str(file)).output)
    answer = found["sprt"]
    assert answer["verdict"] == "accepted"
    assert answer["llr"] >= answer["bounds"][1] == pytest.approx(log(19))
    assert 8 <= answer["pairs"] < 40
    assert found["games"] == 2 * answer["pairs"] == len(games(file)[1])
    assert found["config"]["games"] == 20_000
    before = file.read_text()
    again = json.loads(run(*START, *CLEAR, "--json", "--file", str(file)).output)
    assert again["sprt"] == answer
    assert file.read_text() == before


def test_an_undecided_test_goes_on_to_the_answer_of_one_without_a_break(tmp_path):
    file = tmp_path / "kept.jsonl"
    first = run(*START, *CLEAR, "--games", "10", "--file", str(file))
    assert first.exit_code == 0
    assert "after 5 pairs. undecided" in " ".join(first.output.split())
    words = (*START, *CLEAR, "--games", "200", "--json")
    whole = json.loads(run(*words).output)
    assert json.loads(run(*words, "--file", str(file)).output)["sprt"] == whole["sprt"]


@pytest.mark.ci  # that workers change no result is tested in `test_tournament.py`
def test_the_weaker_is_rejected_by_any_number_of_workers():
    config = tournament_config("coals", ("random", "sensible"), games=100)
    answers = []
    for workers in (1, 2):
        found = run_study(partial(TournamentResults, config, test=Sprt(0, 50)), workers=workers)
        assert found.sprt
        answers.append(found.sprt)
    assert answers[0] == answers[1]
    assert answers[0].verdict == "rejected"


def test_progress_says_how_the_test_stands(monkeypatch):
    monkeypatch.setattr(terminal, "LINE_SECONDS", 0.0)
    console, test = Console(file=io.StringIO(), width=200), SprtRun(Sprt(0, 10))
    with terminal.show_progress(console, test.__str__) as report:
        test.count(4)
        report(2, 100)
    assert "2 of 100 games" in console.file.getvalue()
    assert "(-2.94 … +2.94), 1 pairs" in console.file.getvalue()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sprt", "10"], "two differences in Elo"),
        (["--sprt", "10,0"], "not “10,0”"),
        (["--sprt", "nan,0"], "two differences"),
        (["--sprt", "0,10", "--alpha", "0"], "alpha and beta"),
        (["--sprt", "0,10", "--beta", "0.97"], "together below 1"),
        (["--sprt", "0,10", "--mixed"], "between two players"),
        (["--sprt", "0,10", "--seats", "3"], "between two players"),
        (["--sprt", "0,10", "--players", "random,sensible,imp"], "between two players"),
    ],
)
def test_what_cannot_be_tested_is_refused(words, said):
    assert said in refused(*START, "--players", "random,sensible", *words)
