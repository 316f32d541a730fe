"""README is true, and so is docs/command-line.md: their Python and commands run and print what they say.

They are run as a reader would: in a new shell, in a clone, activated only if README says how.
"""

import os
import re
import shlex
import subprocess
from importlib.metadata import distribution
from pathlib import Path

import pytest

import diablerie
from tests import shells
from tests.test_cli import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = (ROOT / "docs" / "command-line.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README + COMMANDS, re.DOTALL)


def lines() -> list[str]:
    return [line for block in blocks("console") for line in block.splitlines()]


def commands() -> list[str]:
    return [line for line in lines() if line.startswith("diablerie ")]


def prepared(command: str, text: str = README) -> str:
    """A script: a command, after whatever the page says before it of how to prepare a shell."""
    before = text.partition(command)[0]  # all of README, for a command of another page
    said = re.findall(r"^```console\n(.*?)(?:^```|\Z)", before, re.MULTILINE | re.DOTALL)
    found = [line for block in said for line in block.splitlines()]
    return "\n".join([*(line for line in found if not line.startswith("diablerie ")), command])


pytestmark = pytest.mark.xdist_group("readme")  # the clone is made once


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    """A clone as `make play` leaves it: what the server needs is there, and no other extra."""
    clone = shells.clone(tmp_path_factory.mktemp("played") / "clone")
    shells.environment(clone / ".venv", *shells.needs(distribution("diablerie"), "play"))
    wheels = shells.offline(shells.pack(clone.parent / "wheels", *shells.BUILDING))
    done = shells.shell(". .venv/bin/activate; pip install --editable .", clone, **wheels)
    assert done.returncode == 0, done.stderr
    return clone


def test_tests_of_one_group_run_on_one_worker(request):
    """pytest-xdist tells groups by the ends of names; with some versions of pytest it forgets to."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        assert request.node.nodeid.endswith("@readme")


@pytest.mark.ci
def test_nothing_is_found_in_a_shell_in_which_nothing_is_activated(played):
    assert shells.shell("diablerie --version", played).returncode == 127
    assert shells.shell("python3 -c 'import diablerie'", played).returncode == 1


def test_the_python_of_the_readme_runs_and_prints_what_it_says(played):
    (code,) = blocks("python")
    (played / "readme.py").write_text(code, "utf-8")
    done = shells.shell(prepared(code).replace(code, "python readme.py"), played)
    assert done.returncode == 0, done.stderr
    printed = done.stdout
    for promise in ("[0, 1, 2] bet ['bet 0', 'bet 10', 'bet 20']", "0 ['pull']"):
        assert promise in code
        assert promise in printed
    assert "round 1" in printed


def daily(command: str) -> bool:
    """What takes longer runs in CI; that its words are understood is tested in `test_docs.py`."""
    return not re.search(" tournament | train | fit | --vary ", command)


def test_the_short_commands_of_the_readme_run(monkeypatch):
    """Here: in a shell as `make play` leaves it, `make test` has one of them, and CI all."""
    monkeypatch.chdir(ROOT)
    short = [one for one in commands() if daily(one)]
    assert len(short) > 4
    for command in short:
        done = run(*shlex.split(command, comments=True)[1:])
        assert done.exit_code == 0, done.output
        assert done.output


@pytest.mark.parametrize(
    "command",
    [one if " walk " in one else pytest.param(one, marks=pytest.mark.ci) for one in commands()],
)
def test_the_commands_of_the_readme_run_after_make_play(command, played):
    done = shells.shell(prepared(command), played)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_readme_is_short_enough_to_be_finished():
    assert len(README.split()) <= 800


def test_make_play_tells_the_server_that_make_has_started_it():
    dry = ("make", "-n", "-o", ".venv/ready-play", "play")
    said = subprocess.run(dry, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "DIABLERIE_MAKE=1 .venv/bin/diablerie serve" in said


def test_make_has_the_targets_the_readme_names():
    rules = (ROOT / "Makefile").read_text("utf-8")
    named = set(re.findall(r"(?:`|^)make (\w+)", README, re.MULTILINE))
    assert named >= {"play", "test", "bench"}
    assert all(f"\n{target}:" in rules for target in named)


def test_the_readme_names_every_game_and_its_players():
    for game in diablerie.GAMES.values():
        low, high = game.seats[0], game.seats[-1]
        assert f"| {game.title} | {low}–{high} |" in README


@pytest.mark.parametrize(
    "page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "README.md"]
)
def test_the_paths_a_page_names_are_there(page):
    text = (ROOT / page).read_text("utf-8")
    links = re.findall(r"\]\(([\w./-]+)\)", text)
    paths = re.findall(r"`((?:src|tests|bench|tools|docs|examples|plugins)/[\w./-]+)`", text)
    assert links or paths
    for link in links:
        assert (ROOT / link).exists(), link
    for path in paths:
        assert "NAME" in path or (ROOT / path).exists(), path
