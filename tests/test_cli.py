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

ROOT = Path(__file__).parent.parent
COALS = Path(__file__).parent / "games" / "coals" / "golden" / "coals-3.jsonl"


def run(*words: str) -> "Done":
    """A command in this process: its status and all it printed."""
    printed = io.StringIO()
    stdout = Copying(printed)
    status = 0
    with redirect_stdout(stdout), redirect_stderr(printed), patched(words):
        try:
            cli.main()
        except SystemExit as ended:
            status = int(ended.code or 0)
    return Done(status, printed.getvalue(), stdout.getvalue())


class Copying(io.StringIO):
    """A stream whose text goes to another one, too."""

    def __init__(self, other: io.StringIO) -> None:
        super().__init__()
        self._other = other

    def write(self, text: str) -> int:
        self._other.write(text)
        return super().write(text)


class Done(NamedTuple):
    """How a command ended."""

    exit_code: int
    output: str  # all it printed
    stdout: str


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
    heading, *lines = done.output.splitlines(keepends=True)
    assert heading.split() == ["step", "who", "node", "options", "chosen"]
    assert len(lines[0].split()) == len(heading.split())
    assert "".join(lines[:KEPT]) == (WALKS / "coals-4-6-mouth=0.txt").read_text()
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == WHOLE["coals-4-6-mouth=0.txt"]
    assert done.exit_code == 0


def test_walk_may_be_cut():
    assert run("walk", "coals", "--limit", "2").output.splitlines()[3:] == ["cut"]


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
        (["serve", "--port", "0", "--host", "192.0.2.1"], "try --host"),
        (["serve", "--port", "0", "--host", "a..b"], "try --host"),
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
    assert done.stderr == "step who node options chosen\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device is full here")
def test_a_full_disk_is_told_in_one_line():
    command, env = [sys.executable, "-m", "diablerie", "--version"], {**os.environ}
    env.pop("PYTHONUNBUFFERED", None)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=env)
    assert done.returncode == 2
    assert done.stderr == "diablerie: [Errno 28] No space left on device\n"


def test_no_command_shows_what_there_is():
    done = run()
    assert done.exit_code == 0
    assert "serve" in done.output


def test_all_summaries_fit_eighty_columns_uncut(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    listed = run("--help").output.partition("Commands:\n")[2].splitlines()
    assert len(listed) == len(set(cli.commands.list_commands(None))) >= 19
    assert all(len(line) <= 80 and line.endswith(".") and "..." not in line for line in listed)


def seconds(folder: Path, *words: str) -> float:
    """The lesser processor time of two runs of a command, another package's command installed."""
    code = (
        "import resource, sys; from diablerie import cli\n"
        "try: cli.main()\n"
        "except SystemExit: pass\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime)"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    command = [sys.executable, "-c", code, *words]
    runs = [subprocess.run(command, capture_output=True, text=True, env=env) for _ in range(2)]
    return min(float(done.stdout.splitlines()[-1]) for done in runs)


def planted(folder: Path, value: str) -> Path:
    """A package with the command `slow`, at this place."""
    about = folder / "slow-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[diablerie.commands]\nslow = {value}\n")
    (folder / "slow.py").write_text("import diablerie.games\nfrom diablerie.cli import games\n")
    return folder


def test_what_tells_of_the_commands_costs_little_more_than_the_version(tmp_path):
    planted(tmp_path, "slow:games")
    version = seconds(tmp_path, "--version")
    for words in ([], ["--help"], ["dance"]):
        assert seconds(tmp_path, *words) <= 2.5 * version, words


@pytest.mark.parametrize(
    ("value", "said"), [("slow:games", "COALS"), ("nowhere:command", "No module named 'nowhere'")]
)
def test_a_command_of_another_package_is_imported_when_it_is_run(value, said, tmp_path):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(planted(tmp_path, value)), *sys.path])}
    done = [
        subprocess.run(
            [sys.executable, "-m", "diablerie", word], capture_output=True, text=True, env=env
        )
        for word in ("--help", "slow")
    ]
    assert "slow        From the package slow." in done[0].stdout
    assert said in done[1].stdout + done[1].stderr


@pytest.mark.parametrize("word", ["--database", "--DATABASE"])
def test_an_unknown_option_is_answered_with_the_one_whose_help_has_the_word(word):
    assert "Did you mean '--db'?" in refused("doctor", word, "x")


def test_output_that_cannot_be_encoded_is_replaced(tmp_path):
    match = diablerie.start("coals", seed=1, names=["Ștefan", "Łucja"])
    diablerie.save(match, tmp_path / "m.jsonl")
    for encoding in ("cp1252", "ascii", "utf-8"):
        done = subprocess.run(
            [sys.executable, "-m", "diablerie", "replay", str(tmp_path / "m.jsonl")],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
        name = "Łucja" if encoding == "utf-8" else "?ucja"
        assert name in done.stdout.decode(encoding)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", [["games"], ["doctor"], ["replay", "ș"]])
def test_no_command_dies_where_output_is_not_utf_8(words, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "diablerie", *words],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "DIABLERIE_DB": str(tmp_path / "ș.db")},
    )
    assert b"Error" not in done.stderr
    assert done.stdout or done.stderr.startswith(b"diablerie: ")


def test_what_was_skipped_is_told_by_reason(tmp_path):
    (tmp_path / "test_few.py").write_text(
        "import pytest\n\n"
        "@pytest.mark.parametrize('n', range(3))\ndef test_a(n):\n    pytest.skip('no browser')\n\n"
        "@pytest.mark.skip(reason='no node')\ndef test_b(): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "tests.conftest"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert "3 skipped: no browser\n1 skipped: no node\n" in done.stdout
