"""Databases of every version: upgraded, played on, and refused when they are newer."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from diablerie.table.authority import Authority
from diablerie.table.doctor import DatabaseUnderCheck
from diablerie.table.state.visitors import visitor_of
from diablerie.table.storage import database, migrations, schema
from diablerie.table.storage.store import Store

DUMPS = sorted((Path(__file__).parent / "databases").glob("*.sql"))
SOURCES = migrations.FOLDER.parents[2]
ANN, BO = visitor_of("ann"), visitor_of("bo")


@pytest.fixture(params=DUMPS, ids=lambda path: path.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database as an older version left it: Ann and Bo play COALS, and Ann waits at TAILS."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(request.param.read_text("utf-8"))
    return path


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    made = sa.create_engine(f"sqlite:///{tmp_path / 'empty.db'}")
    database.tune(made, durable=False, busy=1.0)
    yield made
    made.dispose()


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(SOURCES)}
    command = [sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def contents(path: Path) -> dict[str, list[dict[str, object]]]:
    with sqlite3.connect(path) as raw:
        raw.row_factory = sqlite3.Row
        names = [row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        return {name: [dict(row) for row in raw.execute(f"SELECT * FROM {name}")] for name in names}


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


def test_an_old_database_is_upgraded_and_played_on(old: Path):
    before = contents(old)
    store = Store(old, durable=False)
    after = contents(old)
    assert differences(store.engine) == []
    assert migrations.found(store.engine) == migrations.HEAD
    waiting = [row["id"] for row in before["matches"] if row["status"] == "open"]
    for name, rows in before.items():
        assert len(rows) == len(after[name])
        for was, now in zip(rows, after[name], strict=True):
            if name == "seats" and now["match"] in waiting:
                del was["nonce"]  # given anew, when the match starts
            if "seq" in was:
                was["ply"] = was.pop("seq")  # called so since 0005
            assert name == "alembic_version" or was.items() <= now.items()
    authority = Authority(store)
    (running,) = authority.store.tables(("running",))
    live = authority.live(running)
    (seat,) = live.pending
    owner = live.seats[seat].owner
    assert owner in (ANN, BO)
    move = live.position(seat).moves[0].text
    assert authority.play.act(running, owner, seat, live.ply, [move]).ply > live.ply
    assert live.chat[0].text == "hello"
    (waiting,) = authority.store.tables(("open",))
    assert authority.lobby.sit(waiting, BO).status == "running"
    store.close()
    assert list(DatabaseUnderCheck(str(old)).findings()) == []


def test_an_upgrade_that_was_cut_short_is_gone_on_with(tmp_path: Path):
    """0.1 made new tables first, and added columns after that."""
    path = tmp_path / "half.db"
    with sqlite3.connect(path) as raw:
        raw.executescript(DUMPS[0].read_text("utf-8"))
        raw.execute("ALTER TABLE matches ADD COLUMN hints BOOLEAN NOT NULL DEFAULT 0")
    store = Store(path, durable=False)
    assert differences(store.engine) == []
    store.close()


def test_models_and_files_agree(engine: sa.Engine):
    with migrations._unbound(engine) as connection, connection.begin():
        migrations.upgrade(connection)
    assert differences(engine) == []
    files = ScriptDirectory(str(migrations.FOLDER))
    assert files.get_current_head() == migrations.HEAD
    assert [r.revision for r in files.walk_revisions()] == sorted(
        (f"{n:04}" for n in range(1, int(migrations.HEAD) + 1)), reverse=True
    )


def test_a_new_database_is_laid_out_at_once_and_has_a_version(tmp_path: Path):
    code = (
        "import sys; from diablerie.table.storage.store import Store; "
        f"store = Store({str(tmp_path / 'new.db')!r}); store.close(); "
        f"Store({str(tmp_path / 'new.db')!r}).close(); print('alembic' in sys.modules)"
    )
    done = ran("-c", code)
    assert done.stdout == "False\n", "it would make every start slower"
    assert contents(tmp_path / "new.db")["alembic_version"] == [{"version_num": migrations.HEAD}]


def test_an_upgrade_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch):
    before = contents(old)

    def fails(connection: sa.Connection, *_: object) -> None:
        connection.execute(sa.delete(schema.plies))
        raise RuntimeError("power cut")

    monkeypatch.setattr(migrations, "upgrade", fails)
    monkeypatch.setattr(migrations, "HEAD", "9999")
    with pytest.raises(RuntimeError):
        Store(old, durable=False)
    assert contents(old) == before


def test_a_table_made_anew_keeps_what_refers_to_it(engine: sa.Engine):
    from alembic.operations import Operations

    migrations.prepare(engine)
    with engine.begin() as connection:
        for table, row in (("matches", MATCH), ("plies", PLY)):
            connection.execute(sa.insert(schema.metadata.tables[table]).values(**row))
    with migrations._unbound(engine) as connection, connection.begin():
        operations = Operations(MigrationContext.configure(connection))
        with operations.batch_alter_table("matches") as batch:
            batch.alter_column("host", type_=sa.String(80))
    with engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(schema.plies)).scalar()
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


MATCH = {
    "id": "m", "game": "toy", "rules": 1, "options": "{}", "key": "", "commitment": "",
    "status": "open", "public": False, "host": "", "created": 0.0, "rematch": "", "revision": 0,
}  # fmt: skip
PLY = {"match": "m", "ply": 0, "seat": 0, "events": "[]", "at": 0.0, "since": 1}


def test_a_newer_database_is_refused_in_one_sentence(tmp_path: Path):
    path = tmp_path / "tables.db"
    Store(path, durable=False).close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    done = ran("-m", "diablerie", "serve", "--port", "0", "--no-open", "--db", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "9999" in line
    assert "newer diablerie" in line
    with pytest.raises(ValueError, match="newer diablerie"):
        DatabaseUnderCheck(str(path))


def test_the_doctor_does_not_upgrade(old: Path):
    before = old.read_bytes()
    with pytest.raises(ValueError, match="diablerie serve") as refused:
        DatabaseUnderCheck(str(old))
    assert old.read_bytes() == before
    assert not held(old), f"{refused} keeps it open"


def held(path: Path) -> bool:
    """Whether this process has a file open."""
    files = Path("/proc/self/fd").iterdir()
    return path in [file.readlink() for file in files if file.is_symlink()]
