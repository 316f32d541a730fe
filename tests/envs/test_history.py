"""`history=`: the last events that a seat may know, in batches and in environments."""

from copy import deepcopy
from itertools import product

import numpy as np
import pytest

import diablerie
from diablerie.engine import verbs
from diablerie.engine.queries import chance_outcomes, legal_actions, redacted, sees
from diablerie.engine.rng import below, seeded
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.envs.history import COLUMNS, HistoryLayout, SeenEvents
from diablerie.games import ALL
from tests.envs.needed import needed

LENGTH = 8


class Told:
    """What every seat has noted, by lists and the questions of `engine.queries` alone."""

    def __init__(self, game, seats):
        self.game = game
        self.seats = seats
        self.noted = [[] for _ in range(seats)]

    def note(self, s, who, what):
        if who == CHANCE and s.node in self.game.skipped:
            return
        for seat, noted in enumerate(self.noted):
            if sees(s, who, seat) or who != CHANCE:
                noted.append([who, int(s.node), what, sees(s, who, seat)])
        if who != CHANCE and s.node in self.game.opened and bin(verbs.pending(s)).count("1") == 1:
            for noted in self.noted:
                at = len(noted)
                while at and noted[at - 1][0] >= 0 and noted[at - 1][1] == s.node:
                    at -= 1
                    noted[at][3] = True

    def rows(self, seat, length):
        told = []
        for who, node, what, known in self.noted[seat][::-1][:length]:
            turned = self.seats if who == CHANCE else (who - seat) % self.seats
            told.append([turned, node, what if known else -1])
        return told + [[-1, -1, -1]] * (length - len(told))


def possible(game, s):
    """All that may happen next."""
    who = verbs.actor(s)
    return chance_outcomes(game, s)[0] if who == CHANCE else legal_actions(game, s, who)


def random_event(game, s, rng):
    """Who acts next, and what they do, at random."""
    found = possible(game, s)
    return verbs.actor(s), int(found[below(rng, len(found))])


@pytest.mark.parametrize("name", ["coals", "tails", "underworld", "kitchen"])
def test_a_history_is_what_the_seat_saw_the_newest_first(name):
    game = ALL[name]
    seats = game.seats[1]
    secrets = 0
    for number in range(3):
        rng = seeded(number)
        s = game.start(seats)
        told, seen = Told(game, seats), SeenEvents(game, s, HistoryLayout.of(game, seats, LENGTH))
        for _ in range(400):
            if verbs.actor(s) == OVER:
                break
            who, what = random_event(game, s, rng)
            secrets += not all(sees(s, who, seat) for seat in range(seats))
            told.note(s, who, what)
            seen.play(who, what)
            verbs.apply(s, who, what)
            for seat in range(seats):
                assert seen.of(seat).tolist() == told.rows(seat, LENGTH)
        assert seen.state.tobytes() == s.tobytes()
    assert (secrets == 0) == game.perfect_information


def unseen(game, s, who, viewer):
    """Whether what happens here leaves the viewer none the wiser."""
    opens = s.node in game.opened and bin(verbs.pending(s)).count("1") == 1
    return not sees(s, who, viewer) and not opens


def follow(twins, viewer, game, events):
    """Play the same events in both twins, as long as the viewer cannot tell them apart."""
    compared = 0
    for who, what in events:
        if verbs.actor(twins[1].state) != who or what not in possible(game, twins[1].state):
            break
        same = redacted(twins[0].state, viewer).data == redacted(twins[1].state, viewer).data
        if not same:
            break
        assert (twins[0].of(viewer) == twins[1].of(viewer)).all()
        compared += 1
        for one in twins:
            one.play(who, what)
    return compared


@pytest.mark.parametrize("name", sorted(ALL))
def test_states_that_a_seat_cannot_tell_apart_have_one_history(name):
    game = ALL[name]
    twins = compared = 0
    for seats in (game.seats[0], game.seats[-1]):
        rng = seeded(seats)
        s = game.start(seats)
        seen = SeenEvents(game, s, HistoryLayout.of(game, seats, LENGTH))
        places, events = [], []
        while verbs.actor(s) != OVER and len(events) < 200:
            event = random_event(game, s, rng)
            places.append((deepcopy(seen), event))
            events.append(event)
            seen.play(*event)
            verbs.apply(s, *event)
        for at, (before, (who, what)) in enumerate(places):
            blind = [k for k in range(seats) if unseen(game, before.state, who, k)]
            others = [x for x in possible(game, before.state) if x != what][:2]
            for viewer, other in product(blind, others):
                pair = deepcopy(before), deepcopy(before)
                pair[0].play(who, what)
                pair[1].play(who, other)
                twins += 1
                compared += follow(pair, viewer, game, events[at + 1 : at + 12])
    assert (twins > 0) == (not game.perfect_information)
    assert compared >= twins / 2


def test_stakes_are_in_it_when_all_have_staked_and_not_before():
    game = ALL["coals"]
    s = game.start(3)
    seen = SeenEvents(game, s, HistoryLayout.of(game, 3, LENGTH))
    while s.node != game.node.BET:
        event = random_event(game, s, seeded(1))
        seen.play(*event)
        verbs.apply(s, *event)
    bet = int(s.node)
    stakes = []
    while s.node == bet:
        who = verbs.actor(s)
        stakes.append((who, legal_actions(game, s, who)[1 + who]))
        seen.play(*stakes[-1])
        verbs.apply(s, *stakes[-1])
        known = [what for _, node, what in seen.of(0).tolist() if node == bet]
        expected = [what if s.node != bet or who == 0 else -1 for who, what in stakes]
        assert known == expected[::-1]
    assert len(stakes) == 3


@pytest.mark.parametrize("name", ["coals", "underworld"])
@pytest.mark.parametrize("mode", ["same-step", "next-step"])
def test_a_batch_tells_what_each_observer_saw_whatever_the_threads_and_players(name, mode):
    chosen = {"seats": 3, "seed": 2, "autoreset": mode, "players": ("", "sensible")}
    plain = diablerie.batch(name, 6, **chosen)
    batches = [diablerie.batch(name, 6, history=LENGTH, threads=k, **chosen) for k in (1, 2)]
    for games in (plain, *batches):
        games.reset()
    ended = 0
    for _ in range(900):
        played = plain.sample()
        for games in (plain, *batches):
            games.step(played)
            assert games.states.tobytes() == plain.states.tobytes()
        one, other = batches
        assert one.history.tobytes() == other.history.tobytes()
        assert one.final_history.tobytes() == other.final_history.tobytes()
        mine = one.history[np.arange(6), (one.history[:, :, 0] == 0).argmax(1)]
        running = (plain.episode == one.episode) & ~one.terminated & (one.seat == one.observer)
        told = (mine[:, 0] == 0) & running
        # The last own decision stands there as it was taken, unless the game has just begun.
        if mode == "next-step":
            assert (mine[:, 2] >= 0)[told].all()
        if mode == "same-step" and one.terminated.any():
            ended += 1
            assert (one.final_history[one.terminated][:, 0, 0] >= 0).all()
    assert ended or mode == "next-step"
    for games in (plain, *batches):
        games.close()


def test_a_batch_tells_the_same_as_the_events_one_by_one():
    game = ALL["coals"]
    games = diablerie.batch("coals", 4, seats=2, seed=3, history=LENGTH, autoreset="disabled")
    games.reset()
    kept = [SeenEvents(game, game.start(2), games.remembered) for _ in range(4)]
    for _ in range(40):
        for i, seen in enumerate(kept):
            catch_up(game, seen, games.states[i].tobytes())
            assert (games.history[i] == seen.of(int(games.observer[i]))).all()
        chosen = games.sample()
        for i, seen in enumerate(kept):
            if games.seat[i] >= 0:
                seen.play(int(games.seat[i]), int(chosen[i]))
        games.step(chosen)


def catch_up(game, seen, data):
    """Play what chance must have brought until the position has these bytes."""
    if seen.state.tobytes() == data:
        return
    assert verbs.actor(seen.state) == CHANCE
    for outcome in chance_outcomes(game, seen.state)[0]:
        tried = deepcopy(seen)
        tried.play(CHANCE, outcome)
        if tried.state.tobytes() == data:
            seen.play(CHANCE, outcome)
            return
    raise AssertionError("no single outcome leads there")


def test_without_it_nothing_is_kept_and_a_wrong_length_is_refused():
    games = diablerie.batch("tails", 3)
    games.reset()
    assert games.history.shape == (3, 0, len(COLUMNS))
    with pytest.raises(ValueError, match="0 events or more, not -1"):
        diablerie.batch("tails", 3, history=-1)
    with pytest.raises(TypeError, match="history is one whole number"):
        diablerie.batch("tails", 3, history=2.5)


def test_a_new_episode_remembers_nothing_of_the_last():
    games = diablerie.batch("tails", 2, seed=1, history=LENGTH)
    games.reset()
    for _ in range(5):
        games.step(games.sample())
    assert (games.history[:, 4:, 0] >= 0).any()
    games.reset()
    assert (games.history[:, 2:] == -1).all()


# -- environments ----------------------------------------------------------------------------------


def test_gymnasium_shows_it_beside_the_observation_and_its_check_passes():
    needed("gymnasium")
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    import diablerie.envs.gymnasium  # noqa: F401

    env = gymnasium.make("diablerie/Coals-v2", seats=3, opponents="random", history=LENGTH)
    check_env(env.unwrapped, skip_render_check=True)
    seen, info = env.reset(seed=4)
    for _ in range(30):
        assert env.observation_space.contains(seen)
        seen, _, over, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
        single = env.unwrapped.single
        assert (seen["history"] == single.history(0)).all()
        if over:
            break
    assert single._events.state.tobytes() == single.match.state.tobytes()
    assert (seen["history"][:, 0] >= 0).all()
    plain, _ = gymnasium.make("diablerie/Coals-v2", seats=3, opponents="random").reset(seed=4)
    again, _ = env.reset(seed=4)
    assert (again["observation"] == plain).all()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_vectors_of_gymnasium_show_it_too_and_that_of_the_game_before(mode):
    needed("gymnasium")
    import gymnasium
    from gymnasium.vector import AutoresetMode

    import diablerie.envs.gymnasium  # noqa: F401

    made = {"history": LENGTH, "autoreset_mode": AutoresetMode(mode), "opponents": "random"}
    envs = gymnasium.make_vec("diablerie/Tails-v2", num_envs=3, **made)
    seen, info = envs.reset(seed=1)
    ended = False
    for _ in range(90):
        assert envs.observation_space.contains(seen)
        before = seen["history"].copy()
        seen, _, over, _, info = envs.step(info["action_mask"].argmax(1))
        assert (seen["history"] == envs.batch.history).all()
        if over.any() and mode == "SameStep":
            ended = True
            last = info["final_obs"]["history"][over]
            assert (last[:, 1:, 0] >= 0).all()
            assert (seen["history"][over] != before[over]).any()
    assert ended or mode == "NextStep"
    envs.close()


@pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
def test_pettingzoo_shows_every_agent_its_own_and_its_tests_pass():
    needed("pettingzoo")
    from pettingzoo.test import api_test, parallel_api_test

    from diablerie.envs import pettingzoo

    api_test(pettingzoo.env("coals", seats=3, history=LENGTH), num_cycles=60)
    parallel_api_test(pettingzoo.parallel_env("coals", seats=3, history=LENGTH), num_cycles=60)
    env = pettingzoo.env("coals", seats=3, history=LENGTH)
    env.reset(seed=3)
    env.step(int(np.flatnonzero(env.observe("seat_0")["action_mask"])[2]))
    rows = [env.observe(agent)["history"][0].tolist() for agent in env.possible_agents]
    assert [row[0] for row in rows] == [0, 2, 1], "seats count from the reader's"
    assert rows[0][2] >= 0
    assert rows[1][2] == rows[2][2] == -1, "nobody else has seen the stake"
