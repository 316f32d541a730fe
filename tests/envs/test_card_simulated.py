"""What the threads of a card do, run in numba-cuda's simulator: the same as the CPU's loops."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import diablerie
from diablerie.engine import verbs
from diablerie.engine.playout import buffers, playout
from diablerie.envs.batch import generator
from tests.envs.needed import needed
from tests.envs.simulated import CASES, PLAYED, shown

needed("numba_cuda", "ptx")
pytestmark = pytest.mark.ci  # the loops themselves are tested in `test_batch.py`
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def simulated():
    paths = [str(ROOT / "src"), str(ROOT)]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.envs.simulated"],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1",
             "PYTHONPATH": os.pathsep.join(paths)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_batch_holds_the_same_step_by_step(simulated):
    for case, theirs, ours in zip(CASES, simulated[0], shown("cpu"), strict=True):
        assert len(ours) == len(theirs) > 1
        assert theirs == ours, case


def test_a_playout_goes_the_same_way(simulated):
    name, n, seats, seed = PLAYED
    game = diablerie.GAMES[name]
    out, p = buffers(game)
    for i, (steps, returns) in enumerate(zip(*simulated[1], strict=True)):
        s = game.start(seats)
        assert playout(s, generator(seed, i, 0), out, p, 10**6) == steps > 0
        pay = buffers(game)[1][:seats]
        verbs.returns(s, pay)
        assert pay.tolist() == returns
    assert i == n - 1
