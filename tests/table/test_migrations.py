"""Databases of 0.3.0 are upgraded and played on; older and newer ones are refused unchanged."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory

import diablerie
from diablerie.engine import files
from diablerie.table.authority import Authority
from diablerie.table.commands import chat, groups, history, lobby, seats, sequels
from diablerie.table.commands import decisions as decision_commands
from diablerie.table.doctor import DatabaseUnderCheck
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import visitor_of
from diablerie.table.storage import database, migrations, schema
from diablerie.table.storage.store import Store
from tests import postgres

DUMPS = Path(__file__).parent / "databases"
SOURCES = migrations.MIGRATIONS_FOLDER.parents[3]
ANN, CY = visitor_of("ann"), visitor_of("cy")
REMOVED = {"matches": "fair"}  # columns, since 0.3.0
ADDED = {"forfeits", "recollections"}  # tables, since 0.3.0
# What makes the tables of 0.3.0 of those of today
UNDONE = (
    "ALTER TABLE matches ADD COLUMN fair INTEGER DEFAULT 1 NOT NULL",
    "ALTER TABLE matches DROP COLUMN by_lines",
    "ALTER TABLE seats DROP COLUMN wanted",
    "ALTER TABLE seats DROP COLUMN wanted_name",
    "ALTER TABLE seats DROP COLUMN declined",
    "ALTER TABLE matches DROP COLUMN screen",
    "DROP TABLE forfeits",
    "DROP TABLE recollections",
)
MATCH: dict[str, Any] = dict.fromkeys(("key", "commitment", "host", "rematch"), "")
MATCH |= {"id": "m", "game": "toy", "rules": 1, "options": "{}", "status": "open"}
MATCH |= {"public": False, "created": 0.0, "revision": 0}
PLY = {"match": "m", "ply": 0, "seat": 0, "events": "[]", "at": 0.0, "since": 1}

Contents = dict[str, list[dict[str, Any]]]


@pytest.fixture(params=["sqlite", "postgresql"])
def release(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database as 0.3.0 left it: all four games, talk, a group."""
    return left_by_release(request, tmp_path, "v0011.sql")


@pytest.fixture(params=["sqlite", "postgresql"])
def evening(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same of a group of two whose evening is under way.

    Two games are over, two more are over and their tables deleted, and one runs.
    """
    return left_by_release(request, tmp_path, "v0011-evening.sql")


def left_by_release(request: pytest.FixtureRequest, tmp_path: Path, dump: str) -> str:
    """The address of a database of this kind with the contents of a dump."""
    path = restored(tmp_path / "release.db", dump)
    if request.param == "sqlite":
        return str(path)
    server: postgres.Server = request.getfixturevalue("server")
    address = server.create(f"release {tmp_path.name}")
    here, there = sa.create_engine(f"sqlite:///{path}"), sa.create_engine(address)
    with here.connect() as source, there.begin() as target:
        schema.metadata.create_all(target)
        for statement in UNDONE:
            target.exec_driver_sql(statement)
        migrations.write_version(target, migrations.INITIAL)
        tables = sa.MetaData()
        tables.reflect(target)
        target.execute(sa.delete(tables.tables["alembic_version"]))
        for table in tables.sorted_tables:
            if rows := source.execute(sa.select(table)).mappings().all():
                target.execute(sa.insert(table), list(map(dict, rows)))
    here.dispose()
    there.dispose()
    return address


@pytest.fixture(params=["", "0010"], ids=["without a version", "0010"])
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database file from before 0.3.0; the first ones had no version."""
    path = tmp_path / "older.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute("CREATE TABLE matches (id VARCHAR(32) PRIMARY KEY)")
        if request.param:
            raw.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY)")
            raw.execute("INSERT INTO alembic_version VALUES (?)", [request.param])
        raw.commit()
    path.chmod(0o600)  # or it would be mended, and told
    return path


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    empty = sa.create_engine(f"sqlite:///{tmp_path / 'empty.db'}")
    database.tune(empty, durable=False, busy=1.0)
    yield empty
    empty.dispose()


def restored(path: Path, dump: str) -> Path:
    """A SQLite file with the contents of a dump, journalled as every version of diablerie does."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
        raw.executescript((DUMPS / dump).read_text("utf-8"))
    return path


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(SOURCES)}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=env, check=False
    )


def refused(*words: str) -> str:
    """The one line that a command of diablerie says when it ends with status 2."""
    done = ran("-m", "diablerie", *words)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    return line


def contents(address: str | Path) -> Contents:
    """All rows of all tables, in the order of their columns' values."""
    engine = sa.create_engine(database.url_of(address))
    with engine.connect() as connection:
        rows = {
            name: connection.execute(sa.text(f'SELECT * FROM "{name}"')).mappings().all()
            for name in sa.inspect(connection).get_table_names()
        }
    engine.dispose()
    return {name: sorted(map(dict, rows[name]), key=repr) for name in rows}


def differences(engine: sa.Engine) -> list[object]:
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": default_differs}
        )
        return compare_metadata(context, schema.metadata)


def default_differs(*given: object) -> bool | None:
    """Alembic's own comparison (None), but for empty text, which it takes for a difference."""
    _, _, _, there, _, wanted = given
    return None if wanted != "" else str(there).partition("::")[0].strip("()") != "''"


def test_a_database_of_0_3_0_is_upgraded_without_losing_a_row(release: str):
    before = contents(release)
    assert before.pop("alembic_version") == [{"version_num": "0011"}]
    assert len([name for name in before if before[name]]) >= 9
    store = Store(release, durable=False)
    assert differences(store.engine) == []
    assert migrations.version_of(store.engine) == migrations.HEAD
    store.close()
    after = contents(release)
    assert after.pop("alembic_version") == [{"version_num": migrations.HEAD}]
    assert set(after) == set(before) | ADDED
    for name, column in REMOVED.items():
        for row in before[name]:
            del row[column]
    for name, rows in before.items():
        there = [{column: row[column] for column in rows[0]} for row in after[name]]
        assert by_key(there) == by_key(rows), name


def by_key(rows: list[dict[str, Any]]) -> list[list[tuple[str, Any]]]:
    """Rows without the order of their columns, which differs in tables that were altered."""
    return sorted((sorted(row.items()) for row in rows), key=repr)


def test_every_table_of_0_3_0_is_played_on(release: str):
    store = Store(release, durable=False)
    authority = Authority(store)
    tables = {table: authority.live(table) for table in store.all()}
    running = [live for live in tables.values() if live.status == "running"]
    assert {live.game.name for live in running} == set(diablerie.GAMES)
    for live in running:
        assert live.plies
        assert played(authority, live, 3).ply >= live.ply + 3 or authority.live(live.id).match.over
    (talk,) = [live.id for live in running if len(live.chat) == 2]
    assert [line.text for line in authority.live(talk).chat] == ["hello", "grüß dich, mulțumesc"]
    assert chat.chat(authority, talk, ANN, "still here").chat[-1].id == 3
    for live in tables.values():
        if live.status == "open" and not live.seats[1].owner:
            assert lobby.sit(authority, live.id, CY).status == "running"
    (over,) = [live for live in tables.values() if live.status == "over"]
    (finished,) = history.finished_games(authority, ANN)
    assert (finished.table, over.ply) == (over.id, 10)
    store.close()
    assert list(DatabaseUnderCheck(release).findings()) == []


def test_matches_of_0_3_0_end_by_lines_and_later_ones_do_not(release: str):
    """What began by lines verifies by lines, at every step of the way."""
    store = Store(release, durable=False)
    authority = Authority(store)
    begun = [live for live in map(authority.live, store.all()) if live.status != "open"]
    waiting = [table for table in store.all() if authority.live(table).status == "open"]
    assert begun
    assert waiting
    for live in begun:
        live = ended(authority, live)
        match = files.parse_match(authority.export(live, 0).encode(), diablerie.GAMES, dice=True)
        assert match.fair.by_lines
        assert live.by_lines
        assert not sequels.rematch(authority, live.id, ANN).by_lines
    for table in waiting:
        assert not authority.live(table).by_lines
    store.close()


def test_an_evening_of_0_3_0_is_shown_goes_on_and_counts_as_it_did(evening: str):
    store = Store(evening, durable=False)
    authority = Authority(store)
    (group,) = groups.groups_of(authority, ANN)
    assert [member.name for member in group.members] == ["Ann", "Bo"]
    series = history.series_of(authority, group.id)
    assert str(series.line) == "Ann leads 3:1."  # as 0.3.0 said
    assert [(one.games, one.wins) for one in series.standings] == [(4, 3), (4, 1)]
    assert (series.matches, series.erased) == (4, 2)
    assert [tuple(record)[:4] for record in series.records] == [
        ("coals", False, 610, "Bo"), ("coals", True, 250, "Ann"), ("tails", False, 72, "Ann"),
    ]  # fmt: skip
    (running,) = groups.tables_of(authority, group)
    assert (running.game.name, running.status, running.ply) == ("tails", "running", 9)
    assert len(history.finished_games(authority, ANN)) == 2
    over = ended(authority, running)
    assert over.status == "over"
    again = history.series_of(authority, group.id)
    assert again.matches == 5
    assert sum(one.wins for one in again.standings) > 4
    assert groups.tables_of(authority, group) == []
    assert len(history.finished_games(authority, ANN)) == 3
    next_one = groups.open_evening(authority, group.link, ANN, "tails", [1])
    assert groups.sit(authority, group.link, visitor_of("bo"), next_one.id, [2]).status == "running"
    store.close()
    assert list(DatabaseUnderCheck(evening).findings()) == []


def ended(authority: Authority, live: TableState) -> TableState:
    """The table after its end: the first seat whose resignation ends the match resigns."""
    live = played(authority, live, 6)
    for info in live.seats:
        if live.status == "running" and info.owner:
            live = seats.resign(authority, live.id, info.owner, info.seat)
    return live


def played(authority: Authority, live: TableState, decisions: int) -> TableState:
    """The table after so many of the first moves there are, by whoever is to decide."""
    for _ in range(decisions):
        if live.status != "running":
            break
        seat = live.pending[0]
        move = live.position(seat).moves[0].text
        info = live.seats[seat]
        if info.driver:
            live = decision_commands.decide_as_bot(authority, live.id, seat, live.ply, move)
        else:
            assert info.owner is not None
            live = decision_commands.decide(authority, live.id, info.owner, live.ply, move, seat)
    return live


def test_a_database_is_upgraded_by_one_process_only(release: str):
    Store(release, durable=False).close()
    after = contents(release)
    Store(release, durable=False).close()
    assert contents(release) == after


def test_an_upgrade_that_fails_changes_nothing(release: str, monkeypatch: pytest.MonkeyPatch):
    before, upgrade = contents(release), migrations.upgrade

    def fails(connection: sa.Connection) -> None:
        upgrade(connection)
        assert "fair" not in {c["name"] for c in sa.inspect(connection).get_columns("matches")}
        connection.exec_driver_sql("SELECT nothing_there")

    monkeypatch.setattr(migrations, "upgrade", fails)
    with pytest.raises(ValueError, match="nothing_there"):
        Store(release, durable=False)
    assert contents(release) == before


def test_an_older_database_is_refused_and_not_changed(older: Path):
    before = older.read_bytes()
    for opening in (Store, DatabaseUnderCheck):
        with pytest.raises(ValueError, match=r"older than those of diablerie 0\.3\.0"):
            opening(str(older))
    assert older.read_bytes() == before
    assert not is_open(older)


def test_serve_refuses_an_older_database_in_one_sentence(older: Path):
    before = older.read_bytes()
    line = refused("serve", "--port", "0", "--no-open", "--db", str(older))
    assert f"{older}: its tables are older" in line
    assert older.read_bytes() == before


def test_an_older_database_on_a_server_is_refused_and_not_changed(server: postgres.Server):
    address = server.create("older")
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        schema.matches.create(connection)
        migrations.write_version(connection, "0010")
        connection.execute(sa.insert(schema.matches).values(**MATCH))
    engine.dispose()
    before = contents(address)
    for opening in (Store, DatabaseUnderCheck):
        with pytest.raises(ValueError, match=r"diablerie 0\.3\.0"):
            opening(address)
    assert contents(address) == before


def test_a_newer_database_is_refused_in_one_sentence(tmp_path: Path):
    path = tmp_path / "tables.db"
    Store(path, durable=False).close()
    with closing(sqlite3.connect(path)) as raw, raw:  # and commits
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    line = refused("serve", "--port", "0", "--no-open", "--db", str(path))
    assert "9999" in line
    assert "newer diablerie" in line
    with pytest.raises(ValueError, match="newer diablerie"):
        DatabaseUnderCheck(str(path))


def test_the_doctor_does_not_upgrade(release: str):
    before = contents(release)
    with pytest.raises(ValueError, match="`diablerie serve` upgrades"):
        DatabaseUnderCheck(release)
    assert contents(release) == before
    if "://" not in release:
        assert not is_open(Path(release))


def is_open(path: Path) -> bool:
    """Whether this process has a file open."""
    files = Path("/proc/self/fd").iterdir()
    return path in [file.readlink() for file in files if file.is_symlink()]


def test_the_files_form_one_line_from_0_3_0_to_head():
    files = ScriptDirectory(str(migrations.MIGRATIONS_FOLDER))
    numbers = range(int(migrations.HEAD), int(migrations.INITIAL), -1)
    assert [r.revision for r in files.walk_revisions()] == [f"{n:04}" for n in numbers]


def test_a_new_database_is_created_without_alembic_and_has_a_version(tmp_path: Path):
    code = (
        "import sys; from diablerie.table.storage.store import Store; "
        f"store = Store({str(tmp_path / 'new.db')!r}); store.close(); "
        f"Store({str(tmp_path / 'new.db')!r}).close(); print('alembic' in sys.modules)"
    )
    done = ran("-c", code)
    assert done.stdout == "False\n", "it would make every start slower"
    assert contents(tmp_path / "new.db")["alembic_version"] == [{"version_num": migrations.HEAD}]


def test_a_table_made_anew_keeps_what_refers_to_it(engine: sa.Engine):
    migrations.prepare(engine)
    with engine.begin() as connection:
        for table, row in (("matches", MATCH), ("plies", PLY)):
            connection.execute(sa.insert(schema.metadata.tables[table]).values(**row))
    with migrations._without_foreign_keys(engine) as connection, connection.begin():
        operations = Operations(MigrationContext.configure(connection))
        with operations.batch_alter_table("matches") as batch:
            batch.alter_column("host", type_=sa.String(80))
    with engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(schema.plies)).scalar()
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
