"""examples/ppo.py learns: nothing illegal, reproducible, better than it was."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from diablerie.engine.match import Match
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from tests.envs.needed import needed

jax = needed("jax", "learn")
needed("optax", "learn")

EXAMPLES = Path(__file__).parent.parent / "examples"
sys.path.append(str(EXAMPLES))
import learnt_bot  # noqa: E402
import ppo  # noqa: E402

TINY = ppo.Settings(games=16, steps=8, passes=1, size=32, width=8)


@pytest.mark.ci
@pytest.mark.parametrize(("game", "seats"), [("tails", 2), ("coals", 3)])
def test_what_is_illegal_has_no_probability_and_an_update_is_finite(game, seats):
    learner = ppo.Learner(game, seats, 1, TINY)
    # However much the network wants it:
    wild = jax.tree.map(lambda x: 100 * x, learner.params)
    for params in (learner.params, wild):
        _, logs, values = ppo.seen(learner.net, params, learner.batch)
        chances, mask = np.exp(logs), learner.batch.mask.astype(bool)
        assert (~mask).any()
        assert not chances[~mask].any()
        np.testing.assert_allclose(chances.sum(1), 1, rtol=1e-4)
        np.testing.assert_allclose(values.sum(1), 0, atol=1e-5 * np.abs(values).max() + 1e-6)
    before = learner.params
    learner.update()
    assert np.isfinite(list(map(float, learner.told.values()))).all()
    assert all(np.isfinite(x).all() for x in jax.tree.leaves(learner.params))
    assert learner.decisions == 128
    assert before.keys() == learner.params.keys()


@pytest.mark.ci
def test_the_same_seed_learns_the_same():
    def learnt(seed):
        learner = ppo.Learner("tails", 2, seed, TINY)
        for _ in range(2):
            learner.update()
        return np.concatenate([x.ravel() for x in jax.tree.leaves(learner.params)])

    first = learnt(1)
    np.testing.assert_array_equal(first, learnt(1))
    assert (first != learnt(2)).any()


def test_advantages_are_those_of_the_formula_for_every_seat():
    rng = np.random.default_rng(1)
    values, ahead = rng.normal(size=(3, 1, 2)), rng.normal(size=(1, 2))
    rewards, on = np.array([[[0, 0]], [[1, -1]], [[0, 0]]]), np.array([True, False, True])
    after = [(rewards[t], on[t].reshape(1, 1)) for t in range(3)]
    found = ppo.advantages(values, ahead, after, 0.5)
    last = ahead[0] - values[2, 0]
    middle = np.array([1, -1]) - values[1, 0]  # the game ended: nothing of the next one counts
    np.testing.assert_allclose(found[2, 0], last)
    np.testing.assert_allclose(found[1, 0], middle)
    np.testing.assert_allclose(found[0, 0], values[1, 0] - values[0, 0] + 0.5 * middle)


def test_utilities_are_counted_from_a_seat_and_back():
    by_seat = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    own = ppo.counted(by_seat, np.array([1, 2]))
    assert own.tolist() == [[2, 3, 1], [6, 4, 5]]
    assert ppo.counted(own, -np.array([1, 2])).tolist() == by_seat.tolist()


def test_intervals_are_wilsons():
    assert ppo.wilson(8, 10) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)
    assert ppo.wilson(0, 10)[1] == pytest.approx(0, abs=1e-12)


@pytest.mark.nightly
def test_a_short_training_is_better_than_its_start_and_kept(tmp_path, monkeypatch, capsys):
    words = ["--steps", "65536", "--looks", "1", "--games", "60", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["ppo.py", *words])
    ppo.main()
    told = json.loads((tmp_path / "learnt.json").read_text("utf-8"))
    start, end = told["curve"]
    assert end["decisions"] == 65536
    assert end["random"][0] > start["random"][0] + 0.1
    assert end["random"][1] > 0.5
    assert "against random" in capsys.readouterr().out
    assert (tmp_path / "curve.svg").read_text("utf-8").count("<path") > 10
    assert choices_of_the_bot(tmp_path, monkeypatch)


def choices_of_the_bot(folder, monkeypatch):
    """What the kept network decides in a game, all of it legal."""
    monkeypatch.setenv("LEARNT", str(folder))
    bot, match, made = learnt_bot.Learnt(ALL["tails"]), Match.new(ALL["tails"], seed=4), []
    while not match.over:
        made.append(bot.choose(match.seen_by(match.actor), match.actor, seeded(1)))
        match.carry_out(made[-1], match.actor)
    return made
