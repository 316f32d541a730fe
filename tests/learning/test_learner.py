"""Learning by self-play: equal seeds give equal weights, and a small game is learnt."""

import numpy as np
import pytest

from diablerie.learning.improving import share_out
from diablerie.learning.learner import Learner
from diablerie.learning.selfplay import ENDED, OPEN, estimate_gains, shard
from diablerie.learning.settings import LearnerSettings
from tests.learning.trainings import (
    COALS,
    SMALL,
    learnt,
    learnt_after_a_break,
    own_share,
)

QUICK = LearnerSettings(
    seats=(2, 3), options=SMALL, decisions=12_000, round=4096, wide=16, narrow=16
)


@pytest.fixture(scope="module")
def quick() -> Learner:
    return learnt(QUICK)


def test_equal_seeds_give_equal_weights_however_many_workers(quick):
    assert quick.decisions >= 12_000
    np.testing.assert_array_equal(learnt(QUICK, workers=3).flat, quick.flat)


def test_another_seed_gives_other_weights(quick):
    other = learnt(LearnerSettings(**{**settings_dict(QUICK), "seed": 2}))
    assert (other.flat != quick.flat).any()


def settings_dict(settings: LearnerSettings) -> dict[str, object]:
    return {name: getattr(settings, name) for name in settings.__struct_fields__}


def test_a_learner_that_is_resumed_ends_the_same(quick):
    resumed = learnt_after_a_break(QUICK)
    np.testing.assert_array_equal(resumed.flat, quick.flat)
    assert (resumed.decisions, resumed.games) == (quick.decisions, quick.games)


def test_what_belongs_to_another_learner_is_refused(quick):
    kept = quick.state()
    other = Learner(COALS, LearnerSettings(wide=8, narrow=8, round=512))
    with pytest.raises(ValueError, match="flat"):
        other.restore(kept)
    other.close()


def wins(learner: Learner) -> float:
    return own_share(learner.measure(2, 600, seed=5))


def test_a_small_game_is_learnt():
    settings = LearnerSettings(
        options=SMALL, decisions=120_000, wide=32, narrow=32, rate=3e-3, seed=2
    )
    learner = Learner(COALS, settings)
    before = wins(learner)
    reports = []
    while not learner.done:
        reports.append(learner.round())
    after = wins(learner)
    learner.close()
    assert reports[-1].entropy < reports[0].entropy
    assert after > before + 0.15
    assert after > 0.4


def test_a_seats_decisions_learn_from_that_seats_result():
    k = shard([COALS.start(2)], COALS, 6, 1)
    k.following[:] = [2, 3, ENDED, ENDED, 5, OPEN]
    k.value[:] = [0.1, -0.2, 0.4, -0.4, 0.0, 0.3]
    k.reward[2], k.reward[3] = 1.0, -1.0
    sums = np.zeros(3)
    estimate_gains(k, 6, 0.5, sums)
    np.testing.assert_allclose(k.gain, [0.3 + 0.3, -0.2 - 0.3, 0.6, -0.6, 0.3, 0.0], atol=1e-6)
    np.testing.assert_allclose(sums[:2], [5, 0.4], atol=1e-6)


def test_each_decision_is_in_one_batch_drawn_at_random():
    k, placed = shard([COALS.start(2)], COALS, 10, 1), np.zeros(3, np.int64)
    first = np.zeros(10)
    for _ in range(2000):
        share_out(k, 10, placed)
        assert sorted(k.order) == list(range(10))
        first[k.order[:3]] += 1
    np.testing.assert_allclose(first / 2000, 0.3, atol=0.05)
