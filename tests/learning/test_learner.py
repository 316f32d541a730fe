"""Learning by self-play: equal seeds give equal weights, and a small game is learnt."""

import msgspec
import numpy as np
import pytest

from diablerie.learning.learner import Learner
from diablerie.learning.ppo import shuffle_minibatches
from diablerie.learning.rollout import GAME_ENDED, GOES_ON, env_worker, estimate_advantages
from diablerie.learning.settings import TrainingSettings
from tests.learning.trainings import (
    COALS,
    SMALL,
    learnt,
    learnt_after_a_break,
    own_share,
)

QUICK = TrainingSettings(
    seats=(2, 3), options=SMALL, decisions=12_000, rollout=4096, hidden=(16, 16)
)


@pytest.fixture(scope="module")
def quick() -> Learner:
    return learnt(QUICK)


def test_equal_seeds_give_equal_weights_however_many_threads(quick):
    assert quick.decisions >= 12_000
    np.testing.assert_array_equal(learnt(QUICK, threads=3).flat, quick.flat)


def test_another_seed_gives_other_weights(quick):
    other = learnt(msgspec.structs.replace(QUICK, seed=2))
    assert (other.flat != quick.flat).any()


def test_a_learner_that_is_resumed_ends_the_same(quick):
    resumed = learnt_after_a_break(QUICK)
    np.testing.assert_array_equal(resumed.flat, quick.flat)
    assert (resumed.decisions, resumed.games) == (quick.decisions, quick.games)


def test_what_belongs_to_another_learner_is_refused(quick):
    kept = quick.state()
    other = Learner(COALS, TrainingSettings(hidden=(8, 8), rollout=512))
    with pytest.raises(ValueError, match="flat"):
        other.restore(kept)
    other.close()


def wins(learner: Learner) -> float:
    return own_share(learner.evaluate(2, 600, seed=5))


def test_a_small_game_is_learnt():
    settings = TrainingSettings(
        options=SMALL, decisions=120_000, hidden=(32, 32), learning_rate=3e-3, seed=2
    )
    learner = Learner(COALS, settings)
    before = wins(learner)
    entropies = []
    while not learner.done:
        entropies.append(learner.round())
    after = wins(learner)
    learner.close()
    assert entropies[-1] < entropies[0]
    assert after > before + 0.15
    assert after > 0.4


def test_a_seats_decisions_learn_from_that_seats_result():
    w = env_worker([COALS.start(2)], COALS, 6, 1)
    w.following[:] = [2, 3, GAME_ENDED, GAME_ENDED, 5, GOES_ON]
    w.value[:] = [0.1, -0.2, 0.4, -0.4, 0.0, 0.3]
    w.reward[2], w.reward[3] = 1.0, -1.0
    sums = np.zeros(3)
    estimate_advantages(w, 6, 0.5, sums)
    np.testing.assert_allclose(w.advantage, [0.3 + 0.3, -0.2 - 0.3, 0.6, -0.6, 0.3, 0.0], atol=1e-6)
    np.testing.assert_allclose(sums[:2], [5, 0.4], atol=1e-6)


def test_each_decision_is_in_one_minibatch_drawn_at_random():
    w, placed = env_worker([COALS.start(2)], COALS, 10, 1), np.zeros(3, np.int64)
    first = np.zeros(10)
    for _ in range(2000):
        shuffle_minibatches(w, 10, placed)
        assert sorted(w.order) == list(range(10))
        first[w.order[:3]] += 1
    np.testing.assert_allclose(first / 2000, 0.3, atol=0.05)
