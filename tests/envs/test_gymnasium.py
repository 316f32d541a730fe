"""Gymnasium: its checker, the engine's own games, illegal actions, the vector environment."""

from functools import partial

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
    env = gymnasium.make(f"diablerie/{name.capitalize()}-v2", opponents="random")
    check_env(env.unwrapped, skip_render_check=name != "coals")


def test_the_same_seed_is_the_same_game_as_the_engines():
    env = gymnasium.make("diablerie/Tails-v2", seats=3, seat=1, opponents="sensible")
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
    env = gymnasium.make("diablerie/Tails-v2")
    assert not env.reset(seed=1)[1]["illegal"]
    *_, reward, over, cut, info = env.step(57)
    assert (reward, over, cut, info["illegal"]) == (-1.0, True, False, True)
    env = gymnasium.make("diablerie/Tails-v2", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(diablerie.Illegal, match=r"T\d"):
        env.step(57)
    assert not env.unwrapped.single.over


def test_it_is_rendered_as_text():
    env = gymnasium.make("diablerie/Coals-v2", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.unwrapped.single.game.ui.sketch(env.unwrapped.single.match.view(0))


def test_masks_and_seats():
    env = gymnasium.make("diablerie/Coals-v2", seats=3, seat=2, opponents=["random", "imp"])
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == env.unwrapped.action_masks().astype(int).tolist()
    assert env.unwrapped.single.match.actor == 2
    for mask in (info["action_mask"], env.unwrapped.action_masks()):
        assert env.action_space.contains(env.action_space.sample(mask))
    with pytest.raises(ValueError, match="a bot for each of the 2 other seats, not 1"):
        gymnasium.make("diablerie/Coals-v2", seats=3, opponents=["random"])
    with pytest.raises(ValueError, match="there is no seat 3 of 3"):
        gymnasium.make("diablerie/Coals-v2", seats=3, seat=3)


def vector(**chosen):
    return gymnasium.make_vec("diablerie/Tails-v2", num_envs=3, opponents="random", **chosen)


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
        assert info["_final_info"].tolist() == ended.tolist()
        assert not info["final_info"]["action_mask"][at].any()
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


def played_vector(mode, first, steps=150):
    """What resets and steps show: `first` are the arguments of the first reset."""
    envs = vector(autoreset_mode=mode)
    seen = [envs.reset(**first), envs.reset()]
    info = seen[-1][1]
    for _ in range(steps):
        seen.append(envs.step(first_legal(info)))
        over, info = seen[-1][2], seen[-1][-1]
        if mode is AutoresetMode.DISABLED and over.any():
            seen.append(envs.reset(options={"reset_mask": over}))
            info = seen[-1][1]
    assert envs.batch.episode.max() > 1
    return [np.asarray(x).tobytes() for one in seen for x in (*one[:-1], one[-1]["action_mask"])]


@pytest.mark.parametrize("mode", AutoresetMode)
def test_what_a_vector_environment_plays_after_a_seed_is_the_same_every_time(mode):
    assert played_vector(mode, {"seed": 3}) == played_vector(mode, {"seed": 3})
    assert played_vector(mode, {"seed": 3}) != played_vector(mode, {"seed": 4})
    assert played_vector(mode, {}) != played_vector(mode, {}), "a fresh seed each time"


def test_a_masked_reset_goes_on_with_the_chance_of_the_seed_and_leaves_other_games_alone():
    envs = vector(autoreset_mode=AutoresetMode.DISABLED)
    seen, _ = envs.reset(seed=3)
    again, _ = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert envs.batch.episode.tolist() == [0, 1, 0]
    assert (again[[0, 2]] == seen[[0, 2]]).all()
    game = Single(diablerie.GAMES["tails"], 2, 3, 1, ("", "random"))
    game.begin()
    assert (again[1] == envs.batch.layout.observe(game.s, 0)).all()
    with pytest.raises(ValueError, match="a seed is for all games"):
        envs.reset(seed=5, options={"reset_mask": np.array([False, True, False])})
    assert envs.batch.episode.tolist() == [0, 1, 0]


def test_a_single_environment_goes_on_with_the_chance_of_the_seed():
    def played():
        env = gymnasium.make("diablerie/Tails-v2", seats=3, opponents="random")
        env.reset(seed=np.int64(3))
        return [env.reset()[0].tobytes() for _ in range(3)]

    assert played() == played()
    assert len(set(played())) == 3


def test_gymnasiums_generator_has_the_seed_of_the_last_reset():
    for env in (gymnasium.make("diablerie/Tails-v2"), vector()):
        env.reset(seed=np.int64(3))
        assert env.np_random_seed == 3


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


@pytest.mark.parametrize("mode", AutoresetMode)
def test_an_illegal_action_is_told_where_gymnasium_tells_of_the_end(mode):
    """The same as of `SyncVectorEnv` around single environments, which has the three modes, too."""
    told = []
    for kind in ("vector_entry_point", "sync"):
        more = {"vector_kwargs": {"autoreset_mode": mode}} if kind == "sync" else {}
        chosen = {"opponents": "random"} if kind == "sync" else {"autoreset_mode": mode}
        envs = gymnasium.make_vec(
            "diablerie/Tails-v2",
            num_envs=3,
            vectorization_mode=kind,
            **more,
            **({"opponents": "random"} | chosen),
        )
        _, info = envs.reset(seed=4)
        chosen = first_legal(info)
        chosen[1] = 57
        *_, ended, _, info = envs.step(chosen)
        final = info.get("final_info", {"illegal": [None] * 3})
        told.append((ended.tolist(), info["illegal"].tolist(), list(final["illegal"])[1]))
        masks = info["action_mask"]
        assert masks.dtype == np.int8
        for space, mask in zip([envs.single_action_space] * 3, masks, strict=True):
            space.sample(mask)
        envs.close()
    assert told[0] == told[1]
    assert told[0][0] == [False, True, False]


def test_the_vector_environment_has_the_opponents_of_the_single_one_or_says_where_they_play():
    envs = gymnasium.make_vec(
        "diablerie/Coals-v2", num_envs=2, seats=3, opponents=["sensible", "random"]
    )
    envs.close()
    for wrong in ("imp", ["random"]):
        with pytest.raises(ValueError, match='other bots play with vectorization_mode="sync"'):
            gymnasium.make_vec("diablerie/Coals-v2", num_envs=2, seats=3, opponents=wrong)
    with pytest.raises(ValueError, match="render_mode is None"):
        vector(render_mode="human")
    envs = gymnasium.make_vec(
        "diablerie/Tails-v2", num_envs=2, vectorization_mode="sync", opponents="imp"
    )
    _, info = envs.reset(seed=1)
    assert envs.step(first_legal(info))[2].shape == (2,)
    envs.close()


def test_a_vector_environment_that_is_refused_has_nothing_to_close():
    """Gymnasium 1.2, which RLlib pins, closes each that it forgets."""
    kind = diablerie.envs.gymnasium.VectorGames
    refused = kind.__new__(kind)
    with pytest.raises(ValueError, match="other bots play"):
        refused.__init__("coals", opponents="imp")
    refused.close()


def test_what_is_no_action_or_comes_before_a_reset_is_refused():
    env = gymnasium.make("diablerie/Tails-v2").unwrapped
    for early in (lambda: env.step(0), env.render):
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset first"):
            early()
    env.reset(seed=1)
    for wrong in (0.7, [0, 1], True, "0"):
        with pytest.raises(TypeError, match="an action is one whole number"):
            env.step(wrong)
    envs = vector()
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset before step"):
        envs.step(np.zeros(3, int))
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="chooses no game"):
        envs.reset(options={"reset_mask": np.zeros(3, bool)})
    with pytest.raises(TypeError, match="whole numbers, not float64"):
        envs.step(np.zeros(3))


@pytest.mark.parametrize("encoding", ["scaled", "one-hot"])
def test_observations_may_be_encoded_and_the_check_passes_then_too(encoding):
    env = gymnasium.make("diablerie/Coals-v2", opponents="random", encoding=encoding)
    check_env(env.unwrapped, skip_render_check=True)
    assert (env.observation_space.low >= -1).all()
    assert (env.observation_space.high <= 1).all()
    envs = vector(encoding=encoding)
    seen, _ = envs.reset(seed=1)
    assert envs.observation_space.contains(seen)


@pytest.mark.parametrize("context", ["spawn", "forkserver"])
def test_workers_that_are_not_forked_know_the_id_with_its_module(context):
    made = [partial(gymnasium.make, "diablerie.envs.gymnasium:diablerie/Coals-v2")] * 2
    envs = gymnasium.vector.AsyncVectorEnv(made, context=context)
    try:
        observations, info = envs.reset(seed=1)
        assert len(observations) == 2
        assert info["action_mask"].any(1).all()
    finally:
        envs.close()
