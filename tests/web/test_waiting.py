"""A whole house, on a file and on PostgreSQL: what waits begins when the database is free again."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from diablerie.table import waiting, warm
from diablerie.table.store import Store
from diablerie.table.visitors import visitor_of
from diablerie.table.warm import STEPS, Warm
from diablerie.web import household, serve
from diablerie.web.household import House
from tests.table.test_driver import wait
from tests.table.test_waiting import locked

ON_BOTH = True  # kinds of databases
ANN = visitor_of("ann")


def test_a_full_table_whose_rules_came_while_the_database_was_locked_begins_by_itself(
    db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "mark", lambda game: tmp_path / f"{game}.ready")
    monkeypatch.setattr(waiting, "EVERY", 0.1)
    monkeypatch.setattr(household, "Store", partial(Store, durable=False, busy=0.1))
    compiled = threading.Event()

    def lines(_: Warm, name: str) -> Iterator[str]:
        compiled.wait()
        yield json.dumps({"game": name, "done": STEPS})

    monkeypatch.setattr(Warm, "_lines", lines)
    with serve.bind("127.0.0.1", 0) as listening:
        house = House(listening, "127.0.0.1", db, tempo=0.0)
        house.open()
        live = house.authority.live
        table = house.authority.lobby.open_table(ANN, "coals", ["me", "random"]).id
        other = Store(db, lay=False)
        with locked(other):
            compiled.set()
            wait(lambda: not [t for t in threading.enumerate() if t.name == "warm"])
            assert live(table).status == "open"
        other.close()
        wait(lambda: live(table).status == "running", 20)
        house.close()
