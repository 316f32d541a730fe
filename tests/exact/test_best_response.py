"""Best responses are those of OpenSpiel, and never win less than play without fault."""

import numpy as np
import pytest

from diablerie.bots.basic import RandomBot, SensibleBot
from diablerie.bots.searcher import SearchBot
from diablerie.engine import verbs
from diablerie.engine.rng import seeded
from diablerie.exact.best_response import _answered, action_probabilities, best_response_value
from diablerie.exact.coals.habits import Habits
from diablerie.exact.solution import Solution, SolvedFacts, SolvedTable
from diablerie.games import ALL
from diablerie.games.coals.rules.state import STOP
from diablerie.lab.running.settings import option_texts
from tests.envs.needed import needed
from tests.exact.test_solution import last_round

needed("scipy.optimize", "exact")


GAME = ALL["coals"]
OPTIONS = {"goal": "210", "furnace": "0,0,0,0,0,2,1"}


@pytest.fixture(scope="module")
def solution():
    facts = SolvedFacts("coals", GAME.version, option_texts(GAME, 2, OPTIONS))
    return Solution(GAME, SolvedTable(facts, np.empty((0, 21, 21))))


@pytest.fixture(scope="module")
def sensible(solution):
    return Habits(solution.rounds, action_probabilities(GAME, SensibleBot(GAME, 0.25)))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_best_response_is_openspiels(solution, sensible, seat):
    """In the last round, with pacts, against a bot that is sensible three times in four."""
    needed("pyspiel")
    game_from_state = needed("diablerie.envs.open_spiel").game_from_state
    from open_spiel.python import policy
    from open_spiel.python.algorithms import best_response

    s, shares = last_round((20, 60), 0), action_probabilities(GAME, SensibleBot(GAME, 0.25))
    game = game_from_state(GAME, s, 2, OPTIONS)

    class Bot(policy.Policy):
        def action_probabilities(self, state, player_id=None):
            who = state.current_player()
            seen = state.world.s.copy()
            verbs.redact(seen, who)
            return {a: float(shares(seen, who)[a]) for a in state.legal_actions()}

    response = best_response.BestResponsePolicy(game, 1 - seat, Bot(game, [0, 1]))
    value = response.value(game.new_initial_state())
    found = _answered(sensible, seat, (2, 6), solution.rounds.following(None), False)
    assert (found, -found)[1 - seat] == pytest.approx(value, abs=1e-6)


def test_habits_are_those_of_the_bot(sensible):
    assert sensible.differs(seeded(2), 60) == 0
    assert 0 < sensible._on.min() < sensible._on.max() <= 1


def test_habits_that_heed_more_are_noticed(solution):
    """A player that stops when it owns much has more of a position in mind than is asked for."""

    def shares(s, seat):
        found = action_probabilities(GAME, RandomBot(GAME))(s, seat)
        if found[STOP] and s.chips[seat] > 100:
            found[:] = 0
            found[STOP] = 1
        return found

    assert Habits(solution.rounds, shares).differs(seeded(3), 60) > 0


def test_who_searches_has_no_habits_to_respond_to(solution):
    assert action_probabilities(GAME, SearchBot(GAME, n=10)) is None
    assert best_response_value(solution, "search:n=10") is None
