"""Full tables that wait for the database start by themselves."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from diablerie.table.authority import Authority
from diablerie.table.bots import waiting_tables
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.commands import lobby
from diablerie.table.storage import schema
from diablerie.table.storage.store import Store
from tests.conftest import IN_CI
from tests.table.conftest import ANN, GAMES, Clock
from tests.table.test_driver import driving, wait
from tests.table.test_faults import SPOILED, of

ON_BOTH = IN_CI


@contextmanager
def locked(store: Store) -> Iterator[None]:
    """While somebody else writes to the tables, and does not finish."""
    with store.engine.connect() as other, other.begin():
        if store.database.shared:
            other.execute(sa.text("LOCK TABLE matches, plies IN SHARE MODE"))
        yield


@pytest.fixture
def impatient(db: str, clock: Clock) -> Iterator[Callable[..., Authority]]:
    """Authorities on one store that soon gives up waiting for a lock."""
    store = Store(db, durable=False, busy=0.05)

    def made(starts: bool = True) -> Authority:
        """One whose process dies, if it does not start tables, before it would."""
        house = Authority(store, GAMES, clock=clock)
        if not starts:
            house.started = lambda live, *_: live  # type: ignore[method-assign]
        return house

    yield made
    store.close()


def full(authority: Authority) -> str:
    return lobby.open_table(authority, ANN, "toy", ["me", "random"]).id


def test_what_could_not_start_while_the_database_was_locked_starts_afterwards(
    impatient: Callable[..., Authority], caplog: pytest.LogCaptureFixture
) -> None:
    slow, house = impatient(False), impatient()
    tables, chores = [full(slow) for _ in range(3)], WaitingTables(house)
    with locked(house.store):
        chores.look()
        assert {house.live(table).status for table in tables} == {"open"}
    assert "Traceback" not in caplog.text, "that is to be expected"
    chores.look()
    assert {house.live(table).status for table in tables} == {"running"}


def test_a_table_filled_between_two_writes_starts(
    impatient: Callable[..., Authority], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one whose process died between the two writes that open it."""
    monkeypatch.setattr(waiting_tables, "WAITING_LOOK_SECONDS", 0.01)
    slow, house = impatient(False), impatient()
    chores = WaitingTables(house)
    table = full(slow)
    chores.start()
    with driving(house):
        wait(lambda: house.live(table).status == "running")
    chores.stop()


def test_only_who_looks_after_the_tables_of_all_looks(
    impatient: Callable[..., Authority], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_tables, "WAITING_LOOK_SECONDS", 0.001)
    house, asked, ours = impatient(), 0, False
    slow = impatient(False)

    def whose() -> bool:
        nonlocal asked
        asked += 1
        return ours

    chores = WaitingTables(house, whose)
    table = full(slow)
    chores.start()
    wait(lambda: asked > 10)
    assert house.live(table).status == "open"
    ours = True
    wait(lambda: house.live(table).status == "running")
    chores.stop()


def test_who_waits_for_players_nonces_or_other_rules_is_left_alone(
    impatient: Callable[..., Authority], clock: Clock
) -> None:
    house = impatient()
    chores = WaitingTables(house)
    seats = lobby.open_table(house, ANN, "toy", ["me", "open"]).id
    hashes, nonces = (
        lobby.open_table(house, ANN, "toy", ["me", "random"], share=True).id for _ in range(2)
    )
    lobby.share(house, nonces, ANN, {0: "0" * 64}, {})
    before = house.store.stamps([seats, hashes, nonces])
    clock.now += 100
    chores.look()
    assert house.store.full(["toy"]) == []
    assert house.store.stamps(list(before)) == before
    rules = full(impatient(False))
    assert house.store.full(["coals"]) == []
    assert house.store.full(["coals", "toy"]) == [rules]


def test_a_table_that_cannot_start_keeps_no_other_from_it_and_is_logged_once(
    impatient: Callable[..., Authority], caplog: pytest.LogCaptureFixture
) -> None:
    slow, house = impatient(False), impatient()
    spoiled, sound = full(slow), full(slow)
    house.store.commit(of(SPOILED["options"][0], spoiled))
    chores = WaitingTables(house)
    with caplog.at_level(logging.ERROR):
        chores.look()
        for _ in range(3):
            chores.look()
    assert house.live(sound).status == "running"
    told = [r.getMessage() for r in caplog.records]
    assert len([line for line in told if "could not be started" in line]) == 1


def test_a_table_that_somebody_else_holds_keeps_no_other_waiting(
    impatient: Callable[..., Authority], db: str
) -> None:
    slow, house = impatient(False), impatient()
    held, free = full(slow), full(slow)
    if not house.store.database.shared:
        pytest.skip("a file is locked as a whole")
    row: Any = sa.select(schema.matches).where(schema.matches.c.id == held).with_for_update()
    chores = WaitingTables(house)
    with house.store.engine.begin() as other:
        other.execute(row)
        chores.look()
        assert (house.live(held).status, house.live(free).status) == ("open", "running")
    chores.look()
    assert house.live(held).status == "running"
