"""The line that says what is compiled: once, and never where nothing is."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from numba import typeof, types

from diablerie.bots.network_rollouts import rollout_arrays
from diablerie.engine import compile_notice
from diablerie.engine.rng import below
from diablerie.games import ALL
from diablerie.lab.running.processes import Work, stop_event
from diablerie.lab.running.run import played

CODE = """
from diablerie.engine import compile_notice, verbs
compile_notice.UNWORTHY_SECONDS = 0.0
from diablerie import GAMES
verbs.compile_first(GAMES["coals"].state)
s = GAMES["coals"].start(2)
verbs.actor(s), verbs.pending(s), verbs.witness(s)
"""


WITHOUT_GAMES = """
from diablerie.engine import compile_notice, rng
compile_notice.UNWORTHY_SECONDS = 0.0
rng.below(rng.seeded(1), 6)
"""


def told(folder, code=CODE) -> str:
    env = {**os.environ, "DIABLERIE_CACHE": str(folder)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.stdout == ""
    return done.stderr


def test_what_is_compiled_is_said_once_and_then_never_again(tmp_path):
    said = told(tmp_path / "a b")
    assert said.count("\n") == 1
    assert said.startswith("compiling COALS, about ")
    assert said.endswith(" s, once\n")
    assert told(tmp_path / "a b") == ""


def test_a_program_without_games_is_told_what_games_share(tmp_path):
    assert told(tmp_path, WITHOUT_GAMES).startswith("compiling what games share, about ")


def test_a_function_is_named_by_the_game_whose_states_it_takes_however_deep_they_lie():
    game = ALL["coals"]
    arrays = typeof(rollout_arrays(game))
    inner = SimpleNamespace(py_func=below)
    assert compile_notice.subject(inner, (types.int64, arrays)) == "COALS"
    assert compile_notice.subject(inner, (types.int64,)) == compile_notice.SHARED_RULES


@pytest.mark.parametrize(("pid", "speaks"), [(os.getppid(), False), (2**22 + 1, True), ("", True)])
def test_of_several_processes_one_says_it(pid, speaks, tmp_path, monkeypatch):
    monkeypatch.setattr(compile_notice, "cache_folder", lambda: tmp_path)
    assert compile_notice.claimed("COALS")
    (tmp_path / "COALS.told").write_text(str(pid))
    assert compile_notice.claimed("COALS") is speaks


class Doubling:
    """A worker that must be warm before it plays."""

    hot = False

    def warm(self) -> None:
        self.hot = True

    def play(self, job, stop) -> int:
        assert self.hot
        return 2 * job


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_after_the_word_that_all_is_compiled(workers):
    one = Doubling()
    work = Work(one.warm, one.play)
    first, *results = played(work, [1, 2, 3], workers, "", stop_event())
    assert first is None
    assert sorted(results) == [2, 4, 6]
