"""Environments, batches and bots: copies and pickles go on alike, here and in other processes."""

import hashlib
import inspect
import multiprocessing
import os
import pickle
import threading
import time
from copy import copy, deepcopy

import numpy as np
import pytest

import diablerie
from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.searcher import SearchBot
from diablerie.engine.numba_internals import global_compiler_lock
from diablerie.engine.rng import seeded
from diablerie.engine.threads import LocalLock, Threads
from tests.envs.needed import needed

needed("gymnasium")
needed("pettingzoo")
import cloudpickle  # noqa: E402
import gymnasium  # noqa: E402

import diablerie.envs.gymnasium  # noqa: E402
from diablerie.envs import pettingzoo  # noqa: E402

WAYS = {
    "copy": copy,
    "deepcopy": deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "cloudpickle": lambda one: pickle.loads(cloudpickle.dumps(one)),
}
# Forks of processes with threads are what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")


def seat_env():
    env = gymnasium.make("diablerie/Coals-v2", seats=3, opponents=["search:n=60", "net"])
    env.reset(seed=4)
    return env


def vector_env():
    envs = gymnasium.make_vec("diablerie/Coals-v2", num_envs=4, opponents="sensible", threads=2)
    envs.reset(seed=4)
    return envs


def zoo_env():
    env = pettingzoo.env("coals", seats=3)
    env.reset(seed=4)
    return env


def parallel_zoo_env():
    env = pettingzoo.parallel_env("coals", seats=3)
    env.reset(seed=4)
    return env


def batch():
    games = diablerie.batch("coals", 5, seed=4, threads=2, players=("", "sensible"))
    games.reset()
    return games


def batch_with_history():
    games = diablerie.batch("coals", 5, seed=4, players=("", "sensible"), history=6)
    games.reset()
    return games


ENVS = {
    one.__name__: one
    for one in (seat_env, vector_env, zoo_env, parallel_zoo_env, batch, batch_with_history)
}


def play_some(one, decisions=6):
    """A digest of what an environment, or a batch, shows while the last legal actions are played."""
    seen = hashlib.sha256()
    for _ in range(decisions):
        for shown in step(one):
            seen.update(np.asarray(shown).tobytes())
    return seen.hexdigest()


def step(one):
    if hasattr(one, "possible_agents"):
        return step_zoo(one)
    if isinstance(one, diablerie.envs.batch.Batch):
        one.step(one.actions[np.arange(one.n), one.count - 1])
        return one.observation, one.history, one.rewards, one.sample()
    masks = one.batch.mask if hasattr(one, "batch") else one.action_masks()[None]
    chosen = [np.flatnonzero(mask)[-1] if mask.any() else 0 for mask in masks]
    observation, reward, over, *_ = one.step(chosen if hasattr(one, "batch") else chosen[0])
    if np.all(over) and not hasattr(one, "batch"):
        one.reset()
    return observation, reward


def step_zoo(one):
    seats = {agent: one.observe(agent) for agent in one.possible_agents}
    chosen = {k: np.flatnonzero(x["action_mask"])[-1:] for k, x in seats.items()}
    if hasattr(one, "agent_selection"):
        agent = one.agent_selection
        one.step(None if one.terminations[agent] else chosen[agent].item())
    else:
        one.step({agent: action.item() for agent, action in chosen.items() if len(action)})
    return [x["observation"] for x in seats.values()]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ENVS)
def test_an_environment_goes_on_in_a_copy_as_it_would_itself(kind, way):
    one = ENVS[kind]()
    play_some(one)
    others = [WAYS[way](one) for _ in range(2)]
    expected = play_some(others[0])
    assert play_some(one) == expected
    assert play_some(others[1]) == expected
    for each in (one, *others):
        each.close()


def go_on(data, answers):
    answers.put(play_some(pickle.loads(data)))


@pytest.mark.parametrize(
    "method", ["fork", "spawn", pytest.param("forkserver", marks=pytest.mark.ci)]
)
def test_an_environment_goes_on_in_another_process_though_threads_have_started(method):
    one, vector = seat_env(), batch()
    play_some(vector)  # its threads have started
    context = multiprocessing.get_context(method)
    for each in (one, vector):
        answers = context.Queue()
        child = context.Process(target=go_on, args=(pickle.dumps(each), answers), daemon=True)
        child.start()
        assert answers.get(timeout=120) == play_some(each)
        child.join()
    vector.close()


def in_a_fork(work):
    """Whether a forked child does this within a minute."""
    child = os.fork()
    if not child:
        work()
        os._exit(0)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


def test_a_forked_child_waits_for_no_thread_that_it_does_not_have():
    lock, threads, games = LocalLock(), Threads(2), batch()
    play_some(games)
    held, let_go = threading.Event(), threading.Event()
    threads.map(abs, [1, 2])

    def hold():
        with lock, global_compiler_lock:
            held.set()
            let_go.wait(0.2)

    def work():
        with lock, global_compiler_lock:
            assert threads.map(abs, [-1, -2]) == [1, 2]
            play_some(games)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    assert in_a_fork(work)
    let_go.set()
    holder.join()
    games.close()


@pytest.mark.parametrize("make", [lambda game: SearchBot(game, n=300), NetworkBot])
@pytest.mark.parametrize("way", WAYS)
def test_a_bot_goes_on_in_a_copy_with_what_it_remembers(make, way):
    game = diablerie.GAMES["coals"]
    match, bot, rng = diablerie.start("coals", seed=2), make(game), seeded(3)
    for _ in range(6):
        seat = match.actor
        match.carry_out(bot.choose(match.seen_by(seat), seat, rng), seat)
    seat, other = match.actor, WAYS[way](bot)
    found = [
        one.think(match.seen_by(seat), seat, seeded(5))
        if isinstance(one, SearchBot)
        else one.policy(match.seen_by(seat), seat)
        for one in (bot, other)
    ]
    assert found[0] == found[1]


OTHERS = {
    "n": {"n": 6},
    "seats": {"seats": 3},
    "options": {"options": {"mouth": 0}},
    "players": {"players": ("", "random")},
    "encoding": {"encoding": "scaled"},
    "autoreset": {"autoreset": "disabled"},
    "illegal": {"illegal": "lose"},
    "mask": {"mask": "none"},
    "inputs": {"inputs": True},
    "history": {"history": 3},
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_batch_refuses_what_was_saved_with_other_settings_and_stays_as_it_is(name):
    games, other = batch(), diablerie.batch("coals", **{"n": 5, "players": ("", "sensible")})
    games.restore(other.save())
    before = games.save()
    other = diablerie.batch("coals", **{"n": 5, "players": ("", "sensible")} | OTHERS[name])
    other.reset()
    with pytest.raises(ValueError, match=f"saved by a batch of another kind: its {name} is"):
        games.restore(other.save())
    assert all((games.save()[k] == x).all() for k, x in before.items())
    games.close()


def test_every_setting_of_a_batch_but_those_that_change_no_game_is_compared():
    asked = set(inspect.signature(diablerie.envs.batch.Batch).parameters)
    assert asked - {"game", "seed", "threads"} == set(OTHERS)


def test_what_a_batch_saves_goes_through_numpys_file_and_back(tmp_path):
    games = batch()
    np.savez(tmp_path / "saved.npz", **games.save())
    expected = play_some(games)
    with np.load(tmp_path / "saved.npz") as saved:
        games.restore(saved)
    assert play_some(games) == expected
    with pytest.raises(ValueError, match="not saved by a batch"):
        games.restore({k: x for k, x in games.save().items() if k != "made"})
    with pytest.raises(ValueError, match="not the arrays"):
        games.restore({k: x for k, x in games.save().items() if k != "seed"})
    with pytest.raises(ValueError, match="its game is 'tails', not 'coals'"):
        games.restore(diablerie.batch("tails", 5).save())
    games.close()


def search_batch(n):
    games = diablerie.batch("tails", n, seed=8, history=3, inputs=True)
    games.reset(seed=8)
    return games


def test_rows_of_what_was_saved_are_forked_and_others_stay():
    games, copies = search_batch(3), search_batch(7)
    for _ in range(9):
        games.step(games.sample())
    for _ in range(4):
        copies.step(copies.sample())
    saved, before = games.save(), copies.save()
    rows = np.array([2, 2, 0, -1, 1, -1, 2])
    copies.restore(saved, rows=rows)
    after = copies.save()
    for name in set(after) - {"seed", "random", "begun", "made"}:
        for i, row in enumerate(rows):
            expected = before[name][i] if row < 0 else saved[name][row]
            assert (after[name][i] == expected).all(), name
    assert after["seed"] == before["seed"]
    # A fork goes on as the game it was copied from would, and forks of one game alike.
    chosen = games.actions[np.arange(3), games.count - 1]
    mine = copies.actions[np.arange(7), copies.count - 1]
    games.step(chosen)
    copies.step(mine)
    for i, row in enumerate(rows):
        if row >= 0:
            assert copies.states[i].tobytes() == games.states[row].tobytes()
            assert (copies.history[i] == games.history[row]).all()
            assert (copies.observation[i] == games.observation[row]).all()


def test_forks_draw_chance_of_their_own_if_they_get_a_seed():
    games, few, more = search_batch(1), search_batch(40), search_batch(40)
    saved = games.save()
    drawn = []
    for copies, seed in ((few, 5), (more, 5), (few, 6)):
        copies.restore(saved, rows=np.zeros(40, int), seed=seed)
        assert len({s.tobytes() for s in copies.states}) == 1
        copies.step(copies.actions[:, 0])
        drawn.append([s.tobytes() for s in copies.states])
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) > 3


def test_rows_that_there_are_not_and_forks_of_other_games_are_refused_and_nothing_changes():
    games, fresh = search_batch(3), diablerie.batch("tails", 2, history=3, inputs=True)
    saved = games.save()
    before = games.save()
    wrong = [
        (games, {"rows": [0, 1, 3]}, ValueError, "rows are 0 to 2, or -1"),
        (games, {"rows": [0, 1, -2]}, ValueError, "rows are 0 to 2, or -1"),
        (games, {"rows": [0, 1]}, ValueError, r"shape \(3,\), not \(2,\)"),
        (games, {"rows": [0, 1, 1.5]}, TypeError, "rows are whole numbers"),
        (games, {"rows": [0, 1, 1], "seed": 0.5}, TypeError, "seed is one whole number"),
        (games, {"seed": 1}, ValueError, "a seed is for copied rows"),
        (fresh, {"rows": [0, -1]}, ValueError, "call reset first"),
    ]
    for batch, given, error, said in wrong:
        with pytest.raises(error, match=said):
            batch.restore(saved, **given)
    for made, said in (({"seats": 3, "inputs": True}, "its seats is 3"), ({}, "inputs is False")):
        other = diablerie.batch("tails", 5, history=3, **made)
        other.reset()
        with pytest.raises(ValueError, match=said):
            games.restore(other.save(), rows=[0, 1, 2])
    with pytest.raises(ValueError, match="no game of what was saved has begun"):
        games.restore(fresh.save(), rows=[0, 1, 1])
    with pytest.raises(ValueError, match="not the arrays"):
        games.restore({**saved, "rngs": saved["rngs"][:2]}, rows=[0, 1, 1])
    assert all((games.save()[k] == x).all() for k, x in before.items())
    assert not fresh.begun


def test_a_copy_has_the_settings_that_the_batch_was_made_with():
    options, players = {"mouth": 0}, ["", "random"]
    games = diablerie.batch("coals", 2, options=options, players=players)
    games.reset(seed=2)
    options["mouth"], players[1] = 3, "sensible"
    other = copy(games)
    assert play_some(other) == play_some(games)


def match():
    return diablerie.start("coals", seed=4)


def spiel_state():
    pyspiel = needed("pyspiel")
    import diablerie.envs.open_spiel  # noqa: F401

    return pyspiel.load_game("diablerie_coals").new_initial_state()


def spiel_game():
    return spiel_state().get_game()


def search_bot():
    return SearchBot(diablerie.GAMES["coals"], n=3)


def net_bot():
    return NetworkBot(diablerie.GAMES["coals"])


PICKLED = (*ENVS.values(), match, spiel_state, spiel_game, search_bot, net_bot)


@pytest.mark.parametrize("make", PICKLED, ids=lambda make: make.__name__)
@pytest.mark.parametrize("what", ["rules", "program"])
def test_pickles_of_other_rules_or_another_diablerie_are_refused_in_a_sentence(
    make, what, monkeypatch
):
    one = make()
    kept = pickle.dumps(one)
    pickle.loads(kept)
    if what == "rules":
        monkeypatch.setitem(vars(diablerie.GAMES["coals"]), "version", 99)
    else:
        monkeypatch.setattr(diablerie, "__version__", "99.0")
    with pytest.raises(ValueError, match=r"this was saved with diablerie .* here is diablerie"):
        pickle.loads(kept)
    if hasattr(one, "close"):
        one.close()


def test_a_saved_batch_of_other_rules_or_another_diablerie_is_refused(monkeypatch):
    games = batch()
    kept = games.save()
    monkeypatch.setattr(diablerie, "__version__", "99.0")
    with pytest.raises(ValueError, match=r"its diablerie is '.*', not '99\.0'"):
        games.restore(kept)
    monkeypatch.undo()
    monkeypatch.setitem(vars(diablerie.GAMES["coals"]), "version", 99)
    with pytest.raises(ValueError, match="its version of the rules is 1, not 99"):
        games.restore(kept)
    games.close()
