"""Learning to beat bots that do not change."""

from collections import Counter

import msgspec
import numpy as np
import pytest

from diablerie.bots.basic import RandomBot, SensibleBot
from diablerie.bots.network_bot import NetworkBot
from diablerie.learning.actors import Population
from diablerie.learning.learner import Learner
from diablerie.learning.rollout import (
    FIRST_TABLE,
    LEARNER_SEAT,
    OPPOSED_GAMES,
    begin_game,
    env_worker,
)
from diablerie.learning.settings import ENV_WORKERS, TrainingSettings
from tests.learning.trainings import (
    COALS,
    SMALL,
    learn_all,
    learnt,
    learnt_after_a_break,
    own_share,
)

QUICK = TrainingSettings(
    seats=(2, 3), options=SMALL, decisions=4_000, rollout=2048, hidden=(16, 16)
)


def sensible() -> SensibleBot:
    return SensibleBot(COALS)


def wins(learner: Learner) -> float:
    return own_share(learner.evaluate(2, 200, seed=5))


@pytest.fixture(scope="module")
def quick() -> Learner:
    return learnt(QUICK, opponents=[sensible])


def test_equal_seeds_give_equal_weights_however_many_threads(quick):
    np.testing.assert_array_equal(learnt(QUICK, threads=3, opponents=[sensible]).flat, quick.flat)


def test_a_learner_that_is_resumed_ends_the_same(quick):
    np.testing.assert_array_equal(
        learnt_after_a_break(QUICK, opponents=[sensible]).flat, quick.flat
    )


def test_it_learns_to_beat_a_bot_that_plays_at_random():
    settings = TrainingSettings(
        options=SMALL, decisions=12_000, rollout=2048, hidden=(16, 16), learning_rate=3e-3
    )
    learner = Learner(COALS, settings, opponents=[lambda: RandomBot(COALS)])
    before = wins(learner)
    learn_all(learner)
    assert wins(learner) > max(before, 0.5) + 0.1
    learner.close()


def test_it_begins_with_weights_that_are_given(quick):
    learner = Learner(COALS, QUICK, opponents=[sensible], begin=quick.flat)
    np.testing.assert_array_equal(learner.flat, quick.flat)
    learner.close()


def test_every_seat_of_every_game_has_a_bot_of_its_own_and_the_network_takes_turns():
    asked = []

    class Watched(SensibleBot):
        def __init__(self):
            super().__init__(COALS)
            self.seats = set()
            asked.append(self.seats)

        def choose(self, s, seat, rng):
            self.seats.add(seat)
            return super().choose(s, seat, rng)

    learner = Learner(COALS, QUICK, opponents=[Watched])
    assert asked == [set()] * ENV_WORKERS, "made to find out whether it only plays by a policy"
    asked.clear()
    learner.round()
    assert all(len(seats) == 1 for seats in asked)
    assert {seat for seats in asked for seat in seats} == {0, 1, 2}
    assert len(asked) > learner.games
    learner.close()


def decisions_a_game(**changes) -> float:
    learner = learnt(msgspec.structs.replace(QUICK, seats=(2,), **changes))
    return learner.decisions / learner.games


def test_advice_that_compiled_code_plays_leaves_one_seat_to_the_network():
    alone, half, own = (
        decisions_a_game(against=("sensible",), share=(share,)) for share in (1.0, 0.5, 0.0)
    )
    assert own == decisions_a_game()
    assert alone < 0.7 * own
    assert alone < half < own


def seats_asked(weights: tuple[float, ...], members: list[str]) -> Counter[str]:
    """How often each of some bots decided in four rounds."""
    asked = Counter[str]()

    def maker(name: str):
        class Counted(SensibleBot):
            def choose(self, s, seat, rng):
                asked[name] += 1
                return super().choose(s, seat, rng)

        return lambda: Counted(COALS)

    settings = msgspec.structs.replace(QUICK, decisions=8_192, weights=weights)
    learnt(settings, opponents=[maker(name) for name in members])
    return asked


def test_bots_of_a_population_play_as_often_as_their_weights_say():
    asked = seats_asked((3.0, 0.0, 1.0), ["often", "never", "seldom"])
    assert asked["never"] == 0
    assert asked["often"] > asked["seldom"] > 0


POPULATION = msgspec.structs.replace(
    QUICK, decisions=12_000, against=("self", "sensible"), weights=(3.0, 1.0), snapshot_every=2
)


def test_a_population_with_past_selves_goes_on_after_a_break_to_the_same_weights():
    whole = learnt(POPULATION)
    assert len(whole.population.past) == 3, "of six rounds every other"
    np.testing.assert_array_equal(learnt(POPULATION, threads=3).flat, whole.flat)
    np.testing.assert_array_equal(learnt_after_a_break(POPULATION).flat, whole.flat)


def test_past_selves_play_as_the_network_did_when_they_were_kept():
    """A network that only plays itself as it was at the beginning, which is given as a bot too."""
    only = msgspec.structs.replace(POPULATION, against=("self",), weights=(), snapshot_every=100)
    learner = learnt(only)
    (first,) = learner.population.past
    np.testing.assert_array_equal(first, Learner(COALS, only).flat)
    assert (learner.flat != first).any()
    assert learner.games > 0


def test_only_what_does_not_change_measures_a_network():
    fixed = Population(("self", "sensible", "imp"), (1.0, 2.0, 0.0)).fixed()
    assert fixed.members == ("sensible",)
    assert not fixed.varies
    learner = Learner(COALS, POPULATION)
    alone = Learner(COALS, msgspec.structs.replace(POPULATION, against=("sensible",), weights=()))
    np.testing.assert_array_equal(learner.evaluate(2, 32, 1), alone.evaluate(2, 32, 1))
    for one in (learner, alone):
        one.close()


def test_bots_play_a_share_of_the_games():
    settings = msgspec.structs.replace(QUICK, seats=(2,), share=(0.5,))
    assert 0.3 < sum(games_with_bots(settings).values()) < 0.7


def games_with_bots(settings: TrainingSettings) -> Counter[int]:
    """The games with bots in a round, by size of table, as shares of the games that ended."""
    learner, counted = Learner(COALS, settings, opponents=[sensible]), Counter[int]()
    learner.round()
    learner.close()
    for i in range(ENV_WORKERS):
        kept = learner.state()[f"learner{i}"].tolist()
        assert sum(kept[FIRST_TABLE:]) == kept[OPPOSED_GAMES]
        tables = np.roll(settings.seats, -(i % len(settings.seats))).tolist()
        for seats, games in zip(tables, kept[FIRST_TABLE:], strict=True):
            counted[seats] += games / learner.games
    return counted


def test_bots_play_another_share_of_the_games_at_each_size_of_table():
    settings = msgspec.structs.replace(QUICK, seats=(2, 3, 4), share=(0.0, 1.0, 0.5))
    counted = games_with_bots(settings)
    assert counted[2] == 0
    assert 0.25 < counted[3] < 0.45
    assert 0.05 < counted[4] < 0.28


def test_the_network_has_each_seat_equally_often_whatever_the_other_tables_do():
    w = env_worker([COALS.start(seats) for seats in (2, 3, 4)], COALS, 1, seed=1)
    w.share[:] = 0.0, 0.0, 1.0
    seats = Counter[int]()
    for _ in range(120):
        begin_game(w)
        seats[int(w.learner[LEARNER_SEAT])] += 1
    assert seats == {-1: 80, 0: 10, 1: 10, 2: 10, 3: 10}


@pytest.mark.parametrize("temperature", [0.0, 0.5])
def test_a_policy_that_compiled_code_plays_decides_as_if_the_bot_were_asked(temperature):
    class Asked:
        def __init__(self):
            self.bot = NetworkBot(COALS, temperature=temperature)

        def choose(self, s, seat, rng):
            return self.bot.choose(s, seat, rng)

    once = msgspec.structs.replace(QUICK, decisions=2048)  # one round
    compiled = learnt(once, opponents=[lambda: NetworkBot(COALS, temperature=temperature)])
    np.testing.assert_array_equal(compiled.flat, learnt(once, opponents=[Asked]).flat)


def test_a_policy_with_rollouts_is_asked():
    assert NetworkBot(COALS).frozen() is not None
    assert NetworkBot(COALS, n=8).frozen() is None
    assert NetworkBot(COALS, cpu=1).frozen() is None
