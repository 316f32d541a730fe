"""The benchmark: who plays whom how often, and the line that it prints."""

from click.testing import CliRunner

from diablerie.cli import commands
from diablerie.lab.tournament import benchmark
from diablerie.lab.tournament.benchmark import FOUR, PANEL, meetings


def test_every_game_has_the_panel_one_by_one_and_a_table_of_four(tmp_path):
    for game in benchmark.BENCHMARK_GAMES:
        (tmp_path / f"{game}.json").write_text("looked at only when it plays")
    found = meetings(f"net:file={tmp_path}/{{game}}.json")
    assert list(found)[:4] == [("coals", who) for who in (*PANEL, FOUR)]
    assert len(found) == 16
    first, *_, last = found.values()
    assert last.players == (f"net:file={tmp_path}/kitchen.json", *PANEL)
    assert (last.seats, first.seats) == (4, 2)
    assert first.games == PANEL["sensible"]


def test_a_bot_of_the_panel_does_not_play_itself():
    assert ("coals", "sensible") not in meetings("sensible")


def test_the_command_prints_a_line_for_the_table(monkeypatch):
    monkeypatch.setattr(benchmark, "PANEL", {"sensible": 2, "random": 2})
    monkeypatch.setattr(benchmark, "FULL_PANEL_GAMES", 4)
    words = ["benchmark", "imp", "--games", "tails", "--workers", "1"]
    told = CliRunner().invoke(commands, words, catch_exceptions=False)
    *_, line = told.stdout.splitlines()
    assert line.startswith("| imp | – | – | – |")
    assert line.count("(") == 3
