"""The command line: what it prints, and how it refuses."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import diablerie
from diablerie.cli import app

WALKS = Path(__file__).parent / "walks"
COALS = Path(__file__).parent / "games" / "coals" / "golden" / "coals-3.jsonl"


def run(*words: str):
    return CliRunner().invoke(app, list(words))


def refused(*words: str) -> str:
    """The one line a command ends with, and its status is 2."""
    done = run(*words)
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    return done.output


def test_version():
    assert run("--version").output == f"diablerie {diablerie.__version__}\n"


def test_walk_prints_exactly_the_walk():
    done = run("walk", "coals", "--seats", "4", "--seed", "6", "--option", "mouth=0")
    assert done.output == (WALKS / "coals-4-6-mouth=0.txt").read_text()
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
        (["replay", "nowhere.jsonl"], "No such file"),
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
