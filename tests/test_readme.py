"""README is true: its Python runs, its commands run, what its comments promise is printed."""

import re
import shlex
from pathlib import Path

import pytest

import diablerie
from tests.test_cli import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands() -> list[str]:
    lines = [line for block in blocks("console") for line in block.splitlines()]
    return [line for line in lines if line.startswith("diablerie ")]


def test_the_python_of_the_readme_runs_and_prints_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("python")
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    for promise in ("[0, 1, 2] bet ['bet 0', 'bet 10', 'bet 20']", "0 ['pull']"):
        assert promise in code
        assert promise in printed
    assert "round 1" in printed


@pytest.mark.parametrize("command", commands())
def test_the_commands_of_the_readme_run(command, tmp_path, monkeypatch):
    for name in ("tests", "examples"):  # what they read; what they write stays out of here
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(command)[1:])
    assert done.exit_code == 0, done.output
    assert done.output


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
    paths = re.findall(r"`((?:src|tests|bench|tools)/[\w./-]+)`", text)
    assert links or paths
    for link in links:
        assert (ROOT / link).exists(), link
    for path in paths:
        assert "NAME" in path or (ROOT / path).exists(), path
