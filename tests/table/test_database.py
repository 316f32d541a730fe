"""The database locked, full, read-only, gone, damaged; and the doctor who reads it."""

import errno
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from diablerie.table.authority import Authority
from diablerie.table.bots import driver
from diablerie.table.commands import chat, lobby
from diablerie.table.doctor import DatabaseUnderCheck
from diablerie.table.errors import Unavailable
from diablerie.table.storage import database, lock, schema
from diablerie.table.storage.lock import Lock
from diablerie.table.storage.store import Health, Store
from tests.stores import new_store
from tests.table.conftest import ANN, BO, GAMES, play, seated
from tests.table.test_driver import driving, wait
from tests.table.test_faults import SPOILED, spoil

BUSY = 0.05  # seconds


def locked(path: Path) -> sqlite3.Connection:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


def test_a_locked_database_is_told_and_nothing_is_half_done(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(tmp_path / "tables.db", durable=False, busy=0.01)
    authority = Authority(store, GAMES)
    health = Health(store)
    table = seated(authority, ANN, BO)
    other = locked(tmp_path / "tables.db")
    for _ in range(3):
        with pytest.raises(Unavailable) as refused:
            play(authority, table, "0 bid 1")
    assert (refused.value.status, refused.value.retry) == (503, 5)
    assert "locked" in health.trouble
    assert len(caplog.records) == 1
    assert authority.live(table).ply == 1
    other.close()
    health.check()
    assert health.trouble == ""
    play(authority, table, "0 bid 1")
    assert authority.live(table).ply == 2
    store.close()


def test_a_connection_waits_for_a_lock_from_its_first_statement_on(tmp_path: Path) -> None:
    engine = database.connect(tmp_path / "tables.db", durable=False, busy=BUSY, writes=True)
    with closing(engine.raw_connection()) as raw:
        assert raw.cursor().execute("PRAGMA busy_timeout").fetchone() == (1000 * BUSY,)
    engine.dispose()


def test_writers_of_one_server_wait_for_each_other_and_are_not_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.db", durable=False, busy=BUSY)
    writes = threading.Event()

    def write_long() -> None:
        with store.writing():
            writes.set()
            time.sleep(10 * BUSY)

    slow = threading.Thread(target=write_long)
    slow.start()
    writes.wait()
    store.commit(sa.insert(schema.uptime).values(id=1, seconds=1.0))
    slow.join()
    assert store.column(schema.uptime.c.seconds) == [1.0]
    store.close()


def test_while_another_process_locks_the_file_all_writers_are_refused_together(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "tables.db", durable=False, busy=0.5)
    other = locked(tmp_path / "tables.db")
    refused: list[str] = []

    def write() -> None:
        with pytest.raises(Unavailable):
            store.commit(sa.insert(schema.uptime).values(id=1, seconds=1.0))
        refused.append(store.trouble)

    threads = [threading.Thread(target=write) for _ in range(8)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["database is locked"] * 8
    assert time.monotonic() - began < 6 * 0.5, "one after the other it takes 8 times as long"
    other.close()
    store.close()


@pytest.mark.parametrize("before", [0o644, 0o640, None])
def test_whoever_is_not_the_owner_cannot_read_a_database(
    tmp_path: Path, before: int | None, caplog: pytest.LogCaptureFixture
) -> None:
    """A group that was let in on purpose stays in."""
    path = tmp_path / "tables.db"
    if before:
        Store(path, durable=False).close()
        path.chmod(before)
    with closing(Store(path, durable=False)) as store:
        store.stamps(["x"])
        files = sorted(tmp_path.iterdir())
        assert {file.name for file in files} == {f"tables.db{end}" for end in ("", "-shm", "-wal")}
        wanted = 0o640 if before == 0o640 else 0o600
        assert {file.stat().st_mode & 0o777 for file in files} == {wanted}
    assert ("everybody on this machine could read" in caplog.text) is (before == 0o644)


def test_any_write_that_succeeds_ends_the_trouble(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.db", durable=False, busy=0.01)
    other = locked(tmp_path / "tables.db")
    with pytest.raises(Unavailable):
        store.commit()
    assert "locked" in store.trouble
    other.close()
    with store.writing():
        pass
    assert store.trouble == ""
    store.close()


def test_a_store_closes_what_is_given_back_or_asked_for_after_its_end(tmp_path: Path) -> None:
    """Threads may still be at work then."""
    store = new_store(tmp_path / "tables.db")
    opened: list[sqlite3.Connection] = []
    sa.event.listen(store.engine, "connect", lambda raw, _: opened.append(raw))
    with store.engine.connect() as early, store.engine.connect():
        store.close()
        assert early.exec_driver_sql("SELECT 1").scalar() == 1
    with store.engine.connect() as late:
        assert late.exec_driver_sql("SELECT 1").scalar() == 1
    assert len(opened) >= 2
    assert [raw for raw in opened if is_open(raw)] == []


def is_open(raw: sqlite3.Connection) -> bool:
    try:
        raw.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return False
    return True


def test_a_full_disk_is_told_and_nothing_is_half_done(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.db", durable=False)
    authority = Authority(store, GAMES)
    table = seated(authority, ANN, BO)
    with store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    store.engine.dispose()

    def small(raw: Any, _: Any) -> None:
        raw.execute(f"PRAGMA max_page_count={pages}")

    sa.event.listen(store.engine, "connect", small)
    store._files = {}  # the pool was emptied, and with it went the log
    with pytest.raises(Unavailable):
        authority.store.commit(sa.update(schema.plies).values(events="x" * 100_000))
    assert "full" in store.trouble
    authority.forget(table)
    assert authority.live(table).ply == 1
    store.close()


def test_a_database_that_is_read_only_is_told(authority: Authority, tmp_path: Path) -> None:
    table = seated(authority, ANN, BO)
    uri = f"sqlite:///file:{tmp_path}/tables.db?mode=ro&uri=true"
    reading = Authority(Store(uri, lay=False), GAMES)
    with pytest.raises(Unavailable):
        play(reading, table, "0 bid 1")
    assert "readonly" in reading.store.trouble
    assert reading.live(table).ply == 1
    reading.store.close()


@pytest.mark.parametrize("how", ["removed", "replaced", "log removed"])
def test_a_file_that_goes_while_in_use_is_noticed_before_anything_is_acknowledged(
    authority: Authority, tmp_path: Path, how: str
) -> None:
    table, path = seated(authority, ANN, BO), tmp_path / "tables.db"
    if how == "replaced":
        shutil.copy(path, tmp_path / "copy.db")
        (tmp_path / "copy.db").replace(path)
    else:
        (path if how == "removed" else path.with_name("tables.db-wal")).unlink()
    with pytest.raises(Unavailable, match="Restart the server"):
        play(authority, table, "0 bid 1")
    with pytest.raises(Unavailable):
        lobby.open_table(authority, ANN, "toy", ["me", "open"])
    health = Health(authority.store)
    health.check()
    assert "replaced" in health.trouble
    assert "restart diablerie" in health.trouble


def test_a_file_that_is_put_back_is_gone_on_with(authority: Authority, tmp_path: Path) -> None:
    table, path = seated(authority, ANN, BO), tmp_path / "tables.db"
    path.rename(tmp_path / "away.db")
    with pytest.raises(Unavailable):
        play(authority, table, "0 bid 1")
    (tmp_path / "away.db").rename(path)
    before = authority.live(table).ply
    play(authority, table, f"{authority.live(table).pending[0]} bid 1")
    assert authority.live(table).ply == before + 1
    assert authority.store.trouble == ""


@pytest.mark.parametrize("when", ["at the start", "under play"])
def test_bots_go_on_soon_after_a_file_was_put_back(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """However long it was away: only pauses after a bot's own faults grow."""
    monkeypatch.setattr(driver, "FIRST_BOT_RETRY_SECONDS", 0.01)
    table = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
    play(authority, table, "0 bid 1")
    path, away, refused, true = tmp_path / "tables.db", tmp_path / "away.db", 0, Store._note_trouble

    def ill(store: Store, trouble: str) -> None:
        nonlocal refused
        refused += 1
        true(store, trouble)

    monkeypatch.setattr(Store, "_note_trouble", ill)
    if when == "at the start":
        path.rename(away)
    with driving(authority, tempo=0.3) as devils:
        if when == "under play":
            wait(lambda: table in devils.turns._queued)
            path.rename(away)
        wait(lambda: refused > 15, 20)  # pauses that double would take 0.01 s times 2 ** 15
        away.rename(path)
        wait(lambda: authority.live(table).pending == [0], 20)
    assert authority.live(table).ply == 3


def test_no_bot_thinks_in_vain_while_the_database_is_away(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
    play(authority, table, "0 bid 1")
    (tmp_path / "tables.db").rename(tmp_path / "away.db")
    with pytest.raises(Unavailable):
        chat.chat(authority, table, ANN, "hello?")
    devils = driver.BotPlayer(authority)
    monkeypatch.setattr(devils, "_bot", lambda *_: pytest.fail("it thinks"))
    assert devils.play_due_turn(table) == driver.FIRST_BOT_RETRY_SECONDS


def test_what_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    path.write_bytes(b"what is this? " * 500)
    path.chmod(0o644)
    with pytest.raises(ValueError, match="cannot be opened as a database"):
        Store(path)
    assert path.stat().st_mode & 0o777 == 0o644, "what is not ours keeps its rights"


@pytest.mark.parametrize("where", ["~/tables.db", "sqlite:///~/tables.db"])
def test_a_home_that_no_shell_has_read_is_the_home(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in units and files of settings."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert database.file_of(where) == tmp_path / "tables.db"
    assert database.file_of("./~/tables.db") == Path("~/tables.db")


def test_where_nothing_can_be_locked_nobody_else_is_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock.fcntl, "flock", refused)
    with pytest.raises(ValueError, match=r"tables\.db\.lock cannot be locked \(No locks"):
        Lock(tmp_path / "tables.db")


ANOTHER = """
import sys
from pathlib import Path
from diablerie.table.storage.lock import Lock
for name in sys.argv[1:]:
    try:
        Lock(Path(name)).release()
        print("well")
    except ValueError as error:
        print(error)
"""


def told(*names: Path) -> list[str]:
    """What another process is told that wants to serve a file by each of these names."""
    command = [sys.executable, "-c", ANOTHER, *map(str, names)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")


def test_a_file_is_the_same_by_every_name(tmp_path: Path) -> None:
    path, folder = tmp_path / "one" / "tables.db", tmp_path / "two"
    folder.mkdir()
    symbolic, hard = tmp_path / "symbolic.db", folder / "hard.db"
    held = Lock(path)
    symbolic.symlink_to(path)
    hard.hardlink_to(path)
    names = [path, symbolic, folder / ".." / "one" / "tables.db", hard]
    *refused, well, _ = told(*names, folder / "tables.db")
    assert [line.startswith("another diablerie") for line in refused] == [True] * 4
    assert well == "well"
    for name in names:
        with pytest.raises(ValueError, match="another diablerie"):
            Lock(name)
    held.release()
    assert told(*names) == [*["well"] * 4, ""]
    by_another_name = Lock(hard)
    assert "under another name" in told(path)[0]
    by_another_name.release()


def test_to_hold_a_file_is_not_to_lose_what_sqlite_has_locked(tmp_path: Path) -> None:
    path, hard = tmp_path / "tables.db", tmp_path / "hard.db"
    held = Lock(path)
    store = Store(path, busy=0.01)
    hard.hardlink_to(path)
    writes = "import sqlite3, sys; sqlite3.connect(sys.argv[1], 0, isolation_level=None)"
    command = [sys.executable, "-c", f"{writes}.execute('BEGIN IMMEDIATE')", str(path)]
    with store.engine.begin():
        for name in (path, hard):
            with pytest.raises(ValueError, match="another diablerie"):
                Lock(name)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert "database is locked" in done.stderr
    held.release()
    with store.engine.begin():  # somebody may still write when it is let go
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "database is locked" in done.stderr
    store.close()
    assert subprocess.run(command, check=False).returncode == 0


def test_what_cannot_be_locked_is_left_to_whoever_opens_it(tmp_path: Path) -> None:
    held = Lock(tmp_path)
    with pytest.raises(ValueError, match="cannot be opened as a database"):
        Store(tmp_path)
    held.release()


def damage(path: Path) -> None:
    """Overwrite all pages but the first few."""
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    data[4096 * 3 :] = b"\xff" * (len(data) - 4096 * 3)
    path.write_bytes(data)


def test_a_damaged_file_is_not_healthy(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    store = Store(path, durable=False)
    seated(Authority(store, GAMES), ANN, BO)
    health = Health(store)
    health.check(deep=True)
    assert health.trouble == ""
    damage(path)
    store.engine.dispose()
    store._files = {}
    health.check(deep=True)
    assert health.trouble != ""
    health.check()
    assert health.trouble != "", "no later success makes it good"
    store.close()


# -- the doctor --------------------------------------------------------------------------------


def findings(path: Path) -> list[tuple[str, str]]:
    return [tuple(found) for found in DatabaseUnderCheck(str(path), GAMES).findings()]


def test_a_sound_database_has_nothing(authority: Authority, tmp_path: Path) -> None:
    seated(authority, ANN, BO)
    patient = DatabaseUnderCheck(str(tmp_path / "tables.db"), GAMES)
    assert list(patient.findings()) == []
    assert patient.count == 1


@pytest.mark.parametrize("how", SPOILED)
def test_the_doctor_finds_and_explains(authority: Authority, tmp_path: Path, how: str) -> None:
    spoiled, _ = spoil(authority, how)
    before = (tmp_path / "tables.db").read_bytes()
    ((table, why),) = findings(tmp_path / "tables.db")
    assert table == spoiled
    assert SPOILED[how][1] in why
    assert (tmp_path / "tables.db").read_bytes() == before


def test_the_doctor_compares_snapshots_and_reads_the_file(
    authority: Authority, tmp_path: Path
) -> None:
    table = seated(authority, ANN, BO)
    for _ in range(3):
        play(authority, table, "0 bid 1", "1 bid 1", "0 rest", "1 rest")
    stored = authority.store.load(table)
    assert stored is not None
    wrong = bytearray(stored.snapshot.state)
    wrong[-1] = 77
    authority.store.commit(sa.update(schema.snapshots).values(state=bytes(wrong)))
    orphan = f"INSERT INTO chat VALUES ('{'n' * 8}', 1, 0, 'hm', 0)"
    with closing(sqlite3.connect(tmp_path / "tables.db")) as raw, raw:  # and commits
        raw.execute(orphan)
    told = dict(findings(tmp_path / "tables.db"))
    assert "snapshot" in told[table]
    assert "chat" in told[""]
    authority.store.close()
    damage(tmp_path / "tables.db")
    assert findings(tmp_path / "tables.db")[0][0] == ""


def test_the_doctor_names_a_table_whose_rows_cannot_be_read_and_reads_the_others(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = sorted(seated(authority, ANN, BO) for _ in range(3))
    patient = DatabaseUnderCheck(str(tmp_path / "tables.db"), GAMES)
    load = patient.store.load

    def loaded(table: str) -> Any:
        if table == tables[1]:
            raise Unavailable
        return load(table)

    monkeypatch.setattr(patient.store, "load", loaded)
    ((table, why),) = patient.findings()
    assert (table, patient.count) == (tables[1], 3)
    assert why.startswith("its rows cannot be read")


@pytest.mark.parametrize("chances", ["not JSON", "7", "{}"])
def test_the_doctor_says_whose_analysis_is_damaged(
    authority: Authority, tmp_path: Path, chances: str
) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1")
    row = {"match": table, "games": 20, "chances": chances}
    authority.store.commit(sa.insert(schema.analyses).values(row))
    ((whose, why),) = findings(tmp_path / "tables.db")
    assert whose == table
    assert "analysis" in why


def test_there_is_no_patient(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such database"):
        DatabaseUnderCheck(str(tmp_path / "none.db"))
    assert not (tmp_path / "none.db").exists()


def test_whoever_finds_it_locked_waits_as_long_as_is_said(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.db", durable=False, busy=7.5)
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one() == 7500
    store.close()
