"""Calibration: what is told beside who wins, by game, and the temperature between them."""

import json
from types import SimpleNamespace as Some

import numpy as np
import pytest
from click.testing import CliRunner

from diablerie.bots.rollouts import tempered
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.statistics import Estimate
from tools.calibrate.__main__ import calibrate, main
from tools.calibrate.reliability import (
    PredictedGame,
    clustered_share,
    fit_temperature,
    predictions,
    reliability,
)
from tools.calibrate.study import (
    CalibrationGame,
    calibration_config,
    calibration_finding,
    calibration_games,
    is_sound_prediction,
    predict_game,
)

SMALL = {"games": 3, "positions": 2, "playouts": 5}


# -- temperature -------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.5, 1.0, 1.7])
@pytest.mark.parametrize(
    "chances", [(0.8, 0.2), (0.6, 0.4, 0.6, 0.4), (0.5, 0.3, 0.1), (1.0, 0.0), (0.0, 0.0)]
)
def test_a_temperature_keeps_order_sum_and_what_is_certain(chances, temperature) -> None:
    told = tempered(chances, temperature)
    assert told.sum() == pytest.approx(sum(chances))
    assert list(np.argsort(told, kind="stable")) == list(np.argsort(chances, kind="stable"))
    assert {k for k, x in enumerate(told) if x == 0} == {k for k, x in enumerate(chances) if x == 0}
    if temperature == 1:
        assert told == pytest.approx(chances)
    if temperature > 1 and 0 < chances[0] < 1:
        assert max(told) < max(chances)


def test_two_players_log_odds_are_divided() -> None:
    hot = tempered((0.8, 0.2), 2.0)
    assert hot[0] / hot[1] == pytest.approx(2.0)


def test_nobody_is_told_more_than_certainty() -> None:
    assert tempered((1.0, 0.6, 0.1), 0.5).max() == 1.0


# -- measuring ---------------------------------------------------------------------------------


def rows(games: int, seed: int, sure: float) -> list[PredictedGame]:
    """Games of two players whose chances are told too sure, so that this temperature mends it."""
    rng, found = np.random.default_rng(seed), []
    for game in range(games):
        true = rng.uniform(0.05, 0.95)
        told = tempered((true, 1 - true), 1 / sure)
        won = bool(rng.random() < true)
        found.append(PredictedGame(game, [[float(x) for x in told]] * 2, [won, not won]))
    return found


def test_the_temperature_is_found_again_and_helps_with_other_games() -> None:
    best = fit_temperature(predictions(rows(3000, 1, sure=1.5)))
    assert best.low < 1.5 < best.high
    assert best.high - best.low < 0.5
    others = predictions(rows(3000, 2, sure=1.5))
    raw, told = reliability(others), reliability(others, best.value)
    assert told.brier < raw.brier - 0.003
    assert told.error < raw.error / 2
    assert told.seventy is not None
    assert told.seventy.low < 0.7 < told.seventy.high


def test_honest_chances_are_won_as_often_as_told() -> None:
    found = reliability(predictions(rows(4000, 3, sure=1.0)))
    assert [(one.low, one.high) for one in found.tenths] == [
        (k / 10, (k + 1) / 10) for k in range(10)
    ]
    assert all(one.low <= one.predicted < one.high for one in found.tenths)
    covered = [one.won.low <= one.predicted <= one.won.high for one in found.tenths]
    assert sum(covered) >= 8
    assert sum(one.chances for one in found.tenths) == 4000 * 4
    assert found.error < 0.03


def test_scores_of_few_chances_are_those_worked_out_by_hand() -> None:
    told = [[0.7, 0.3]]
    found = reliability(
        predictions([PredictedGame(0, told, [True, False]), PredictedGame(1, told, [False, True])])
    )
    assert found.brier == pytest.approx((0.3**2 + 0.3**2 + 0.7**2 + 0.7**2) / 4)
    assert found.error == pytest.approx(0.2)
    assert [(x.low, x.high, x.chances, x.games) for x in found.tenths] == [
        (0.3, 0.4, 2, 2), (0.7, 0.8, 2, 2)
    ]  # fmt: skip
    assert [x.won.value for x in found.tenths] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("chance", "there"), [(0.64, False), (0.65, True), (0.74, True), (0.75, False)]
)
def test_chances_of_65_to_below_75_percent_are_looked_at_apart(chance: float, there: bool) -> None:
    found = reliability(predictions([PredictedGame(0, [[chance, 0.1]], [True, False])]))
    assert (found.seventy is not None) is there


def test_certainty_belongs_to_the_last_tenth() -> None:
    found = reliability(predictions([PredictedGame(0, [[1.0, 0.0]], [True, False])]))
    assert [one.high for one in found.tenths] == [0.1, 1.0]


def test_positions_of_one_game_count_once() -> None:
    won = np.array([1.0, 0.0, 1.0, 1.0] * 10)
    alone = clustered_share(won, np.arange(40))
    again = clustered_share(np.repeat(won, 5), np.repeat(np.arange(40), 5))
    assert again.value == alone.value
    assert again.high - again.low == pytest.approx(alone.high - alone.low, rel=0.05)
    certain = clustered_share(np.ones(50), np.repeat(np.arange(10), 5))
    assert certain.high == 1.0
    assert certain.low == pytest.approx(clustered_share(np.ones(10), np.arange(10)).low)


# -- what was found ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(0.9, 1.2, "agree with who wins"), (1.1, 1.3, "too confident"), (0.6, 0.8, "too cautious")],
)
def test_chances_agree_or_err_in_one_way(low, high, words):
    summary = Some(
        temperature=1.0, fitted=Estimate((low + high) / 2, low, high), calibrated=Some(error=0.012)
    )
    found = calibration_finding(summary)
    assert words in found
    assert "calibration error 1.2 %" in found


# -- playing -----------------------------------------------------------------------------------


def test_a_game_is_the_same_whoever_plays_it_and_when() -> None:
    config = calibration_config("coals", players=["sensible", "random"], **SMALL)
    chosen = list(calibration_games(config))
    assert [job.seats for job in chosen] == [2, 3, 4]
    found = [predict_game(config, job, lambda: False) for job in chosen]
    again = [predict_game(config, job, lambda: False) for job in reversed(chosen)]
    assert again == found[::-1]
    for job, row in zip(chosen, found, strict=True):
        assert len(row.won) == job.seats
        assert [len(x) for x in row.chances] == [job.seats] * 2
        assert sum(row.won) <= 1, "one wins, or nobody"
    assert any(row.won != found[0].won for row in found[1:])


@pytest.mark.parametrize(
    ("chances", "won", "sound"),
    [
        ([[0.0, 1.0], [0.5, 0.5]], [True, False], True),
        ([], [True, False], False),
        ([[0.5, 0.5]] * 3, [True, False], False),
        ([[0.5]], [True, False], False),
        ([[0.5, 0.5]], [True], False),
        ([[0.5, 1.5]], [True, False], False),
        ([[-0.5, 0.5]], [True, False], False),
    ],
)
def test_a_line_has_a_chance_for_each_seat_at_each_position(
    chances: list[list[float]], won: list[bool], sound: bool
) -> None:
    config = calibration_config("coals", players=["sensible"], seats=2, **SMALL)
    assert (
        is_sound_prediction(config, CalibrationGame(0, 2), PredictedGame(0, chances, won)) is sound
    )


def test_the_command_tells_what_was_won(tmp_path) -> None:
    words = ("coals", "--players", "sensible", "--games", "3", "--playouts", "5",
             "--positions", "2", "--workers", "1", "--seats", "2")  # fmt: skip
    told = CliRunner().invoke(calibrate, words)
    assert told.exit_code == 0, told.output
    for part in ("3 games of sensible", "65 to 75 % won", "temperature of the least"):
        assert part in told.output
    found = json.loads(
        CliRunner().invoke(calibrate, [*words, "--json", "--temperature", "2"]).stdout
    )
    assert found["temperature"] == 2.0
    assert found["games"] == 3
    assert found["raw"]["brier"] != found["calibrated"]["brier"]


def refused(monkeypatch, capsys, *words: str) -> str:
    """The one line that the command ends with, and its status is 2."""
    monkeypatch.setattr("sys.argv", ["calibrate", *words])
    with pytest.raises(SystemExit, match="2"):
        main()
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_what_cannot_be_played_is_refused(monkeypatch, capsys) -> None:
    assert "angel" in refused(monkeypatch, capsys, "coals", "--players", "angel")
    assert "players" in refused(monkeypatch, capsys, "coals", "--seats", "9")
    with pytest.raises(BadConfig):
        calibration_config("coals", players=[], games=1)
    with pytest.raises(BadConfig):
        calibration_config("coals", players=["sensible"], games=1, seed=-1)


def test_jobs_are_numbered_and_take_turns_in_size() -> None:
    config = calibration_config("tails", players=["sensible"], games=4)
    assert list(calibration_games(config)) == [
        CalibrationGame(0, 2),
        CalibrationGame(1, 3),
        CalibrationGame(2, 4),
        CalibrationGame(3, 2),
    ]
