"""The same rules run uncompiled, for coverage and debuggers, and play the same games."""

import os
import subprocess
import sys
from pathlib import Path

from diablerie.engine.walk import walk

ROOT = Path(__file__).parent.parent
STEPS = 400
HEADING = "step who node options chosen"


def test_uncompiled_rules_walk_the_same_way(game):
    seats = game.seats[-1]
    ours = list(walk(game, game.start(seats), 11, STEPS))
    command = [sys.executable, "-W", "error", "-m", "diablerie", "walk", game.name]
    done = subprocess.run(
        [*command, "--seats", str(seats), "--seed", "11", "--limit", str(STEPS)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT / "src")},
    )
    assert done.stderr.splitlines() == [HEADING]
    assert done.stdout.splitlines() == ours
