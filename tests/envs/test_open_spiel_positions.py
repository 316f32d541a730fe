"""A position is a game: small ones are walked through whole, and solved."""

import re
from pathlib import Path

import numpy as np
import pytest

from diablerie.engine import files
from diablerie.engine.match import Match
from diablerie.engine.rng import below, seeded
from diablerie.games import ALL
from diablerie.games.coals.rules.settling import space_of
from diablerie.games.coals.rules.state import Node
from diablerie.testing.positions import GameSetting, states_of_game
from tests.envs.needed import needed

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


def last_tiles_of_tails(folder):
    """A random game for two with three cells left, as a match file and its ply."""
    match, rng = Match.new(ALL["tails"], seed=0), seeded(0)
    while match.state.count < 51:
        actions = match.actions()
        action = actions[below(rng, len(actions))]
        match.play(match.game.notation.format_action(match.state, match.actor, action))
    files.save(match, folder / "tails.jsonl")
    return pyspiel.load_game(f"diablerie_tails(position={folder}/tails.jsonl@{match.ply})")


def last_turn_of_underworld(_):
    """U29: turn 600 of an advised game for two, a card known to one."""
    s = states_of_game(GameSetting("underworld", 2), 0, True)[110].copy()
    assert (s.known > 0).sum() == 1
    s.turns = 599
    return game_from_state(ALL["underworld"], s, 2)


def last_point_of_kitchen(_):
    """K33: turn 500 of an advised game for two, a point left to serve with."""
    s = states_of_game(GameSetting("kitchen", 2), 0, True)[50].copy()
    assert s.points == 1
    s.turns = 499
    return game_from_state(ALL["kitchen"], s, 2)


@pytest.fixture(
    scope="module", params=[last_tiles_of_tails, last_turn_of_underworld, last_point_of_kitchen]
)
def ending(request, tmp_path_factory):
    return request.param(tmp_path_factory.mktemp("late"))


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


def test_hidden_facts_of_a_position_are_drawn_first(ending):
    first = ending.new_initial_state()
    hides = not ending.game.perfect_information
    assert first.is_chance_node() == (len(ending.openings) > 1) == hides
    if hides:
        assert sum(p for _, p in first.chance_outcomes()) == pytest.approx(1)
        assert first.action_to_string(3) == "opening 3"
        begun = [first.child(k) for k in first.legal_actions()]
        told = [len({one.information_state_string(seat) for one in begun}) for seat in range(2)]
        assert len({str(one) for one in begun}) == len(begun) == len(ending.openings)
        assert told[0] * told[1] == len(begun) > 1
