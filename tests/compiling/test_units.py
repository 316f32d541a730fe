"""What is compiled beforehand is all that pages ask for, whatever people decide."""

import subprocess
import sys

import pytest

# In a process of its own, since others have loaded what they asked for. Of each game the units of
# play do their work; then games at random are drawn, each position as all see it.
ASKED_LATER = """
from random import Random
from diablerie.compiling.units import UNITS, needed, BOTS_UNIT
from diablerie.engine import verbs
from diablerie.engine.interpreted import rules
from diablerie.engine.match import Match
from diablerie.games import ALL

for game in ALL.values():
    verbs.compile_first(game.state)
    for unit in needed(BOTS_UNIT):
        list(UNITS[unit].work(game))
    known = {id(rule): len(rule.overloads) for rule in rules()}
    for seed in range(3):
        rng, match = Random(seed), Match.new(game, seed=seed)
        for _ in range(80):
            if match.actor is None:
                break
            seat = rng.choice(match.pending)
            action = rng.choice(match.actions(seat))
            match.play(game.notation.format_action(match.state, seat, action), seat)
            for viewer in (verbs.WATCHER, *range(match.seats)):
                game.ui.draw(match.view(viewer), match.legal(), str)
        match.log(0)
    for rule in rules():
        if len(rule.overloads) != known.get(id(rule), 0):
            print(game.name, rule.py_func.__name__)
"""


@pytest.mark.ci
def test_no_page_asks_for_a_rule_that_was_not_compiled_before() -> None:
    told = subprocess.run(
        [sys.executable, "-c", ASKED_LATER], capture_output=True, text=True, check=True
    )
    assert told.stdout.split("\n") == [""]
