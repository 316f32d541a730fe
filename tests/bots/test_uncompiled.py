"""Where rules are not compiled, bots think, too, and what cannot do without says so."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from diablerie.envs.batch import Batch
from diablerie.games import ALL

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


@pytest.mark.parametrize("words", [("train", "coals"), ("exploit", "devil", "--game", "coals")])
def test_what_needs_compiled_rules_says_so_in_one_line(words: tuple[str, ...], tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-m", "diablerie", *words, "--seats", "2", "--decisions", "2000"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line == "diablerie: training needs compiled rules: leave NUMBA_DISABLE_JIT unset"


def test_a_batch_needs_compiled_rules(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    with pytest.raises(ValueError, match="a batch needs compiled rules"):
        Batch(ALL["coals"], 2)
