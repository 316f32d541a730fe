"""A position is a game: small ones are walked through whole, and solved."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.playout import buffers
from diablerie.engine.rng import below, seeded
from diablerie.envs.spiel_notes import RECALL
from diablerie.games import ALL
from diablerie.games.coals.rules.settling import space_of
from diablerie.games.coals.rules.state import PULL, Node
from diablerie.testing.positions import GameSetting, states_of_game
from tests.envs.needed import needed
from tests.settings import choices

pyspiel = needed("pyspiel")
game_from_state = needed("diablerie.envs.open_spiel").game_from_state

DOC = (Path(__file__).parents[2] / "docs" / "research.md").read_text("utf-8")
FURNACE = "0,0,0,0,0,2,1"


def last_round(chips=(10, 20)):
    """COALS before the bets of its last round (C24), with three pieces in the furnace."""
    game = ALL["coals"]
    s = game.start(len(chips), {"furnace": FURNACE})
    s.node, s.rounds = Node.BET, 100
    for seat, money in enumerate(chips):
        s.chips[seat], s.space[seat] = money, space_of(s, money)
        s.pact[seat] = 1
    return game_from_state(game, s, len(chips), {"furnace": FURNACE})


@pytest.fixture(scope="module")
def coals():
    return last_round()


def test_the_last_round_of_coals_has_few_states(coals):
    from open_spiel.python.algorithms import get_all_states

    states = get_all_states.get_all_states(coals, include_chance_states=True).values()
    assert 100 < len(states) < 20_000
    for state in states:
        if state.is_terminal():
            assert sum(state.returns()) == pytest.approx(0)
            assert state.world.s.rounds == 100
        with_seats = [state.information_state_string(p) for p in range(2)]
        assert len(set(with_seats)) == 2
    pyspiel.random_sim_test(coals, num_sims=5, serialize=True, verbose=False, mask_test=True)


def test_information_states_have_perfect_recall(coals):
    """Two ways to one information state have the same own decisions and states before."""
    before = {}

    def walk(state, own):
        if state.is_terminal():
            return
        who = state.current_player()
        for action in state.legal_actions():
            longer = own
            if who >= 0:
                told = state.information_state_string(who)
                assert before.setdefault((who, told), own[who]) == own[who]
                longer = {**own, who: (*own[who], told, action)}
            walk(state.child(action), longer)

    walk(coals.new_initial_state(), {0: (), 1: ()})
    assert len(before) > 10


def test_information_states_tell_apart_exactly_what_a_seat_sees(coals):
    """Own stake, revealed stakes, pieces and decisions; not a stake that is still secret."""
    texts, sights = {}, {}

    def walk(state, seen):
        if state.is_terminal():
            return
        who, s = state.current_player(), state.world.s
        if who >= 0:
            stakes = tuple(s.stake[:2]) if s.node == Node.PULL else (int(s.stake[who]),)
            sight, told = (who, seen, stakes), state.information_state_string(who)
            assert texts.setdefault(told, sight) == sight
            assert sights.setdefault(sight, told) == told
        for action in state.legal_actions():
            walk(state.child(action), seen if s.node == Node.BET else (*seen, action))

    walk(coals.new_initial_state(), ())
    assert len(texts) > 10


def test_information_state_tensors_differ_exactly_where_the_texts_do(coals):
    texts, tensors = {}, {}

    def walk(state):
        for player in range(2):
            told = state.information_state_string(player)
            tensor = tuple(state.information_state_tensor(player))
            assert texts.setdefault(told, tensor) == tensor
            assert tensors.setdefault(tensor, told) == told
        for action in [] if state.is_terminal() else state.legal_actions():
            walk(state.child(action))

    walk(coals.new_initial_state())
    assert len(texts) > 100


def test_the_tensor_of_an_information_state_tells_the_last_events_one_by_one(coals):
    state = coals.new_initial_state()
    for action in (1, 2, PULL):  # both bet, the first player reaches into the furnace
        state.apply_action(action)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    size = state.get_game().observation_tensor_size()
    assert state.information_state_tensor(1)[:size] == state.observation_tensor(1)
    behind = np.array(state.information_state_tensor(1)[size:-4]).reshape(RECALL, -1)
    who, numbers = behind[:, :4], behind[:, 4:] @ (1 << np.arange(behind.shape[1] - 4))
    told = [(int(row.argmax()), int(number) - 1) for row, number in zip(who, numbers, strict=True)]
    # the last first: the piece (by chance), the pull, the own bet, and that seat 0 has bet
    piece = state.history()[-1]
    assert told[:4] == [(2, piece), (0, PULL), (1, 2), (0, -1)]
    assert set(told[4:]) == {(3, -1)}


@pytest.mark.ci
@pytest.mark.filterwarnings("ignore")  # of flax, jax and orbax
def test_openspiels_deep_cfr_runs_as_shipped(coals):
    for name in ("chex", "flax", "jax"):
        needed(name, "learn")
    from open_spiel.python import policy
    from open_spiel.python.jax import deep_cfr

    solver = deep_cfr.DeepCFRSolver(
        coals,
        policy_network_layers=(16,),
        advantage_network_layers=(16,),
        num_iterations=2,
        num_traversals=4,
        batch_size_advantage=8,
        batch_size_strategy=8,
        advantage_network_train_steps=4,
        policy_network_train_steps=4,
        memory_capacity=1000,
    )
    solver.solve()
    learnt = policy.tabular_policy_from_callable(coals, solver.action_probabilities)
    assert len(learnt.states) > 10
    np.testing.assert_allclose(learnt.action_probability_array.sum(1), 1, rtol=1e-4)


@pytest.mark.ci
@pytest.mark.filterwarnings("ignore")
def test_openspiels_nfsp_runs_as_shipped(coals):
    for name in ("chex", "flax", "jax"):
        needed(name, "learn")
    from open_spiel.python import rl_environment
    from open_spiel.python.jax import nfsp

    env = rl_environment.Environment(coals)
    env.seed(1)  # NFSP fails where it is to learn before it has noted anything
    (size,) = env.observation_spec()["info_state"]
    assert size == coals.information_state_tensor_size()
    agents = [
        nfsp.NFSP(
            player_id=player,
            state_representation_size=size,
            num_actions=env.action_spec()["num_actions"],
            hidden_layers_sizes=[16],
            reservoir_buffer_capacity=200,
            anticipatory_param=0.9,
            allow_checkpointing=False,
            batch_size=8,
            min_buffer_size_to_learn=8,
            learn_every=8,
            replay_buffer_capacity=200,
        )
        for player in range(2)
    ]
    for _ in range(40):
        step = env.reset()
        while not step.last():
            who = step.observations["current_player"]
            chosen = agents[who].step(step).action
            assert chosen in step.observations["legal_actions"][who]
            step = env.step([chosen])
        for agent in agents:
            agent.step(step)
    losses = [loss for agent in agents for loss in agent.loss]
    assert any(loss is not None for loss in losses)


def test_counterfactual_regret_minimisation_solves_it(coals):
    from open_spiel.python.algorithms import cfr, exploitability

    solver = cfr.CFRSolver(coals)
    found = []
    for _ in range(12):
        solver.evaluate_and_update_policy()
        found.append(exploitability.nash_conv(coals, solver.average_policy()))
    assert found[-1] < found[0] / 2
    assert found[-1] < 0.1


def test_external_sampling_and_best_responses_run(coals):
    from open_spiel.python import policy
    from open_spiel.python.algorithms import best_response, external_sampling_mccfr

    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(coals)
    for _ in range(30):
        solver.iteration()
    average = solver.average_policy()
    for seat in range(2):
        best = best_response.BestResponsePolicy(coals, seat, average)
        assert -1 <= best.value(coals.new_initial_state()) <= 1
    uniform = policy.UniformRandomPolicy(coals)
    exploited = best_response.BestResponsePolicy(coals, 0, uniform)
    assert exploited.value(coals.new_initial_state()) > 0


def last_tiles_of_tails():
    """A random game for two with three cells left."""
    match, rng = Match.new(ALL["tails"], seed=1), seeded(0)
    while match.state.count < 51:
        actions = match.actions()
        action = actions[below(rng, len(actions))]
        match.play(match.game.notation.format_action(match.state, match.actor, action))
    return game_from_state(ALL["tails"], match.state, 2)


def last_turn_of_underworld():
    """U29: turn 600 of an advised game for two, no card known to anybody."""
    s = states_of_game(GameSetting("underworld", 2), 0, True)[105].copy()
    assert not s.known.any()
    s.turns = 599
    return game_from_state(ALL["underworld"], s, 2)


@pytest.fixture(scope="module", params=[last_tiles_of_tails, last_turn_of_underworld])
def ending(request):
    return request.param()


def test_late_positions_are_small_and_not_decided_yet(ending):
    from open_spiel.python.algorithms import exploitability, get_all_states
    from open_spiel.python.policy import UniformRandomPolicy

    states = get_all_states.get_all_states(ending, include_chance_states=True)
    assert 30 < len(states) < 60_000
    assert len({tuple(state.returns()) for state in states.values() if state.is_terminal()}) > 1
    told = re.findall(
        rf"^\| {ending.game.title}: .* \| ([\d,]+) \| ([\d,]+) \|$", DOC, re.MULTILINE
    )
    asked = [state for state in states.values() if state.current_player() >= 0]
    known = {(s.current_player(), s.information_state_string(s.current_player())) for s in asked}
    assert told == [(f"{len(states):,}", f"{len(known):,}")]
    assert exploitability.nash_conv(ending, UniformRandomPolicy(ending)) >= 0
    pyspiel.random_sim_test(ending, num_sims=2, serialize=True, verbose=False, mask_test=True)


FEW = 100_000  # histories, of which the small games of COALS have at most so many
EARLY = re.compile(r"([\d,]+)(?: histories)? after (\w+) steps in ([A-Z]+)")
STEPS = {"four": 4, "five": 5, "seven": 7}


def early_histories(game, options, steps):
    """How many histories of two players have at most so many steps, of decisions and of chance."""
    out, p = buffers(game)
    layer, found = [game.start(2, options)], 1
    for left in reversed(range(steps)):
        following = []
        for s in layer:
            who = verbs.actor(s)
            assert who != verbs.OVER
            count = verbs.chance(s, out, p) if who == verbs.CHANCE else verbs.legal(s, who, out)
            found += count
            if left:
                following += [after(s, who, step) for step in out[:count].tolist()]
        layer = following
    return found


def after(s, who, step):
    changed = s.copy()
    verbs.apply(changed, who, step)
    return changed


def test_whatever_their_options_the_other_games_have_too_many_histories_as_the_page_says():
    told = EARLY.findall(DOC)
    assert {name for *_, name in told} == {name.upper() for name in ALL} - {"COALS"}
    for count, steps, name in told:
        for chosen in product(*choices(name.lower())[1:]):  # the first is the number of seats
            found = early_histories(ALL[name.lower()], dict(chosen), STEPS[steps])
            assert found == int(count.replace(",", "")) > FEW
