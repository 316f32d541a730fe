"""`inputs=True`: what the built-in learner reads, in batches and environments."""

import numpy as np
import pytest

import diablerie
from diablerie.bots.network_bot import NetworkBot
from diablerie.engine.record import from_bytes
from diablerie.learning.inputs import inputs_of
from diablerie.learning.rollout import forward_state
from tests.envs.needed import needed

needed("gymnasium")
needed("pettingzoo")
import gymnasium  # noqa: E402

import diablerie.envs.gymnasium  # noqa: E402
from diablerie.envs import pettingzoo  # noqa: E402


def read_by_the_network(game, s, seat):
    """Position, kinds and marks as the network of the bot `net` reads them."""
    _, w, _ = (bot := NetworkBot(game)).arrays
    n = forward_state(*bot.arrays, s.array.view(np.recarray), seat)
    position = np.zeros(inputs_of(game).one_hots, np.float32)
    position[w.ones[0, : w.active[0]]] = 1
    return np.concatenate([position, w.numbers[0]]), w.kinds[:n].copy(), w.marks[:n].copy()


@pytest.mark.parametrize("name", ["coals", "tails"])
def test_a_batch_writes_what_the_network_reads_whatever_the_threads(name):
    game = diablerie.GAMES[name]
    batches = [diablerie.batch(name, 5, seed=3, inputs=True, threads=k) for k in (1, 2)]
    for games in batches:
        games.reset()
        for _ in range(12):
            games.step(games.sample())
    one, other = (games.inputs for games in batches)
    np.testing.assert_array_equal(one.position, other.position)
    for i in range(5):
        s = from_bytes(game.state, batches[0].states[i].tobytes())
        position, kinds, marks = read_by_the_network(game, s, int(batches[0].seat[i]))
        n = batches[0].count[i]
        np.testing.assert_array_equal(one.position[i], position)
        np.testing.assert_array_equal(one.kinds[i, :n], kinds)
        np.testing.assert_array_equal(one.marks[i, :n], marks)
    for games in batches:
        games.close()


def test_environments_show_the_same_inputs_as_the_position_has():
    env = gymnasium.make("diablerie/Coals-v2", inputs=True)
    seen, info = env.reset(seed=6)
    assert env.observation_space.contains(seen)
    match = env.unwrapped.single.match
    position, kinds, marks = read_by_the_network(diablerie.GAMES["coals"], match.state, 0)
    np.testing.assert_array_equal(seen, position)
    np.testing.assert_array_equal(info["kinds"], kinds)
    np.testing.assert_array_equal(info["marks"], marks)
    zoo = pettingzoo.env("coals", inputs=True)
    zoo.reset(seed=6)
    agent = zoo.agent_selection
    assert zoo.observation_space(agent).contains(zoo.observe(agent))
    assert len(zoo.infos[agent]["kinds"]) == zoo.observe(agent)["action_mask"].sum()
    for seen in map(zoo.observe, zoo.agents):  # zeros where a seat is not to decide
        assert seen["observation"].any() == seen["action_mask"].any()
    envs = gymnasium.make_vec("diablerie/Coals-v2", num_envs=3, inputs=True)
    seen, info = envs.reset(seed=6)
    assert envs.observation_space.contains(seen)
    assert info["marks"].shape[:2] == info["kinds"].shape == info["action_mask"].shape
    envs.step(info["action_mask"].argmax(1))
    envs.close()
