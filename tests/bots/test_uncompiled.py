"""Bots think where rules are not compiled, too, in every game."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
from diablerie.bots.spec import parse_bot
from diablerie.engine.match import Match
from diablerie.engine.rng import seeded
from diablerie.games import ALL
for game in ALL.values():
    match = Match.new(game, seed=0)
    while (seat := match.actor) is None or len(match.actions(seat)) < 2:
        match.play(game.notation.format_action(match.state, seat, match.actions(seat)[0]), seat)
    action = parse_bot(sys.argv[1]).make(game).choose(match.seen_by(seat), seat, seeded(1))
    assert action in match.actions(seat)
    print(game.name)
"""


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["fallible:guesses=1", "search:n=5", "net:n=1"])
def test_a_bot_thinks_about_uncompiled_rules(spec: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, spec],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.stderr == ""
    assert done.stdout.split() == ["coals", "tails", "underworld", "kitchen"]
