"""PettingZoo: its own tests, the engine's games, seats that decide together."""

import numpy as np
import pytest

import diablerie
from tests.envs.needed import needed

needed("pettingzoo")
from gymnasium.error import ResetNeeded  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test  # noqa: E402
from pettingzoo.test.render_test import render_test  # noqa: E402

from diablerie.envs import pettingzoo  # noqa: E402

GAMES = {"coals": 4, "tails": 3, "underworld": 2, "kitchen": 2}


# Masked observations are a Dict; PettingZoo lets its own games have one by a list of names.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.parametrize(("name", "seats"), GAMES.items())
def test_one_after_the_other_passes_the_tests_of_pettingzoo(name, seats):
    api_test(pettingzoo.env(name, seats=seats), num_cycles=150)
    seed_test(lambda: pettingzoo.env(name, seats=seats), num_cycles=60)


@pytest.mark.parametrize(("name", "seats"), GAMES.items())
def test_together_passes_the_tests_of_pettingzoo(name, seats):
    parallel_api_test(pettingzoo.parallel_env(name, seats=seats), num_cycles=150)
    parallel_seed_test(lambda: pettingzoo.parallel_env(name, seats=seats), num_cycles=60)


@pytest.mark.parametrize("made", [pettingzoo.env, pettingzoo.parallel_env])
def test_an_argument_that_there_is_not_is_refused_in_a_sentence(made):
    with pytest.raises(diablerie.BadOption, match="There is no “gaol” here"):
        made("coals", gaol=3)


def test_rendering_passes_the_test_of_pettingzoo(capsys):
    render_test(lambda **chosen: pettingzoo.env("tails", **chosen))
    assert capsys.readouterr().out


def test_the_same_seed_is_the_same_game_as_the_engines():
    env, match = pettingzoo.env("coals", seats=3), diablerie.start("coals", seats=3, seed=5)
    env.reset(seed=5)
    rng = np.random.default_rng(1)
    for agent in env.agent_iter(400):
        seen, _, over, _, info = env.last()
        if over:
            env.step(None)
            continue
        legal = np.flatnonzero(seen["action_mask"])
        assert legal.tolist() == match.actions()
        assert env.possible_agents[match.actor] == agent
        assert info == {"illegal": False}, "TorchRL refuses a mask in the observation and the info"
        at = rng.integers(len(legal))
        env.step(legal[at])
        match.play(match.legal()[at])
    inside = env.unwrapped.single.match
    assert inside.state.tobytes() == match.state.tobytes()


def test_every_seat_is_paid_when_it_is_over():
    env = pettingzoo.env("tails", seats=4)
    env.reset(seed=3)
    paid = {}
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        if over:
            paid[agent] = reward
        env.step(None if over else int(seen["action_mask"].argmax()))
    assert list(paid.values()) == env.unwrapped.single.match.returns()


def test_seats_that_decide_together_do_so_in_one_step_and_the_others_do_nothing():
    env = pettingzoo.parallel_env("coals", seats=3)
    seen, _ = env.reset(seed=2)
    idle = env.single.game.actions
    assert [seen[a]["action_mask"][idle] for a in env.agents] == [0, 0, 0]
    seen, *_ = env.step({"seat_0": 3, "seat_1": 4, "seat_2": 5})
    assert env.single.match.state.stake[:3].tolist() == [30, 40, 50]
    deciding = env.single.match.actor
    for seat, agent in enumerate(env.agents):
        assert seen[agent]["action_mask"][idle] == (seat != deciding)


def test_what_a_seat_has_staked_is_hidden_until_all_have():
    env = pettingzoo.env("coals", seats=2)
    views = []
    for stake in (3, 4):
        env.reset(seed=2)
        env.step(stake)
        views.append(env.observe("seat_1")["observation"].tolist())
    assert views[0] == views[1]


def test_an_action_that_is_not_legal_loses_or_raises():
    env = pettingzoo.env("coals", seats=3)
    env.reset(seed=1)
    assert not any(info["illegal"] for info in env.unwrapped.infos.values())
    env.step(161)
    assert [info["illegal"] for info in env.unwrapped.infos.values()] == [True, False, False]
    assert env.unwrapped.rewards == {"seat_0": -1.0, "seat_1": 0.5, "seat_2": 0.5}
    assert all(env.unwrapped.terminations.values())
    env = pettingzoo.env("coals", seats=3, illegal="raise")
    env.reset(seed=1)
    with pytest.raises(diablerie.Illegal):
        env.step(161)


def test_among_seats_that_decide_together_the_one_that_did_what_is_illegal_is_told():
    together = pettingzoo.parallel_env("coals", seats=3)
    together.reset(seed=1)
    *_, infos = together.step({"seat_0": 3, "seat_1": 161, "seat_2": 5})
    assert [info["illegal"] for info in infos.values()] == [False, True, False]


def test_what_is_no_action_or_comes_before_a_reset_is_refused():
    env, together = pettingzoo.env("coals"), pettingzoo.parallel_env("coals")
    with pytest.raises(ResetNeeded, match="call reset first"):
        together.step({"seat_0": 0, "seat_1": 0})
    for one in (env, together):
        one.reset(seed=1)
    with pytest.raises(TypeError, match="one whole number"):
        env.step(1.5)
    before = together.single.match.state.tobytes()
    with pytest.raises(TypeError, match="one whole number"):
        together.step({"seat_0": 0, "seat_1": 1.5})
    with pytest.raises(ValueError, match="seat_1 is to decide, and has no action"):
        together.step({"seat_0": 0})
    assert together.single.match.state.tobytes() == before


def test_observations_may_be_encoded():
    env = pettingzoo.env("coals", encoding="one-hot")
    env.reset(seed=1)
    seen, *_ = env.last()
    assert env.observation_space("seat_0").contains(seen)
    assert set(seen["observation"][:6]) == {0, 1}
    assert (np.abs(seen["observation"]) <= 1).all()
