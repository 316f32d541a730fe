"""A solution is held against OpenSpiel: no best response wins anything against it."""

import numpy as np
import pytest
from tests.envs.needed import needed

from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.games.coals.rules.settling import make_pacts, space_of
from diablerie.games.coals.rules.state import Node
from diablerie.lab.running.settings import option_texts
from diablerie_exact.bot import ExactBot
from diablerie_exact.solution import (
    BadTable,
    Solution,
    SolvedFacts,
    SolvedTable,
    read_table,
    write_table,
)

GAME = ALL["coals"]
OPTIONS = {"goal": "210", "furnace": "0,0,0,0,0,2,1"}


@pytest.fixture(scope="module")
def solution():
    """Of the last round alone, which needs no values."""
    facts = SolvedFacts("coals", GAME.version, option_texts(GAME, 2, OPTIONS))
    return Solution(GAME, SolvedTable(facts, np.empty((0, 21, 21))))


def last_round(chips, first):
    s = GAME.start(2, OPTIONS)
    s.node = Node.BET
    s.rounds = 100
    s.first = first
    for seat, money in enumerate(chips):
        s.space[seat] = space_of(s, money)
        s.chips[seat] = money
    make_pacts(s)
    return s


@pytest.mark.parametrize(("chips", "first"), [((20, 10), 0), ((10, 30), 1)])
def test_no_best_response_wins_anything_against_it(solution, chips, first):
    """NashConv of the last round, by OpenSpiel, from its own tree of the game."""
    needed("pyspiel")
    game_from_state = needed("diablerie.envs.open_spiel").game_from_state
    from open_spiel.python import policy
    from open_spiel.python.algorithms import expected_game_score, exploitability

    class Exact(policy.Policy):
        def action_probabilities(self, state, player_id=None):
            s = state.world.s
            seat = state.current_player()
            if s.node == Node.BET:
                solved = solution.bets(s)[1]
                mixed = solved.rows if seat == s.first else solved.columns
                return {a: float(mixed[a]) for a in state.legal_actions()}
            worth = solution.pulls(s)
            best = (max if seat == s.first else min)(worth, key=worth.get)
            return {a: float(a == best) for a in worth}

    s = last_round(chips, first)
    game = game_from_state(GAME, s, 2, OPTIONS)
    plays = Exact(game, [0, 1])
    assert exploitability.nash_conv(game, plays) == pytest.approx(0, abs=1e-9)
    value = expected_game_score.policy_value(game.new_initial_state(), [plays, plays])[first]
    assert value == pytest.approx(solution.bets(s)[1].value, abs=1e-9)


def test_the_bot_stakes_and_pulls_as_the_solution_says(solution, tmp_path):
    write_table(solution.table, tmp_path / "table.npz")
    bot = ExactBot(GAME, str(tmp_path / "table.npz"))
    rng = seeded(3)
    s = last_round((40, 30), 1)
    solved = solution.bets(s)[1]
    drawn = [bot.choose(s, 1, rng) for _ in range(400)]
    found = np.bincount(drawn, minlength=len(solved.rows)) / 400
    assert found == pytest.approx(solved.rows, abs=0.1)
    assert set(drawn) <= set(np.flatnonzero(solved.rows))
    for seat in range(2):
        verbs.apply(s, seat, 0)
    while verbs.actor(s) != verbs.OVER:
        if (who := verbs.actor(s)) == verbs.CHANCE:
            verbs.apply(s, who, 5)  # a ten
            continue
        worth = solution.pulls(s)
        chosen = bot.choose(s, who, rng)
        assert chosen in legal_actions(GAME, s, who)
        assert worth[chosen] == (max if who == s.first else min)(worth.values())
        verbs.apply(s, who, chosen)


def test_a_table_is_read_as_it_was_written(solution, tmp_path):
    values = np.random.default_rng(1).normal(size=(2, 3, 3))
    path = tmp_path / "table.npz"
    write_table(SolvedTable(solution.table.facts, values), path)
    found = read_table(path)
    assert found.facts == solution.table.facts
    assert (found.values == values).all()
    assert [one.name for one in tmp_path.iterdir()] == ["table.npz"]
    write_table(SolvedTable(solution.table.facts, values[0]), path)
    with pytest.raises(BadTable, match="another version"):
        read_table(path)
    path.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(BadTable, match="is no solved game"):
        read_table(path)
