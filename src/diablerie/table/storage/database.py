"""The database's address, its files, and how SQLAlchemy connects to a SQLite file."""

import logging
import math
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from diablerie.runtime.clock import Clock

log = logging.getLogger(__name__)
# seconds that are left to wait for the file after a long wait for own threads
SHORT_FILE_WAIT_SECONDS = 0.05
LONGEST_THREAD_WAIT_SECONDS = 20.0  # seconds to wait for own threads, far more than they need
SERVED = "postgresql"  # SQLAlchemy's name for the kind that several processes may share
DRIVER = "postgresql+psycopg"
RETRY_STATES = ("40001", "40P01")  # SQLSTATE: serialization failure, deadlock; may be tried again
CLOCK = "extract(epoch FROM clock_timestamp())::float8"  # PostgreSQL's time, see `Now`


class Now(FunctionElement[float]):
    """The database's time in an SQL statement (Unix seconds): one clock for all processes."""

    type = sa.Float()
    inherit_cache = True


@compiles(Now)
def _now_sql(_: Now, compiler: SQLCompiler, **__: object) -> str:
    sqlite = "((julianday('now') - 2440587.5) * 86400.0)"
    return CLOCK if compiler.dialect.name == SERVED else sqlite


class Unfit(ValueError):
    """A database that cannot keep what people write."""


def file_of(where: str | Path | sa.URL) -> Path | None:
    """The file of a SQLite database; None for other databases, and for one in memory."""
    url = where if isinstance(where, sa.URL) else url_of(where)
    inside = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)) if inside else None


def in_memory(where: str | Path | sa.URL) -> bool:
    """Whether it is a SQLite database without a file. Each thread has one of its own then."""
    url = where if isinstance(where, sa.URL) else url_of(where)
    inside = (
        not file_of(url) or url.query.get("mode") == "memory" or url.database == "file::memory:"
    )
    return url.get_backend_name() == "sqlite" and inside


def files(where: str | Path) -> dict[Path, tuple[int, int]]:
    """The files of an open database, each with its `identity`; {} for databases without files."""
    main = file_of(where)
    paths = [] if main is None else [main, main.with_name(main.name + "-wal")]
    return {path: inode for path in paths if (inode := identity(path))}


def create_private(main: Path) -> None:
    """Create a SQLite file that its owner alone may read, as it holds keys of running matches.

    SQLite gives its companions the same rights.
    """
    # Only a new file is opened: to close another one would end the locks that SQLite has on it.
    with suppress(OSError):  # it is there already, or SQLite says what is wrong
        os.close(os.open(main, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def make_private(main: Path) -> None:
    """Take from a database that everybody may read these rights; a group that was let in stays."""
    for end in ("", "-wal", "-shm"):
        tighten(main.with_name(main.name + end))


def tighten(path: Path) -> None:
    """Let only its owner read a file that everybody may read; one that is not there is passed by."""
    with suppress(OSError):
        mode = path.stat().st_mode
        if mode & 0o007:
            path.chmod(mode & 0o700)
            log.warning("everybody on this machine could read %s: now its owner alone can", path)


def identity(path: Path) -> tuple[int, int] | None:
    """The device and inode of a file; None if there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def is_shared(where: str | Path) -> bool:
    """Whether several processes may use this database together. Raises ValueError."""
    return url_of(where).get_backend_name() == SERVED


def url_of(where: str | Path) -> sa.URL:
    """The SQLAlchemy address of a path or address. Raises ValueError, with a sentence."""
    if not isinstance(where, str) or "://" not in where:
        return sa.URL.create("sqlite", database=at_home(str(where)))
    try:
        url = sa.make_url(where.replace("postgres://", "postgresql://", 1))  # as libpq has it
        url.get_dialect()
    except (ArgumentError, ValueError, ImportError):
        raise ValueError(f"{_shown(where)}: this is no address of a database") from None
    if url.get_backend_name() not in ("sqlite", SERVED):
        raise ValueError(f"{named(url)}: only SQLite and PostgreSQL can be used")
    if url.get_backend_name() == SERVED:
        return url.set(drivername=DRIVER)
    return url.set(database=at_home(url.database)) if url.database else url


def at_home(path: str) -> str:
    """A path that may begin with `~`: in files of settings and units no shell has read that."""
    return os.path.expanduser(path)  # noqa: PTH111 (that of `Path` refuses unknown users)


def named(where: str | Path | sa.URL) -> str:
    """The address of a database for messages, without the password. Raises ValueError."""
    if isinstance(where, sa.URL) or (isinstance(where, str) and "://" in where):
        url = where if isinstance(where, sa.URL) else url_of(where)
        return url.render_as_string(hide_password=True)
    return str(where)


def _shown(where: str) -> str:
    """An address that cannot be parsed, without the part that may hold a password."""
    kind, _, rest = where.partition("://")
    return f"{kind}://{rest.rpartition('@')[2]}"


class ClosingPool(sa.QueuePool):
    """A pool that, once disposed of, closes each connection which a thread still gives back.

    SQLAlchemy leaves those to the garbage collector.
    """

    _sqla_logger_namespace = "sqlalchemy.pool.ClosingPool"  # it logs as the other pools do
    _disposed = False

    def dispose(self) -> None:
        """Close the connections that nobody uses now, and the others after use."""
        self._disposed = True  # first: whoever gives one back from now on sees it
        super().dispose()

    def _do_return_conn(self, record: sa.pool.ConnectionPoolEntry) -> None:
        super()._do_return_conn(record)
        if self._disposed:
            super().dispose()


def connect(where: str | Path | sa.URL, durable: bool, busy: float, writes: bool) -> sa.Engine:
    """The SQLAlchemy engine for a SQLite file; creates the folder of a path.

    `durable` waits for the disk at every commit. `busy` is how many seconds to wait for a lock of
    another process. With `writes` false the file is not changed.
    """
    url = where if isinstance(where, sa.URL) else url_of(where)
    if url.database and not url.database.startswith("file:"):
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    if writes and (main := file_of(url)):
        create_private(main)
    pool = None if in_memory(url) else ClosingPool  # SQLAlchemy has one for what is in memory
    # hide_parameters: errors are logged, and parameters hold keys and secrets
    engine = sa.create_engine(url, hide_parameters=True, poolclass=pool)
    tune(engine, durable, busy, writes)
    return engine


def database_error(error: DBAPIError) -> str:
    """The first line of the driver's error message."""
    return " ".join(str(error.orig or error).split("\n\t")[0].split())


def tune(engine: sa.Engine, durable: bool, busy: float, writes: bool = True) -> None:
    """Set up a SQLite engine: WAL, foreign keys, and transactions that lock the file at BEGIN.

    SQLite waits for a lock at BEGIN IMMEDIATE, but not at the first write of a transaction that
    has read. The wait lasts `busy` seconds, or as many as the connection's option `busy` says.
    Connections with the option `reading` take no lock. With `writes` false the journal mode of
    the file is not changed.
    """

    @sa.event.listens_for(engine, "connect")
    def opened(raw: sqlite3.Connection, _: object) -> None:
        raw.isolation_level = None  # the driver must not begin by itself
        raw.execute(f"PRAGMA busy_timeout={int(busy * 1000)}")
        if writes:
            raw.execute("PRAGMA journal_mode=WAL")
        raw.execute(f"PRAGMA synchronous={'FULL' if durable else 'OFF'}")
        raw.execute("PRAGMA foreign_keys=ON")

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        options = connection.get_execution_options()
        wait = math.ceil(options.get("busy", busy) * 100) * 10  # ms, rounded so that few differ
        if connection.info.get("wait") != wait:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={wait}")
            connection.info["wait"] = wait
        connection.exec_driver_sql("BEGIN" if options.get("reading") else "BEGIN IMMEDIATE")


class Database:
    """A database that one process has to itself: a SQLite file, or one in memory.

    `ServedDatabase` (served_database.py) overrides what is otherwise where several share one.
    `view` and `alone` are the engine for statements that only read: several at one moment, and one
    by itself.
    """

    shared = False  # whether there may be other processes
    writers = 1  # transactions that write at one moment

    def __init__(
        self, where: str | Path, *, durable: bool, busy: float, writes: bool, clock: Clock
    ) -> None:
        """See `connect`. Raises ValueError, whose message is a sentence."""
        self._busy = busy
        self._clock = clock
        self._writer = threading.Lock()
        self.engine = self._connect(url_of(where), durable, busy, writes)
        self.view, self.alone = self._readers()

    def _connect(self, url: sa.URL, durable: bool, busy: float, writes: bool) -> sa.Engine:
        return connect(url, durable, busy, writes)

    def _readers(self) -> tuple[sa.Engine, sa.Engine]:
        """`view` and `alone`."""
        view = self.engine.execution_options(reading=True)
        return view, view

    def require_letters(self) -> None:
        """Raise Unfit unless the database keeps letters."""

    @contextmanager
    def transaction(self, began: float) -> Iterator[sa.Connection]:
        """A transaction that writes. On a SQLite file a process has one of them at a time.

        SQLite itself has no queue: whoever finds the file locked looks again after pauses of up
        to 0.1 seconds, others overtake, and after `busy` seconds it is an error. Here each waits
        for a lock, which wakes the next one at once. A lock of another process is waited for as
        before, for `busy` seconds, less those since it `began` to wait: so if another process
        keeps the file, those who wait are refused together, not one after the other.
        """
        if not self._writer.acquire(timeout=LONGEST_THREAD_WAIT_SECONDS):
            raise PoolTimeout(
                f"other changes have taken more than {LONGEST_THREAD_WAIT_SECONDS:.0f} seconds"
            )
        try:
            # However long own threads took: the file itself is tried at least for a moment.
            left = max(
                self._busy - (self._clock.monotonic() - began),
                min(self._busy, SHORT_FILE_WAIT_SECONDS),
            )
            waiting = self.engine.connect().execution_options(busy=left)
            with waiting as connection, connection.begin():
                yield connection
        finally:
            self._writer.release()

    def check_writes(self, connection: sa.Connection, trouble: str) -> None:
        """Raise DBAPIError if nothing can be written; `trouble` is what was wrong until now."""
        if trouble:
            version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            connection.exec_driver_sql(f"PRAGMA user_version={version}")  # a real write

    def damage(self, connection: sa.Connection) -> str:
        """What is damaged in the file, all of which is read; "" for nothing."""
        problem = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        return "" if problem == "ok" else problem
