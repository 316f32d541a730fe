"""What runs beside the tables: who looks after the database, threads of bots, what is counted."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from diablerie.engine.queries import Illegal
from diablerie.engine.text import say
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import Driver
from diablerie.table.commands import lobby
from diablerie.table.errors import Unavailable
from diablerie.table.state.nonce_exchange import Phase, phase
from diablerie.table.storage import rows
from diablerie.table.storage.store import Health
from tests.table.conftest import ANN, BO, seated


class Patient:
    """A database that is looked at: how deep, and what it answers."""

    trouble = ""

    def __init__(self, *answers: BaseException | None) -> None:
        self.answers, self.looks = list(answers), list[bool]()
        self.seen = threading.Event()

    def check(self, *, deep: bool = False) -> None:
        self.looks.append(deep)
        answer = self.answers.pop(0) if self.answers else None
        if not self.answers:
            self.seen.set()
        if answer:
            raise answer


def test_the_database_is_looked_at_now_and_again_and_the_whole_file_seldom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("diablerie.table.storage.store.CHECK_SECONDS", 0.0)
    patient = Patient(None, Unavailable(), None, None)
    health = Health(patient)  # type: ignore[arg-type]
    health.start()
    assert patient.seen.wait(60)
    health.stop()
    (thread,) = [one for one in threading.enumerate() if one.name == "health"] or [None]
    if thread:
        thread.join(60)
        assert not thread.is_alive()
    assert patient.looks[:4] == [True, False, False, False]


def test_whatever_goes_wrong_while_looking_is_told() -> None:
    patient = Patient(OSError("no such disk"), Unavailable())
    health = Health(patient)  # type: ignore[arg-type]
    health.check()
    assert health.trouble == "OSError: no such disk"
    health.check()  # what is unavailable has said so itself
    assert health.trouble == "OSError: no such disk"


def test_listeners_are_counted_by_table_and_in_all(authority: Authority) -> None:
    async def listening() -> list[int]:
        hub = authority.hub
        async with hub.subscribe("a"), hub.subscribe("a"), hub.subscribe("b"):
            return [hub.listeners("a"), hub.listeners("b"), hub.listeners("c"), hub.listeners()]

    assert asyncio.run(listening()) == [2, 1, 0, 3]
    assert authority.hub.listeners() == 0


def test_so_many_threads_play_as_are_asked_for_and_none_keeps_the_house_from_closing(
    authority: Authority,
) -> None:
    others = set(threading.enumerate())  # a house of another test may be closing still
    driver = Driver(authority, workers=3)
    driver.start()
    try:
        new = set(threading.enumerate()) - others
        bots = [one for one in new if one.name.startswith("bots-")]
        assert sorted(one.name for one in bots if one.name[5:].isdigit()) == [
            "bots-0", "bots-1", "bots-2",
        ]  # fmt: skip
        assert all(one.daemon for one in bots)
    finally:
        driver.stop()


def test_only_tables_where_somebody_has_given_a_name_have_names_to_forget(
    authority: Authority,
) -> None:
    named, other = seated(authority, ANN, BO), seated(authority, ANN, BO)
    lobby.rename(authority, named, ANN, 0, "Anna")
    assert authority.store.named(ANN) == [named]
    assert authority.store.named(BO) == []
    assert other not in authority.store.named(ANN)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Illegal(say("Not that.")), "its data are damaged. (Not that.)"),
        (KeyError("\x1b[2J"), r"its data are damaged. (KeyError: '\\x1b[2J')"),
    ],
)
def test_what_is_spoiled_is_told_by_its_own_sentence(error: Exception, told: str) -> None:
    with pytest.raises(rows.CorruptTable) as spoiled:
        rows.spoiled(say("its data are damaged."), error)
    assert str(spoiled.value.line if hasattr(spoiled.value, "line") else spoiled.value) == told


def test_a_table_that_runs_or_is_not_full_waits_for_nothing(authority: Authority) -> None:
    waiting = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    running = seated(authority, ANN, BO)
    assert [phase(authority.live(table)) for table in (waiting, running)] == [Phase.NOTHING] * 2


def test_plies_and_seats_cannot_be_there_twice(reopen: Callable[[], Authority]) -> None:
    """The primary keys make retries and several processes safe."""
    from diablerie.table.storage import schema

    keys = {
        table.name: [column.name for column in table.primary_key] for table in
        (schema.matches, schema.seats, schema.plies)
    }  # fmt: skip
    assert keys == {"matches": ["id"], "seats": ["match", "seat"], "plies": ["match", "ply"]}
    required = {column.name for column in schema.seats.c if not column.nullable}
    assert required == set(schema.seats.c.keys()) - {"owner", "link", "wanted", "declined"}
