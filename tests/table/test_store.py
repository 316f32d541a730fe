"""What is durable: tables come back as they were, snapshots are only a shortcut."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from diablerie.table.authority import Authority
from diablerie.table.commands import chat, lobby, seats, sequels
from diablerie.table.errors import NotFound
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import visitor_of
from diablerie.table.storage import rows, schema
from diablerie.table.storage.store import Conflict, Store, Write
from tests.table.conftest import ANN, BO, CY, Clock, play, seated

ON_BOTH = True  # kinds of databases


def same(a: TableState, b: TableState) -> bool:
    """Whether two states of a table are equal in everything that is stored."""
    assert a.match is not None
    assert b.match is not None
    assert a.match.state.tobytes() == b.match.state.tobytes()
    assert (a.match.events, a.match.fair) == (b.match.events, b.match.fair)
    return replace(a, match=None, version=0) == replace(b, match=None, version=0)


def long_game(authority: Authority, rounds: int = 3) -> str:
    """Without chance: four plies of each of four seats in every round."""
    table = seated(authority, ANN, BO, CY, visitor_of("di"))
    for _ in range(rounds):
        play(authority, table, *(f"{seat} bid 1" for seat in range(4)))
        for seat in range(4):
            play(authority, table, f"{seat} swap", f"{seat} pick 1", f"{seat} pick 2")
    return table


def test_a_table_comes_back_as_it_was(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    table = long_game(authority, 2)
    play(authority, table, "0 bid 0", "1 bid 1")
    chat.chat(authority, table, ANN, "hello")
    assert authority.live(table).ply == 35
    assert same(authority.live(table), reopen().live(table))


def test_every_field_of_a_table_has_its_column_and_every_column_its_field(authority: Authority):
    live = authority.live(seated(authority, ANN, BO))
    row = rows.match_row(live)
    assert row.keys() | {"key"} == set(schema.matches.c.keys())
    elsewhere = {"seats", "match", "chat"}  # rows of their own
    fleeting = {"version"}
    read = rows.match_fields(SimpleNamespace(**row), live.game)
    assert read.keys() | elsewhere | fleeting == {field.name for field in fields(TableState)}
    assert read == {name: getattr(live, name) for name in read}


def test_errors_of_the_database_are_told_without_the_values(authority: Authority) -> None:
    wrong = sa.text("SELECT :secret FROM nowhere")
    with authority.store.engine.connect() as one, pytest.raises(sa.exc.DBAPIError) as failed:
        one.execute(wrong, {"secret": "hush"})
    assert "nowhere" in str(failed.value)
    assert "hush" not in str(failed.value)


def test_tables_are_counted_by_how_far_they_are(authority: Authority) -> None:
    assert authority.store.counted() == {}
    first, *_ = (seated(authority, ANN, BO) for _ in range(3))
    lobby.open_table(authority, ANN, "toy", ["me", "open"])
    seats.resign(authority, first, ANN, 0)
    assert authority.store.counted() == {"open": 1, "running": 2, "over": 1}


def test_chance_comes_back_as_it_was(authority: Authority, reopen: Callable[[], Authority]) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 0", "1 bid 1", "0 look", "0 step", "0 step")
    assert same(authority.live(table), reopen().live(table))


@pytest.mark.parametrize("spoil", ["delete", "layout", "ahead", "size"])
def test_snapshots_are_only_a_shortcut(
    authority: Authority, reopen: Callable[[], Authority], spoil: str
) -> None:
    table = long_game(authority)
    s = schema.snapshots
    change = {
        "delete": sa.delete(s),
        "layout": sa.update(s).values(layout="older", state=b"junk"),
        "ahead": sa.update(s).values(ply=999, state=b"junk"),
        "size": sa.update(s).values(state=b"x"),
    }[spoil]
    before = authority.store.load(table)
    assert before is not None
    assert before.snapshot.ply == 49
    authority.store.commit(change)
    assert same(authority.live(table), reopen().live(table))


def test_a_good_snapshot_is_used(authority: Authority, reopen: Callable[[], Authority]) -> None:
    table = long_game(authority)
    stored = authority.store.load(table)
    assert stored is not None
    assert stored.snapshot.ply == authority.live(table).ply
    marked = bytearray(stored.snapshot.state)
    marked[-1] = 77  # a sign that replaying would not give
    authority.store.commit(sa.update(schema.snapshots).values(state=bytes(marked)))
    match = reopen().live(table).match
    assert match is not None
    assert match.state.marks[3] == 77


def test_a_change_is_written_whole_or_not_at_all(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    live = authority.live(table)
    ply = {"match": table, "ply": 1, "seat": 0, "events": "[]", "at": 0.0, "since": 1}
    twice = [sa.insert(schema.plies).values(ply), sa.insert(schema.plies).values(ply)]
    with pytest.raises(Conflict):
        authority.store.commit(*twice)
    nobody = sa.update(schema.matches).where(schema.matches.c.id == "none").values(host="x")
    with pytest.raises(Conflict):
        authority.store.commit(sa.insert(schema.plies).values(ply), Write(nobody, expect=1))
    authority.forget(table)
    assert same(live, authority.live(table))


def test_the_database_waits_for_the_disk(tmp_path: Path) -> None:
    store = Store(tmp_path / "new folder" / "x.db")
    with store.engine.connect() as connection:
        modes = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    store.close()
    assert modes == ["wal", 2, 1]


def test_the_key_stays_out_of_reach_until_the_start(authority: Authority) -> None:
    live = lobby.open_table(authority, ANN, "toy", ["me", "open"])
    assert authority.store.key(live.id).hex() not in repr(live)


def test_tables_that_never_begin_are_removed(authority: Authority, clock: Clock) -> None:
    old, running = (
        lobby.open_table(authority, ANN, "toy", ["me", "open"]).id,
        seated(authority, ANN, BO),
    )
    clock.now += 100
    young = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    assert authority.sweep(50) == 1
    with pytest.raises(NotFound):
        authority.live(old)
    assert {live.id for live in authority.mine(ANN)} == {running, young}


def test_two_processes_agree_on_one_rematch(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    table, other = long_game(authority), reopen()
    other.live(table)
    new = sequels.rematch(authority, table, ANN).id
    assert sequels.rematch(other, table, BO).id == new
    assert len(other.mine(ANN)) == 1


def test_layouts_are_named_by_the_sources() -> None:
    assert len(rows.layout()) == 16
