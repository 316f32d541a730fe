"""`diablerie fit`: the same weights from the same seed, however they were come by."""

import os
import signal

import msgspec
import numpy as np
import pytest

from diablerie.lab.fit import Interrupted, fit_values
from diablerie.lab.fit.config import TrainingChunk, training_config
from diablerie.lab.fit.fitting import (
    Network,
    fit,
    gradient,
    predicted_returns,
    returns_to_shares,
    shares_to_returns,
    softmax,
    unstandardized,
)
from diablerie.lab.fit.loop import SAMPLED
from diablerie.lab.fit.worker import SelfPlayWorker, TrainingPositions, unpack_positions
from diablerie.lab.running.errors import BadFile
from diablerie.values import weights_file
from tests.test_cli import refused, run

TINY = {"options": {"goal": "400"}, "generations": 2, "games": 42, "iterations": 8, "units": 3}
WORDS = ("fit", "coals", "--option", "goal=400", "--seats", "2", "--generations", "2", "--games",
         "42", "--iterations", "8", "--units", "3", "--workers", "1")  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training for two and three seats, and the file of its games."""
    file = tmp_path_factory.mktemp("train") / "games.jsonl"
    return fit_values("coals", seats=2, file=file, **TINY), file


def test_it_learns_more_than_nothing():
    """An error of 1 is that of taking every position for even."""
    found = fit_values("coals", seats=2, generations=2, games=800, iterations=0, units=2,
                  options={"goal": "400"})  # fmt: skip
    first, last = found.metrics
    assert (first.learnt, first.generation, last.generation) == (None, 0, 1)
    assert last.learnt.high < 1.0
    assert found.learnt.weights(2).shape == (2 + len(found.config.entries), 1 + 2)
    assert found.learnt.weights(3) is None


@pytest.mark.ci
def test_the_same_weights_whatever_the_workers(whole):
    assert fit_values("coals", seats=2, workers=2, **TINY).learnt.seats == whole[0].learnt.seats


def test_another_seed_learns_from_other_games(whole):
    assert fit_values("coals", seats=2, seed=2, **TINY).learnt.seats != whole[0].learnt.seats


def test_what_ctrl_c_stopped_goes_on_to_the_same_weights(whole, tmp_path):
    file = tmp_path / "games.jsonl"

    def stop(done, of):
        if done == 62:  # in the second generation
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted, match="stopped after 62 of 84 games"):
        fit_values("coals", seats=2, file=file, progress=stop, **TINY)
    assert len(file.read_bytes().splitlines()) == 1 + 4
    assert fit_values("coals", seats=2, file=file, **TINY).learnt.seats == whole[0].learnt.seats


def test_games_of_another_training_are_refused(whole):
    _, file = whole
    with pytest.raises(BadFile, match="another config, iterations 8, not 9"):
        fit_values("coals", seats=2, file=file, **{**TINY, "iterations": 9})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda row: row | {"positions": row["positions"] + 1}, "cannot have ended so"),
        (lambda row: row | {"data": row["data"][:40]}, "cannot have ended so"),
        (lambda row: row | {"job": 99}, "no chunk 99"),
    ],
)
def test_a_damaged_file_of_games_is_refused_in_one_line(whole, tmp_path, change, words):
    head, row, *rest = whole[1].read_bytes().splitlines()
    changed = msgspec.json.encode(change(msgspec.json.decode(row)))
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join([head, changed, *rest, b""]))
    assert words in refused(*WORDS, "--file", str(path))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--seats", "9"), "2 to 6 players"),
        (("--careless", "2"), "careless is 0.0 to 1.0"),
        (("--units", "65"), "units is 0 to 64"),
        (("--games", "0"), "games"),
    ],
)
def test_a_wrong_argument_ends_with_status_2_and_one_line(words, said):
    assert said in refused(*WORDS, *words)


def test_the_command_writes_weights_that_a_search_plays_by_and_a_page(whole, tmp_path):
    out, page = tmp_path / "learnt.json", tmp_path / "page.html"
    done = run(*WORDS, "--out", str(out), "--report", str(page), "--file", str(whole[1]))
    assert done.exit_code == 0, done.output
    assert "mean squared error" in done.output
    found = msgspec.json.decode(out.read_bytes(), type=weights_file.WeightsFile)
    assert found.seats == whole[0].learnt.seats
    assert found.command.startswith("diablerie fit coals --seats 2 --generations 2 --games 42")
    assert page.read_text("utf-8").count("<svg viewBox") == 1
    played = run("tournament", "coals", "--players", f"search:n=20,value={out},search:n=20",
                 "--games", "2", "--workers", "1", "--option", "goal=400")  # fmt: skip
    assert played.exit_code == 0, played.output
    out.write_bytes(out.read_bytes().replace(b'"coals"', b'"tails"'))
    said = refused("simulate", "coals", "--players", f"search:n=20,value={out}", "--games", "1")
    assert "contains no learnt values for COALS" in said


def test_of_each_game_so_many_positions_are_kept_as_every_seat_sees_them():
    config = training_config(
        "coals", generations=1, games=2, iterations=0, careless=0.1, fade=1.0, units=2, seed=1,
        seats=2,
    )  # fmt: skip
    row = SelfPlayWorker(config, {}).play(TrainingChunk(0, 0, 2, 0, 2))
    assert row.positions == 2 * SAMPLED
    found = unpack_positions(row, 2, len(config.entries))
    assert found.known.any(axis=2).all(), "nobody sees nothing"
    assert (found.known[:, 0] != found.known[:, 1]).any(axis=1).all(), "each sees another game"
    assert not found.known[:, :, config.entries.index("in a round")].any(), "between rounds only"
    np.testing.assert_allclose(found.ends.sum(axis=1), 0)


# -- the fit -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_shares_and_returns_are_each_others_inverse(sign):
    returns = np.array([[1.0, -0.5, -0.5], [0.5, 0.5, -1.0], [0.0, 0.0, 0.0]])
    shares = returns_to_shares(returns, sign)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_allclose(shares_to_returns(shares, sign), returns, atol=1e-12)
    np.testing.assert_allclose(shares[0 if sign > 0 else 1], [1, 0, 0] if sign > 0 else [0, 0, 1])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_slope_is_that_of_the_cross_entropy(sign):
    rng = np.random.default_rng(1)
    network = Network(*(rng.standard_normal(shape) for shape in ((3,), (4, 3), (3,), (4,))))
    known, shares = rng.standard_normal((5, 2, 4)), rng.dirichlet((1, 1), 5)

    def loss(n):
        flat = known.reshape(-1, 4)
        scores = flat @ n.linear + np.maximum(flat @ n.units + n.bias, 0) @ n.counts
        return -(shares * np.log(softmax(sign * scores.reshape(5, 2)))).sum() / 5

    for part, slope in zip(network, gradient(network, known, shares, sign), strict=True):
        for at in np.ndindex(part.shape):
            kept = part[at]
            part[at] = kept + 1e-6
            high = loss(network)
            part[at] = kept - 1e-6
            low = loss(network)
            part[at] = kept
            assert (high - low) / 2e-6 == pytest.approx(slope[at], abs=1e-6)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_fit_finds_what_made_its_positions(sign):
    rng = np.random.default_rng(3)
    known = rng.normal(2.0, 3.0, (3000, 2, 4)).astype(np.float32)
    network = Network(np.zeros(1), np.ones((4, 1)), np.zeros(1), np.array([0.3, -0.2, 0.0, 0.1]))
    truth = predicted_returns(unstandardized(network, np.zeros(4), np.ones(4)), known, sign)
    found = fit(TrainingPositions(known, truth, truth, truth), 2, sign, 1)
    assert np.mean((predicted_returns(found, known, sign) - truth) ** 2) < 0.01 * np.mean(truth**2)
    assert (found == fit(TrainingPositions(known, truth, truth, truth), 2, sign, 1)).all()
