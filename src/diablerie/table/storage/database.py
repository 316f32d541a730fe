"""The database's address, its files, and how SQLAlchemy connects to each kind of database."""

import logging
import math
import os
import sqlite3
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

log = logging.getLogger(__name__)
SERVED = "postgresql"  # SQLAlchemy's name for the kind that several processes may share
DRIVER = "postgresql+psycopg"
DATABASE_CONNECT_SECONDS = 5  # seconds to wait for a server that does not answer
KEEPALIVE = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
CONNECTIONS = 24  # of one process: its writers, readers and bots
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
        return sa.URL.create("sqlite", database=str(where))
    try:
        url = sa.make_url(where.replace("postgres://", "postgresql://", 1))  # as libpq has it
        url.get_dialect()
    except (ArgumentError, ValueError, ImportError):
        raise ValueError(f"{_shown(where)}: this is no address of a database") from None
    if url.get_backend_name() not in ("sqlite", SERVED):
        raise ValueError(f"{named(url)}: only SQLite and PostgreSQL can be used")
    return url if url.get_backend_name() == "sqlite" else url.set(drivername=DRIVER)


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


def connect(where: str | Path, durable: bool, busy: float, writes: bool) -> sa.Engine:
    """The SQLAlchemy engine for a path or address; creates the folder of a path.

    `durable` waits for the disk at every commit. `busy` is how many seconds to wait for a lock of
    another process. With `writes` false the file is not changed. Raises ValueError, whose message
    is a sentence.
    """
    url = url_of(where)
    # hide_parameters: errors are logged, and parameters hold keys and secrets
    if url.get_backend_name() == "sqlite":
        if url.database and not url.database.startswith("file:"):
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        if writes and (main := file_of(url)):
            create_private(main)
        pool = None if in_memory(url) else ClosingPool  # SQLAlchemy has one for what is in memory
        engine = sa.create_engine(url, hide_parameters=True, poolclass=pool)
        tune(engine, durable, busy, writes)
        return engine
    try:
        return sa.create_engine(
            url,
            hide_parameters=True,
            poolclass=ClosingPool,
            pool_size=CONNECTIONS,
            pool_use_lifo=True,
            pool_timeout=busy,
            connect_args={
                "connect_timeout": DATABASE_CONNECT_SECONDS,
                "client_encoding": "utf8",
                "options": _options(url, durable, busy),
                **KEEPALIVE,
            },
        )
    except ImportError:
        from diablerie.engine import extras  # takes a tenth of all imports, in a browser

        raise ValueError(
            f"PostgreSQL needs psycopg, which is not installed: {extras.install('postgres')}"
        ) from None


def _options(url: sa.URL, durable: bool, busy: float) -> str:
    """The `options` of every connection to PostgreSQL; those of the address come last and win."""
    settings = {
        "lock_timeout": f"{int(busy * 1000)}ms",
        "idle_in_transaction_session_timeout": "60s",
        "synchronous_commit": "on" if durable else "off",
    }
    own = [f"-c {name}={value}" for name, value in settings.items()]
    from_url = url.query.get("options", "")
    return " ".join([*own, from_url if isinstance(from_url, str) else " ".join(from_url)]).strip()


def expect_letters(engine: sa.Engine) -> None:
    """Raise Unfit for a PostgreSQL database in SQL_ASCII, which stores bytes and not letters."""
    with engine.connect() as connection:
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding == "SQL_ASCII":
        raise Unfit(
            "its encoding is SQL_ASCII, which does not know what its bytes mean: "
            "make a database by `createdb -E UTF8 -T template0 NAME`"
        )


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
