"""`diablerie tournament`: what it prints, how it refuses, how Ctrl-C ends it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from diablerie.engine.sources import PACKAGE
from tests.lab.test_tournament import games
from tests.test_cli import refused, run

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 120  # seconds, on a busy machine
START = ("tournament", "coals", "--players", "random,sensible", "--workers", "1")


def test_the_tables_of_pairings(tmp_path):
    file = tmp_path / "kept.jsonl"
    done = run(*START, "--games", "6", "--option", "mouth=0", "--file", str(file))
    assert done.exit_code == 0, done.output
    for words in (
        "coals, 2 seats",
        "mouth 0",
        "sensible",
        "Elo",
        "won",
        "95 %",
        "games per second",
    ):
        assert words in done.output
    head, rows = games(file)
    assert head["options"]["mouth"] == "0"
    assert len(rows) == 6


def test_the_table_of_mixed_tables():
    done = run(*START, "--games", "5", "--seats", "3")
    assert done.exit_code == 0, done.output
    for words in ("coals, 3 seats", "openskill", "by luck", "6 games count", "33.3 %"):
        assert words in done.output


def test_two_seats_may_be_mixed_too():
    assert "openskill" in run(*START, "--games", "2", "--mixed").output


def test_json_is_the_whole_summary(capfd):
    done = run(*START, "--games", "4", "--json")
    found = json.loads(done.stdout)
    assert found["config"]["players"] == ["random", "sensible"]
    assert found["games"] == 4
    assert {"value", "low", "high"} == set(found["meetings"][0]["score"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tournament", "chess", "--players", "random,sensible"], "no game “chess”"),
        (["tournament", "coals", "--players", "random"], "at least two"),
        (["tournament", "coals", "--players", "random,wise"], "no bot “wise”"),
        (["tournament", "coals", "--players", "random,a_b_c:D"], "a_b_c"),
        (["tournament", "coals", "--players", "random,net:file=no.json"], "no file “no.json”"),
        (["tournament", "coals"], "Missing option '--players'"),
        ([*START, "--games", "0"], "games"),
        ([*START, "--seats", "9"], "2 to 6 players"),
        ([*START, "--option", "mouth=x"], "mouth"),
        ([*START, "--workers", "0"], "workers"),
        ([*START, "--seed", str(2**70)], "seed"),
        ([*START, "--file", "/nowhere/kept"], "/nowhere/kept"),
        ([*START, "--file", "README.md"], "README.md, line "),
        ([*START, "--seats", "3", "--pairings"], "mixed"),
        (["tournament", "coals", "--players", "random,tests.lab.bots:Cheat"], "Cheat, seat"),
    ],
)
def test_a_wrong_argument_ends_with_status_2_and_one_line(words, said, monkeypatch):
    monkeypatch.chdir(ROOT)
    more = [] if "--workers" in words else ["--workers", "1"]
    assert said in refused(*words, *more)


def command(*words, **more):
    paths = os.pathsep.join([str(PACKAGE.parent), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, "-m", "diablerie", *words],
        env={**os.environ, "PYTHONPATH": paths}, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more,
    )  # fmt: skip


def gone(group):
    """Whether all processes of a group end soon, the workers too."""
    for _ in range(10 * PATIENCE):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.ci
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(workers, tmp_path):
    file = tmp_path / "kept.jsonl"
    words = (*START[:-1], workers, "--games", "2000", "--file", str(file))
    with command(*words) as process:
        while not file.exists() or file.read_text().count("\n") < 10:
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to the workers too
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    kept = len(games(file)[1])
    assert err.splitlines()[-1].startswith(f"stopped after {kept} of 2000 games; the same command")
    assert "Traceback" not in err
    assert "games count" in out
    assert gone(process.pid)
    with command(*words) as process:
        while file.read_text().count("\n") < kept + 5:
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()  # nothing warns it, and nothing is lost all the same
        process.communicate(timeout=PATIENCE)
    assert len(games(file)[1]) >= kept + 4
    assert gone(process.pid)


CHATTY = """
import os
from diablerie.engine import queries

print("a module says hello")

class Chatty:
    def __init__(self, game):
        self.game = game

    def choose(self, s, seat, rng):
        print("a bot thinks")
        os.write(1, b"and so does its library\\n")
        return queries.legal_actions(self.game, s, seat)[0]
"""


@pytest.mark.parametrize(
    ("study", "workers"), [("tournament", "1"), ("tournament", "2"), ("simulate", "2")]
)
def test_only_data_is_on_standard_output_whatever_bots_print(tmp_path, study, workers):
    (tmp_path / "chatty.py").write_text(CHATTY, "utf-8")
    asked = (study, "coals", "--players", "random,chatty:Chatty", "--games", "4", "--seats", "2")
    with command(*asked, "--json", "--workers", workers, cwd=tmp_path) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert json.loads(out)
    for told in ("a module says hello", "a bot thinks", "and so does its library"):
        assert told in err


def test_the_ten_line_bot_of_the_examples_plays_from_the_folder_it_lies_in(tmp_path):
    (tmp_path / "my_bot.py").write_text((ROOT / "examples" / "my_bot.py").read_text("utf-8"))
    words = ("tournament", "coals", "--players", "random,my_bot:MyBot", "--games", "4", "--json",
             "--workers", "1")  # fmt: skip
    with command(*words, cwd=tmp_path) as process:
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert json.loads(out)["players"][1]["player"] == "my_bot:MyBot"


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "coals", "--report"],
        ["dataset", "coals", "--out"],
        [*START, "--report"],
        ["train", "coals", "--out"],
        ["train", "coals", "--report"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_written_is_refused_before_any_game_is_played(words, tmp_path, monkeypatch):
    monkeypatch.setattr("diablerie.lab.running.run.finish", played)
    monkeypatch.setattr("diablerie.lab.train.training.Training.run", played)
    missing = tmp_path / "nowhere" / "out"
    monkeypatch.chdir(tmp_path)
    assert f"{missing}: No such file or directory" in refused(*words, str(missing))
    assert not list(tmp_path.iterdir())
    kept = tmp_path / "kept"
    kept.write_text("as it was")
    with pytest.raises(Played):
        run(*words, str(kept))
    assert kept.read_text() == "as it was"


class Played(Exception):
    """Games would be played now."""


def played(*_args, **_named):
    raise Played
