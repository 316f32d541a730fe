"""A whole house in one thread, in simulated time: no thread is started, and nobody sleeps."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from diablerie.bots.analysis.findings import Analysis
from diablerie.runtime.background import Background
from diablerie.table.authority import Authority
from diablerie.table.bots.deadlines import Deadlines
from diablerie.table.bots.driver import Driver
from diablerie.table.bots.match_analysis import Analyst
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.commands import decisions, lobby
from diablerie.table.storage.store import Health
from tests.simulated_clock import SimulatedClock
from tests.stores import new_store
from tests.table.conftest import ANN

TEMPO = 5.0  # seconds of simulated time
PACE = 60  # seconds, too


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimulatedClock:
    """A simulated clock, while threads and pauses are forbidden."""

    def forbidden(*_: object) -> None:
        pytest.fail("it starts a thread, or sleeps")

    monkeypatch.setattr(threading.Thread, "start", forbidden)
    monkeypatch.setattr(time, "sleep", forbidden)
    monkeypatch.setattr(threading.Condition, "wait", forbidden)
    return SimulatedClock(1000.0)


@pytest.fixture
def authority(tmp_path: Path, clock: SimulatedClock) -> Iterator[Authority]:
    store = new_store(tmp_path / "tables.db", clock=clock)
    yield Authority(store, clock=clock)
    store.close()


def test_a_person_and_a_bot_play_a_game_to_its_end(authority: Authority, clock: SimulatedClock):
    driver, deadlines = Driver(authority, tempo=TEMPO, seed=1), Deadlines(authority)
    analyst = Analyst(authority, games=2)
    everything = [driver, deadlines, analyst, WaitingTables(authority)]
    everything.append(Health(authority.store, clock))
    for one in everything:
        one.start()
    table = lobby.open_table(
        authority, ANN, "coals", ["me", "random"], options={"goal": "600"}, pace=PACE
    ).id
    decided: list[float] = []

    def person() -> float:
        """Decide at once, but for the first decision, which is left to the turn clock."""
        live = authority.live(table)
        if 0 in live.pending and clock() > 1000.0 + PACE:
            decided.append(clock())
            decisions.decide(authority, table, ANN, live.ply, live.position(0).moves[0].text, 0)
        return 1.0

    Background("person", person, clock).start()
    assert clock.run_until(lambda: authority.live(table).status == "over", 1000 * PACE)
    live = authority.live(table)
    kinds = [(ply.kind.value, ply.seat) for ply in live.plies]
    assert kinds.count(("deadline", 0)) == 1
    assert decided
    by_bot = [ply.at for ply in live.plies[2:] if ply.seat == 1]
    assert len(by_bot) > 1
    assert live.changed >= 1000.0 + PACE + TEMPO
    analyst.look(live)
    assert clock.run_until(lambda: isinstance(analyst.look(live), Analysis), PACE)
    for one in everything:
        one.stop()
