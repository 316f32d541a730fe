"""Gymnasium: its checker, the engine's own games, illegal actions, the vector environment."""

import numpy as np
import pytest

import diablerie
from tests.envs.needed import needed
from tests.envs.single import Single

needed("gymnasium")
import gymnasium  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

import diablerie.envs.gymnasium  # noqa: E402


@pytest.mark.parametrize("name", ["coals", "tails", "underworld", "kitchen"])
def test_gymnasiums_own_check_passes(name):
    env = gymnasium.make(f"diablerie/{name.capitalize()}-v0", opponents="random")
    check_env(env.unwrapped, skip_render_check=name != "coals")


def test_the_same_seed_is_the_same_game_as_the_engines():
    env = gymnasium.make("diablerie/Tails-v0", seats=3, seat=1, opponents="sensible")
    _, info = env.reset(seed=7)
    match = diablerie.start("tails", seats=3, seed=7)
    again = env.unwrapped.single.match
    over = False
    while not over:
        _, reward, over, _, info = env.step(np.flatnonzero(info["action_mask"])[0])
    for ply in again.plies[1:]:
        for event in ply.events[:1]:
            match.play(event.text, event.seat)
    assert match.state.tobytes() == again.state.tobytes()
    assert reward == match.returns()[1]


def test_an_action_that_is_not_legal_ends_with_the_lowest_utility_or_raises():
    env = gymnasium.make("diablerie/Tails-v0")
    env.reset(seed=1)
    assert env.step(57)[1:4] == (-1.0, True, False)
    env = gymnasium.make("diablerie/Tails-v0", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(diablerie.Illegal, match=r"T\d"):
        env.step(57)
    assert not env.unwrapped.single.over


def test_it_is_rendered_as_text():
    env = gymnasium.make("diablerie/Coals-v0", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.unwrapped.single.game.ui.sketch(env.unwrapped.single.match.view(0))


def test_masks_and_seats():
    env = gymnasium.make("diablerie/Coals-v0", seats=3, seat=2, opponents=["random", "imp"])
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == env.unwrapped.action_masks().astype(int).tolist()
    assert env.unwrapped.single.match.actor == 2
    with pytest.raises(ValueError, match="a bot for each"):
        gymnasium.make("diablerie/Coals-v0", seats=3, opponents=["random"])


def vector(**chosen):
    return gymnasium.make_vec("diablerie/Tails-v0", num_envs=3, opponents="random", **chosen)


def first_legal(info):
    return info["action_mask"].argmax(1)


def until_an_end(envs):
    _, info = envs.reset(seed=4)
    ended = np.zeros(3, bool)
    while not ended.any():
        seen, rewards, ended, truncated, info = envs.step(first_legal(info))
        assert seen.shape == envs.observation_space.shape
        assert not truncated.any()
    return seen, rewards, ended, info


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_vector_environment_begins_anew_as_its_mode_says(mode):
    envs = vector(autoreset_mode=mode)
    assert envs.metadata["autoreset_mode"] is mode
    seen, rewards, ended, info = until_an_end(envs)
    assert set(rewards[ended]) <= {-1.0, 0.0, 1.0}
    at = int(ended.argmax())
    if mode is AutoresetMode.SAME_STEP:
        assert info["_final_obs"].tolist() == ended.tolist()
        assert (info["final_obs"][at] != seen[at]).any()
        assert info["action_mask"][at].any()
        return
    assert not info["action_mask"][at].any()
    if mode is AutoresetMode.DISABLED:
        _, info = envs.reset(options={"reset_mask": ended})
    else:
        seen, rewards, ended, _, info = envs.step(first_legal(info))
        assert not ended[at]
        assert rewards[at] == 0
    assert info["action_mask"][at].any()
    envs.close()


def test_the_vector_environment_plays_the_games_of_the_verbs():
    envs = vector()
    seen, info = envs.reset(seed=11)
    singles = [Single(diablerie.GAMES["tails"], 2, 11, i, ("", "random")) for i in range(3)]
    for _ in range(20):
        for i, single in enumerate(singles):
            assert np.flatnonzero(info["action_mask"][i]).tolist() == single.legal()
            single.step(single.legal()[0])
        seen, _, _, _, info = envs.step(first_legal(info))
    layout = envs.unwrapped.batch.layout
    np.testing.assert_array_equal(seen, [layout.observe(x.s, 0) for x in singles])


def test_observations_are_copies_unless_asked_otherwise():
    for copy in (True, False):
        envs = vector(copy=copy)
        first, info = envs.reset(seed=1)
        second = envs.step(first_legal(info))[0]
        assert (first is second) is not copy
