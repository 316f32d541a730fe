"""The whole system, simulated from a few seeds: `make nightly` has 200, `make storm` any."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from diablerie.table.cluster import bot_jobs
from diablerie.table.errors import Unavailable
from diablerie.table.storage import rows
from diablerie.table.storage.store import Statement, Store, Write
from diablerie.web.notifications.scheduler import NotificationScheduler
from tests.storm.shorten import Failure, failure, shortened
from tests.storm.simulation import SHORT, SMALL, simulate


# Together those seeds that find all planted faults which any of ten finds (docs/storm.md).
@pytest.mark.parametrize(
    "seed",
    [0, 1, 2, 3, *(pytest.param(seed, marks=pytest.mark.ci) for seed in (4, 6, 7))],
)
def test_nothing_is_lost_whatever_fails(seed: int, tmp_path: Path) -> None:
    world = simulate(seed, tmp_path, SMALL)
    assert world.ledger.explained > 10


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(200))
def test_nothing_is_lost_at_twenty_tables_whatever_fails(seed: int, tmp_path: Path) -> None:
    world = simulate(seed, tmp_path, SHORT)
    assert world.answers.counts["acknowledged"] > 100


def test_a_seed_gives_the_same_history_again(tmp_path: Path) -> None:
    first, second = (simulate(3, tmp_path / name, SMALL) for name in ("first", "second"))
    assert first.timeline.history == second.timeline.history
    assert len(first.timeline.history) > 10


def _without_plies(*states: Any, **named: Any) -> list[Statement]:
    writes = difference(*states, **named)
    return [w for w in writes if "plies" not in str(w.statement if isinstance(w, Write) else w)]


def _confirmed(self: Store, *writes: Any) -> None:
    with suppress(Unavailable):  # the caller believes that it is written
        commit(self, *writes)


def _told_again(self: Any, visitor: Any, tables: Any) -> None:
    for _ in range(2):
        pushed(self, visitor, tables)


def _first_failure() -> Failure | None:
    return next((found for seed in range(8) if (found := failure(seed, SMALL))), None)


commit, pushed, difference = Store.commit, NotificationScheduler._pushed, rows.difference
FAULTS = {
    "no turn of a bot": (bot_jobs.BotJobs, "writes", lambda *_: [], "a turn is noted"),
    "no plies": (rows, "difference", _without_plies, "stored"),
    "no series": (rows, "_series", lambda _: [], "groups are as was asked for"),
    "acknowledged too early": (Store, "commit", _confirmed, "stored|what may be done is done"),
    "called twice": (NotificationScheduler, "_pushed", _told_again, "nobody is called twice"),
}


@pytest.mark.parametrize(
    "name",
    ["no plies", *(pytest.param(one, marks=pytest.mark.ci) for one in FAULTS if one != "no plies")],
)
def test_a_fault_of_the_product_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, what, instead, invariant = FAULTS[name]
    monkeypatch.setattr(where, what, instead)
    found = _first_failure()
    assert found
    assert re.search(invariant, found.error.invariant)


@pytest.mark.ci
def test_a_failing_seed_is_told_in_short_and_fails_so_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without what it does not need, which the report names, it gives the same lines again."""
    monkeypatch.setattr(rows, "difference", _without_plies)
    found = _first_failure()
    assert found
    short = shortened(found)
    assert len(short.history) < len(found.history)
    assert short.error.invariant == found.error.invariant
    assert f'again: make storm SEED={found.seed} SIZE=small WITHOUT="' in str(short)
    again = failure(found.seed, short.size)
    assert str(again) == str(short)
