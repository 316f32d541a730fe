"""Whole small games of COALS, from the first move: OpenSpiel's CFR+ and the exact solution agree."""

import re
from pathlib import Path

import pytest
from tests.envs.needed import needed

from diablerie_exact import solved
from diablerie_exact.solution import game_value

pyspiel = needed("pyspiel")
needed("diablerie.envs.open_spiel")

MOST = 100_000  # histories
DOC = Path(__file__).parents[3] / "docs" / "research.md"
ROW = re.compile(r"^\| `(furnace=\S+)` \| ([\d,]+) \| (\S+) \| (\S+) \|", re.MULTILINE)
TABLE = ROW.findall(DOC.read_text("utf-8").replace("−", "-"))


def value(state, policy) -> float:
    """What the player who begins wins from here, if both play by this policy."""
    if state.is_terminal():
        return float(state.returns()[0])
    chances = state.chance_outcomes() if state.is_chance_node() else None
    chances = chances or policy.action_probabilities(state).items()
    return sum(p * value(state.child(action), policy) for action, p in chances if p)


@pytest.mark.parametrize(
    ("row", "iterations"),
    [(0, 300), *(pytest.param(i, 1000, marks=pytest.mark.nightly) for i in (1, 2))],
)
def test_cfr_plus_and_the_exact_solution_agree_on_a_whole_game(row, iterations):
    from open_spiel.python.algorithms.gambit import export_gambit

    written, count, told_cfr, told_exact = TABLE[row]
    game = pyspiel.load_game(f"diablerie_coals({written.replace(';', ',')})")
    # CFR+ in C++ walks this copy of the tree a hundred times faster than a game in Python.
    text = export_gambit(game)
    histories = text.count("\n") - 1
    assert histories == int(count.replace(",", "")) <= MOST
    tree = pyspiel.load_efg_game(text)
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.nash_conv(tree, policy) < 1e-3
    options = dict(one.split("=") for one in written.split(";"))
    exact = game_value(solved("coals", options | {"furnace": options["furnace"].replace("/", ",")}))
    found = value(tree.new_initial_state().child(0), policy)  # seat 0 begins
    assert found == pytest.approx(exact, abs=1e-3)
    assert float(told_cfr) == pytest.approx(found, abs=1e-3)
    assert float(told_exact) == pytest.approx(exact, abs=1e-3)
