"""A whole house, on a file and on PostgreSQL: what waits begins when the database is free again."""

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from diablerie.compiling.forks import Compilation, Work
from diablerie.compiling.units import UNITS
from diablerie.table.bots import waiting_tables
from diablerie.table.commands import lobby
from diablerie.table.state.visitors import visitor_of
from diablerie.table.storage.store import Store
from diablerie.web.process import serve, server_process
from diablerie.web.process.server_process import ServerProcess
from tests.conftest import IN_CI
from tests.table.test_driver import wait
from tests.table.test_waiting import locked

ON_BOTH = IN_CI
ANN = visitor_of("ann")


def test_a_full_table_whose_rules_came_while_the_database_was_locked_begins_by_itself(
    db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIABLERIE_CACHE", str(tmp_path))
    monkeypatch.setattr(waiting_tables, "WAITING_LOOK_SECONDS", 0.1)
    monkeypatch.setattr(server_process, "Store", partial(Store, durable=False, busy=0.1))
    compiled = threading.Event()

    def steps(_: Compilation, work: Work, game: str, unit: str) -> Iterator[int]:
        compiled.wait()
        yield UNITS[unit].steps

    monkeypatch.setattr(Compilation, "steps", steps)
    with serve.bind("127.0.0.1", 0) as listening:
        house = ServerProcess(listening, "127.0.0.1", db, tempo=0.0)
        house.open()
        live = house.authority.live
        table = lobby.open_table(house.authority, ANN, "coals", ["me", "random"]).id
        other = Store(db, lay=False)
        with locked(other):
            compiled.set()
            wait(lambda: not house.compiler._order())
            assert live(table).status == "open"
        other.close()
        wait(lambda: live(table).status == "running", 20)
        house.close()
