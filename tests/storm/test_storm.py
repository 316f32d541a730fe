"""The whole system, simulated from a few seeds: `make nightly` has 200, `make storm` any."""

from pathlib import Path
from typing import Any

import pytest

from diablerie.table.cluster import bot_jobs
from diablerie.table.storage import rows
from diablerie.table.storage.store import Write
from tests.storm.invariants import Violated
from tests.storm.simulation import Size, simulate

FEW = Size(tables=2, browsers=6, faults=9.0)


@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_lost_whatever_fails(seed: int, tmp_path: Path) -> None:
    world = simulate(seed, tmp_path, FEW)
    assert world.invariants.checks > 3


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(200))
def test_nothing_is_lost_at_twenty_tables_whatever_fails(seed: int, tmp_path: Path) -> None:
    world = simulate(seed, tmp_path)
    assert world.counts["acknowledged"] > 100


def test_a_seed_gives_the_same_history_again(tmp_path: Path) -> None:
    first, second = (simulate(3, tmp_path / name, FEW) for name in ("first", "second"))
    assert first.timeline.history == second.timeline.history
    assert len(first.timeline.history) > 10


def test_what_fails_is_told_with_the_history_of_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that leaves out the turn of a bot: the simulation says which table waits."""
    monkeypatch.setattr(bot_jobs.BotJobs, "writes", lambda *_: [])
    with pytest.raises(Violated, match="a turn is noted where a bot is due") as caught:
        simulate(0, tmp_path, FEW)
    assert caught.value.table
    assert "node 0 is up" in str(caught.value)


def test_a_decision_that_is_not_written_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    difference = rows.difference

    def without_plies(before: Any, after: Any) -> list[Write]:
        return [w for w in difference(before, after) if "plies" not in str(w.statement)]

    monkeypatch.setattr(rows, "difference", without_plies)
    with pytest.raises(Violated):
        simulate(0, tmp_path, FEW)
