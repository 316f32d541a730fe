"""Batches: the same games as by single steps, whatever the threads; autoreset; illegal actions."""

import numpy as np
import pytest

import diablerie
from diablerie import BadOption
from diablerie.envs.batch import IllegalAction
from tests.envs.single import Single

ENOUGH = {"coals": 1500, "tails": 130, "underworld": 1000, "kitchen": 2500}  # steps to an end


@pytest.mark.parametrize("name", ENOUGH)
def test_a_batch_plays_the_games_of_a_loop_over_the_verbs(name):
    game, seats, n = diablerie.GAMES[name], diablerie.GAMES[name].seats[1], 3
    batch = diablerie.batch(name, n, seats=seats, seed=5, threads=2)
    batch.reset()
    singles = [Single(game, seats, 5, i) for i in range(n)]
    ended = 0
    for step in range(ENOUGH[name]):
        for i, single in enumerate(singles):
            legal = single.legal()
            assert batch.states[i].tobytes() == single.s.tobytes()
            assert (batch.seat[i], batch.episode[i]) == (single.seat, single.episode)
            assert batch.actions[i, : batch.count[i]].tolist() == legal
            assert batch.mask[i].nonzero()[0].tolist() == legal
        if step % 9 == 0 or ENOUGH[name] - step < 99:  # observing one by one takes its time
            seen = [batch.layout.observe(x.s, x.seat) for x in singles]
            np.testing.assert_array_equal(batch.observation, np.stack(seen))
        chosen = batch.sample()
        batch.step(chosen)
        for i, single in enumerate(singles):
            who = single.seat
            single.step(chosen[i])
            assert batch.terminated[i] == (single.seat == diablerie.engine.verbs.OVER)
            if batch.terminated[i]:
                ended += 1
                np.testing.assert_allclose(batch.rewards[i], single.returns(), rtol=1e-6)
                last = batch.layout.observe(single.s, who)
                np.testing.assert_array_equal(batch.final_observation[i], last)
                single.begin()
            else:
                assert not batch.rewards[i].any()
    batch.close()
    assert ended


def trace(**chosen):
    """Everything a batch showed in a while."""
    batch = diablerie.batch("tails", 70, seed=9, **chosen)
    batch.reset()
    seen = []
    for _ in range(150):
        batch.step(batch.sample())
        seen.append(
            b"".join(
                x.tobytes()
                for x in (batch.observation, batch.actions, batch.mask, batch.rewards, batch.seat)
            )
        )
    batch.close()
    return seen


def test_threads_change_nothing():
    assert trace() == trace(threads=3)


def test_a_game_does_not_depend_on_its_neighbours():
    few, many = (diablerie.batch("tails", n, seed=4) for n in (3, 200))
    for batch in (few, many):
        batch.reset()
        for _ in range(60):
            batch.step(batch.actions[:, 0])
    np.testing.assert_array_equal(few.observation, many.observation[:3])


@pytest.mark.parametrize("players", [("", "random"), ("sensible", "")])
def test_other_seats_are_played_inside_by_the_games_own_generator(players):
    batch = diablerie.batch("coals", 2, seed=3, players=players)
    batch.reset()
    singles = [Single(diablerie.GAMES["coals"], 2, 3, i, players) for i in range(2)]
    for _ in range(120):
        for i, single in enumerate(singles):
            assert batch.states[i].tobytes() == single.s.tobytes()
            assert batch.seat[i] == single.seat == players.index("")
        chosen = batch.sample()
        batch.step(chosen)
        for i, single in enumerate(singles):
            single.step(chosen[i])
            if batch.terminated[i]:
                single.begin()


def finished(**chosen):
    """A batch of one game of TAILS that ended with the last step, and its observation before."""
    batch = diablerie.batch("tails", 1, seed=2, **chosen)
    batch.reset()
    while not batch.terminated[0]:
        batch.step(batch.sample())
    return batch


def test_next_step_shows_the_end_and_begins_with_the_step_after():
    batch = finished(autoreset="next-step")
    assert (batch.seat[0], batch.count[0], batch.episode[0]) == (-2, 0, 0)
    assert not batch.mask.any()
    assert batch.rewards.any()
    np.testing.assert_array_equal(
        batch.observation[0],
        finished(autoreset="same-step").final_observation[0],
    )
    batch.step([123456])  # ignored
    assert (batch.episode[0], batch.terminated[0], batch.rewards.any()) == (1, False, False)
    assert batch.seat[0] >= 0


def test_disabled_waits_for_a_reset_of_the_chosen_games():
    batch = finished(autoreset="disabled")
    batch.step([0])
    assert batch.terminated[0]
    assert not batch.rewards.any()
    batch.reset(chosen=np.array([False]))
    assert batch.episode[0] == 0
    batch.reset(chosen=np.array([True]))
    assert (batch.episode[0], batch.terminated[0]) == (1, False)


def test_a_seed_begins_again():
    batch = diablerie.batch("tails", 4, seed=8)
    first = batch.reset().copy()
    batch.step(batch.sample())
    assert (batch.reset(seed=8) == first).all()


def test_an_illegal_action_raises_and_nothing_is_carried_out():
    batch = diablerie.batch("tails", 3, seed=1)
    batch.reset()
    before = batch.states.tobytes()
    chosen = batch.sample()
    chosen[1] = batch.game.actions - 1
    with pytest.raises(IllegalAction, match=f"action {chosen[1]} of seat .* in game 1") as caught:
        batch.step(chosen)
    assert (caught.value.index, caught.value.action) == (1, chosen[1])
    assert batch.states.tobytes() == before


@pytest.mark.parametrize("action", [-1, 57, 10**9])
def test_an_illegal_action_may_lose_instead(action):
    batch = diablerie.batch("tails", 2, seats=3, seed=1, illegal="lose", autoreset="disabled")
    batch.reset()
    who, chosen = int(batch.seat[1]), batch.sample()
    chosen[1] = action
    batch.step(chosen)
    assert batch.illegal.tolist() == batch.terminated.tolist() == [False, True]
    assert batch.rewards[1].tolist() == [-1 if seat == who else 0.5 for seat in range(3)]


def test_partners_lose_together():
    batch = diablerie.batch("tails", 1, seats=4, seed=1, illegal="lose")
    batch.reset()
    side = int(batch.seat[0]) % 2
    batch.step([-1])
    assert batch.rewards[0].tolist() == [-0.5 if k % 2 == side else 0.5 for k in range(4)]


def test_the_arrays_stay_the_same_ones():
    batch = diablerie.batch("tails", 2, seed=1)
    kept = batch.reset()
    batch.step(batch.sample())
    assert kept is batch.observation
    for array in (batch.mask, batch.actions, batch.rewards, batch.final_observation):
        assert array.flags.c_contiguous


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"n": 0}, "at least one game"),
        ({"autoreset": "often"}, "'often' is none of next-step, same-step, disabled"),
        ({"mask": "yes"}, "none of int8, none"),
        ({"illegal": "shrug"}, "none of raise, lose"),
        ({"players": ["archdevil"]}, "random and sensible can"),
        ({"players": ["random", "random", ""]}, "2 seats, not 3"),
        ({"encoding": "pixels"}, "none of raw, scaled, one-hot"),
        ({"players": ["random", "random"]}, "for the caller"),
    ],
)
def test_wrong_values_are_refused(chosen, said):
    with pytest.raises(ValueError, match=said):
        diablerie.batch("tails", **{"n": 2, **chosen})


@pytest.mark.parametrize("chosen", [{"n": 2.5}, {"n": True}, {"threads": "2"}, {"seed": "a"}])
def test_sizes_and_seeds_are_whole_numbers(chosen):
    with pytest.raises(TypeError, match=f"{next(iter(chosen))} is one whole number"):
        diablerie.batch("tails", **{"n": 2, **chosen})
    with pytest.raises(TypeError, match="seed is one whole number"):
        diablerie.batch("tails", 2).reset(seed=0.5)


def test_games_options_and_seats_that_there_are_not_are_refused():
    for name, chosen in (("chess", {}), ("tails", {"seats": 9}), ("coals", {"options": {"x": 1}})):
        with pytest.raises(BadOption):
            diablerie.batch(name, 2, **chosen)


@pytest.mark.parametrize(
    ("actions", "error", "said"),
    [
        ([0.7, 0.7], TypeError, "actions are whole numbers, not float64"),
        ([True, False], TypeError, "actions are whole numbers, not bool"),
        ([0, 0, 0], ValueError, r"shape \(2,\), not \(3,\)"),
        (0, ValueError, r"shape \(2,\), not \(\)"),
    ],
)
def test_actions_that_are_no_row_of_whole_numbers_are_refused(actions, error, said):
    batch = diablerie.batch("tails", 2, seed=1)
    batch.reset()
    before = batch.states.tobytes()
    with pytest.raises(error, match=said):
        batch.step(actions)
    assert batch.states.tobytes() == before


def test_a_step_before_the_first_reset_is_refused_and_so_is_a_wrong_choice_of_games():
    batch = diablerie.batch("tails", 2, seed=1)
    with pytest.raises(RuntimeError, match="call reset before step"):
        batch.step([0, 0])
    with pytest.raises(TypeError, match="chosen games are bool"):
        batch.reset(chosen=[0, 1])
    with pytest.raises(ValueError, match=r"\(2,\), not \(3,\)"):
        batch.reset(chosen=[True, True, False])
    assert (batch.seat == -2).all()


@pytest.mark.parametrize("encoding", ["scaled", "one-hot"])
@pytest.mark.parametrize("name", ["coals", "underworld"])
def test_the_other_encodings_are_those_of_the_layout(name, encoding):
    chosen = {"seed": 3, "seats": 3, "threads": 2, "autoreset": "next-step"}
    raw = diablerie.batch(name, 5, **chosen)
    batch = diablerie.batch(name, 5, encoding=encoding, **chosen)
    for one in (raw, batch):
        one.reset()
    for _ in range(60):
        chosen = raw.sample()
        for one in (raw, batch):
            one.step(chosen)
    assert batch.observation.shape == (5, batch.layout.size)
    assert (np.abs(batch.observation) <= 1).all()
    expected = np.empty_like(batch.observation)
    batch.layout.convert(raw.observation, expected)
    np.testing.assert_array_equal(batch.observation, expected)
    assert len(np.unique(batch.observation, axis=0)) > 1


def test_the_last_observation_of_a_game_is_encoded_too():
    ends = [finished(encoding=encoding) for encoding in ("raw", "scaled")]
    expected = np.empty_like(ends[1].final_observation)
    ends[1].layout.convert(ends[0].final_observation, expected)
    assert expected.any()
    np.testing.assert_array_equal(ends[1].final_observation, expected)
