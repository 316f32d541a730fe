"""Learning to beat bots that do not change."""

import numpy as np
import pytest

from diablerie.bots.basic import RandomBot, SensibleBot
from diablerie.games import ALL
from diablerie.lab.simulate.columns import win_shares
from diablerie.learning.learner import Learner, LearnerSettings

COALS = ALL["coals"]
QUICK = LearnerSettings(
    seats=(2, 3), options={"goal": "300"}, decisions=6_000, round=2048, wide=16, narrow=16
)


def wins(learner: Learner, games: int = 200) -> float:
    returns = learner.against_rival(2, games, seed=5)
    return float(win_shares(returns, (0, 1))[np.arange(games), np.arange(games) % 2].mean())


def learnt(workers: int = 1, **rival) -> Learner:
    learner = Learner(COALS, QUICK, workers, rival=lambda: SensibleBot(COALS), **rival)
    while not learner.done:
        learner.round()
    learner.close()
    return learner


@pytest.fixture(scope="module")
def quick() -> Learner:
    return learnt()


def test_equal_seeds_give_equal_weights_however_many_workers(quick):
    np.testing.assert_array_equal(learnt(workers=3).flat, quick.flat)


def test_a_learner_that_is_resumed_ends_the_same(quick):
    first = Learner(COALS, QUICK, rival=lambda: SensibleBot(COALS))
    first.round()
    kept = {name: array.copy() for name, array in first.state().items()}
    second = Learner(COALS, QUICK, rival=lambda: SensibleBot(COALS))
    second.restore(kept)
    while not second.done:
        second.round()
    np.testing.assert_array_equal(second.flat, quick.flat)
    for learner in (first, second):
        learner.close()


def test_it_learns_to_beat_a_bot_that_plays_at_random():
    settings = LearnerSettings(
        options={"goal": "300"}, decisions=12_000, round=2048, wide=16, narrow=16, rate=3e-3
    )
    learner = Learner(COALS, settings, rival=lambda: RandomBot(COALS))
    before = wins(learner)
    while not learner.done:
        learner.round()
    assert wins(learner) > max(before, 0.5) + 0.1
    learner.close()


def test_it_begins_with_weights_that_are_given(quick):
    learner = Learner(COALS, QUICK, rival=lambda: SensibleBot(COALS), begin=quick.flat)
    np.testing.assert_array_equal(learner.flat, quick.flat)
    learner.close()


def test_every_seat_of_every_game_has_a_bot_of_its_own_and_the_network_takes_turns():
    asked = []

    class Watched(SensibleBot):
        def __init__(self):
            super().__init__(COALS)
            self.number = len(asked)
            asked.append(set())

        def choose(self, s, seat, rng):
            asked[self.number].add(seat)
            return super().choose(s, seat, rng)

    learner = Learner(COALS, QUICK, rival=Watched)
    learner.round()
    assert all(len(seats) == 1 for seats in asked)
    assert {seat for seats in asked for seat in seats} == {0, 1, 2}
    assert len(asked) > learner.games
    learner.close()
