"""The benchmark: who plays whom how often, and the line that it prints."""

from pathlib import Path

import numpy as np
from click.testing import CliRunner

from diablerie.cli import commands
from diablerie.lab.statistics import win_share
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
    monkeypatch.setattr(benchmark, "EXPLOIT_GAMES", 4)
    words = ["benchmark", "imp", "--games", "tails", "--workers", "1", "--exploit-decisions"]
    for decisions, cells in (("1", 4), ("0", 3)):
        told = CliRunner().invoke(commands, [*words, decisions], catch_exceptions=False)
        *_, line = told.stdout.splitlines()
        assert line.startswith("| imp | – | – | – | – |")
        assert line.count("(") == cells
        assert ("tails exploiter" in told.stdout) == (cells == 4)


def test_the_table_of_the_page_has_a_column_for_each_that_the_command_prints():
    page = (Path(__file__).parents[2] / "docs" / "benchmark.md").read_text("utf-8")
    head = next(line for line in page.splitlines() if line.startswith("| entry |"))
    rows = [line for line in page.splitlines() if line.startswith("| ") and line != head]
    assert len(rows) > 3
    for row in (*rows, benchmark.table_row("any", {})):
        assert row.count("|") == head.count("|")


def test_the_table_of_four_tells_a_third_of_the_wins_from_the_fair_quarter():
    """Of an even player among four, an interval reaches about nine points to each side."""
    rng = np.random.default_rng(1)
    tables = benchmark.FULL_PANEL_GAMES // 4
    widths = []
    for _ in range(50):
        won = rng.binomial(4, 0.25, tables).astype(float)
        found = win_share(won, np.full(tables, 4.0), 0.25)
        widths.append(found.high - found.low)
    assert np.median(widths) < 0.2
