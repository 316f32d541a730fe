"""The store on PostgreSQL: what differs from a file, and what must not."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from diablerie import cli
from diablerie.engine import extras
from diablerie.table.authority import Authority
from diablerie.table.commands import lobby
from diablerie.table.doctor import DatabaseUnderCheck
from diablerie.table.errors import BadInput, NotFound, Unavailable
from diablerie.table.storage import migrations, schema
from diablerie.table.storage.store import Conflict, Health, Store, Write
from tests import postgres
from tests.table.conftest import ANN, BO, GAMES, play, seated


@pytest.fixture
def store(served: str) -> Iterator[Store]:
    made = Store(served, busy=0.3)
    yield made
    made.close()


@pytest.fixture
def authority(store: Store) -> Authority:
    return Authority(store, GAMES)


def test_what_it_cannot_hold_is_refused_as_input(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    with pytest.raises(NotFound):
        authority.live("no\x00table")
    here = sa.update(schema.seats).where(schema.seats.c.match == table)
    for text in ("a\x00b", "x" * 100):
        with pytest.raises(BadInput):
            authority.store.commit(here.values(name=text))
    assert authority.store.trouble == "", "nothing is wrong with the database"


def test_rows_that_are_locked_are_told_as_trouble_until_it_goes_well_again(
    authority: Authority, store: Store
) -> None:
    table = seated(authority, ANN, BO)
    with store.engine.begin() as other:
        other.execute(sa.select(schema.matches).with_for_update())
        with pytest.raises(Unavailable):
            lobby.publish(authority, table, ANN, True)
        assert "lock timeout" in store.trouble
    lobby.publish(authority, table, ANN, True)
    assert store.trouble == ""


@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_a_transaction_that_gave_way_to_another_is_a_conflict(store: Store, state: str) -> None:
    way = f"DO $$ BEGIN RAISE EXCEPTION 'make way' USING ERRCODE = '{state}'; END $$"
    with pytest.raises(Conflict, match="make way"):
        store.commit(sa.text(way))
    assert store.trouble == ""


def test_a_database_that_takes_no_writes_is_not_healthy(served: str) -> None:
    store = Store(f"{served}&options=-c%20default_transaction_read_only%3Don")
    health = Health(store)
    health.check()
    assert "read-only" in health.trouble
    with pytest.raises(Unavailable):
        lobby.open_table(Authority(store, GAMES), ANN, "toy", ["me", "open"])
    store.close()


def test_the_doctor_reads_it(authority: Authority, served: str) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1")
    patient = DatabaseUnderCheck(served, GAMES)
    assert list(patient.findings()) == []
    assert patient.count == 1
    plies = sa.delete(schema.plies).where(schema.plies.c.ply == 1)
    authority.store.commit(Write(plies, expect=1))
    ((where, why),) = DatabaseUnderCheck(served, GAMES).findings()
    assert (where, why) == (table, "ply 2 is missing.")


def test_a_database_of_a_newer_program_is_refused(server: postgres.Server) -> None:
    address = server.create("newer")
    Store(address).close()
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        connection.execute(sa.update(migrations.version_table).values(version_num="9999"))
    engine.dispose()
    for opening in (Store, DatabaseUnderCheck):
        with pytest.raises(ValueError, match="newer diablerie") as refused:
            opening(address)
        assert "\n" not in str(refused.value)


def test_a_database_that_knows_no_letters_is_refused_in_one_line(
    server: postgres.Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `createdb` alone makes it where the server was set up without a locale."""
    address = server.create("bytes", "SQL_ASCII")
    for words in (["serve", "--port", "0", "--no-open"], ["bots"], ["doctor"]):
        monkeypatch.setattr(sys, "argv", ["diablerie", *words, "--db", address])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "SQL_ASCII" in line
        assert "createdb -E UTF8 -T template0" in line


def test_what_an_older_alphabet_lacks_is_refused_as_input(server: postgres.Server) -> None:
    store = Store(server.create("western", "LATIN1"))
    authority = Authority(store, GAMES)
    table = seated(authority, ANN, BO)
    lobby.rename(authority, table, ANN, 0, "Müller")
    with pytest.raises(BadInput):
        lobby.rename(authority, table, ANN, 0, "Ştefan")
    assert authority.live(table).seats[0].name == "Müller"
    store.close()


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://devil:geheim@127.0.0.1:1/tables", "connection failed"),
        ("postgres://devil:geheim@127.0.0.1:1/tables", "connection failed"),
        ("postgresql://devil:geheim@[::/tables", "no address of a database"),
        ("mysql://devil:geheim@localhost/tables", "only SQLite and PostgreSQL"),
        ("nonsense://devil:geheim@localhost", "no address of a database"),
    ],
)
def test_what_cannot_be_reached_is_one_line_without_the_password(address: str, told: str) -> None:
    for opening in (Store, DatabaseUnderCheck):
        with pytest.raises(ValueError, match=told) as refused:
            opening(address)
        assert "geheim" not in str(refused.value)
        assert "\n" not in str(refused.value)


def test_without_its_driver_it_is_said_what_to_install() -> None:
    code = (
        "import sys; sys.modules['psycopg'] = None; "
        "from diablerie.table.storage.store import Store; Store('postgresql://localhost/tables')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(extras.install("postgres"))
    assert "ValueError: PostgreSQL needs psycopg" in done.stderr
