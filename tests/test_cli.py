"""The command line: what it prints, and how it refuses."""

import hashlib
import io
import os
import shlex
import subprocess
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

import diablerie
from diablerie import cli
from tests.test_walks import KEPT, WALKS, WHOLE

COALS = Path(__file__).parent / "games" / "coals" / "golden" / "coals-3.jsonl"


def run(*words: str) -> "Done":
    """A command in this process: its status and all it printed."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out), patched(words):
        try:
            cli.main()
        except SystemExit as ended:
            return Done(int(ended.code or 0), out.getvalue())
    return Done(0, out.getvalue())


class Done(NamedTuple):
    """How a command ended."""

    exit_code: int
    output: str


@contextmanager
def patched(words):
    """The command line of this process."""
    before, sys.argv = sys.argv, ["diablerie", *words]
    try:
        yield
    finally:
        sys.argv = before


def refused(*words: str) -> str:
    """The one line a command ends with, and its status is 2."""
    done = run(*words)
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    assert done.output.startswith("diablerie: ")
    return done.output


def test_version():
    assert run("--version").output == f"diablerie {diablerie.__version__}\n"


def test_walk_prints_exactly_the_walk():
    done = run("walk", "coals", "--seats", "4", "--seed", "6", "--option", "mouth=0")
    lines = done.output.splitlines(keepends=True)
    assert "".join(lines[:KEPT]) == (WALKS / "coals-4-6-mouth=0.txt").read_text()
    assert hashlib.sha256(done.output.encode()).hexdigest() == WHOLE["coals-4-6-mouth=0.txt"]
    assert done.exit_code == 0


def test_walk_may_be_cut():
    assert run("walk", "coals", "--limit", "2").output.splitlines()[2:] == ["cut"]


def test_perft_counts():
    assert run("perft", "coals", "--seats", "3", "--depth", "4").output == "27783\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["walk", "chess"], "no game “chess”"),
        (["walk", "coals", "--seats", "7"], "2 to 6 players"),
        (["walk", "coals", "--seats", "0"], "2 to 6 players"),
        (["walk", "coals", "--option", "mouth"], "NAME=VALUE"),
        (["walk", "coals", "--option", "mouth=48"], "0 to 47"),
        (["walk", "coals", "--option", "pact=none"], "every_devil, first_devil"),
        (["walk", "coals", "--option", "teeth=1"], "no option “teeth”"),
        (["verify", "nowhere.jsonl"], "No such file"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["replay", "README.md"], "README.md, line 1: not a line of a match file"),
        (["verify", "README.md"], "README.md, line 1: not a line of a match file"),
        (["walk", "coals", "--seats", "x"], "not a valid integer"),
        (["walk", "coals", "--limit", "-1"], "--limit"),
        (["walk"], "Missing argument"),
        (["perft", "coals"], "--depth"),
        (["perft", "coals", "--depth", "99"], "--depth"),
        (["dance"], "dance"),
        (["serve", "--port", "99999"], "--port"),
        (["serve", "--port", "1", "--log-level", "loud"], "loud"),
    ],
)
def test_bad_input_is_refused_in_one_line(words, said):
    assert said in refused(*words)


def test_verify_says_that_a_golden_game_is_sound():
    done = run("verify", str(COALS))
    assert done.exit_code == 0
    assert "sound" in done.output


def test_verify_wants_a_finished_match(tmp_path):
    diablerie.save(diablerie.start("coals", seed=1), tmp_path / "m.jsonl")
    assert "not over" in refused("verify", str(tmp_path / "m.jsonl"))


def test_replay_prints_sentences_clauses_and_the_position():
    text = run("replay", str(COALS)).output
    assert "Ann" in text
    assert "[C10]" in text
    assert "round" in run("replay", str(COALS), "--positions").output


def test_a_reader_that_has_seen_enough_is_no_error():
    command = f"{shlex.quote(sys.executable)} -m diablerie walk coals --seats 6 | head -1"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=env, check=True)
    assert done.stdout.startswith("0 chance first 6 ")
    assert done.stderr == ""


def test_no_command_shows_what_there_is():
    done = run()
    assert done.exit_code == 0
    assert "serve" in done.output


def test_the_version_is_told_without_what_takes_long_to_import():
    code = (
        "import sys; from diablerie import cli; sys.argv = ['diablerie', '--version']; cli.main();"
        "print(sorted({'numba', 'numpy', 'rich', 'sqlalchemy', 'starlette'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"diablerie {diablerie.__version__}\n[]\n"
