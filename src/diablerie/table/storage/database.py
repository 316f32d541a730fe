"""The database itself: its address, its files, and how each kind is set up for the store."""

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError

from diablerie.engine import extras

SERVED = "postgresql"  # the kind of database that several processes may share
DRIVER = "postgresql+psycopg"
PATIENCE = 5  # seconds until a server that does not answer is given up
KEEPALIVE = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
CONNECTIONS = 24  # of one process: its writers, readers and bots
AGAIN = ("40001", "40P01")  # SQLSTATE: of two that changed the same, this one gave way


class Unfit(ValueError):
    """A database that cannot keep what people write."""


def file_of(where: str | Path) -> Path | None:
    """The file of a SQLite database; None for other databases, and for one in memory."""
    url = url_of(where)
    inside = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)) if inside else None


def files(where: str | Path) -> dict[Path, tuple[int, int]]:
    """The files a database consists of while it is open, with what tells them from others."""
    main = file_of(where)
    there = [] if main is None else [main, main.with_name(main.name + "-wal")]
    return {path: found for path in there if (found := identity(path))}


def identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from any other (device and inode); None if there is none."""
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
    """What a database is called in messages: its address, without the password."""
    if isinstance(where, sa.URL) or (isinstance(where, str) and "://" in where):
        url = where if isinstance(where, sa.URL) else url_of(where)
        return url.render_as_string(hide_password=True)
    return str(where)


def _shown(where: str) -> str:
    """An address that cannot be read, without what may be a password."""
    kind, _, rest = where.partition("://")
    return f"{kind}://{rest.rpartition('@')[2]}"


def connect(where: str | Path, durable: bool, busy: float, writes: bool) -> sa.Engine:
    """The engine for a database; a path's folder is made.

    `durable`, `busy` and `writes` are those of the store. Raises ValueError, with a sentence.
    """
    url = url_of(where)
    # an error must not carry keys and secrets into the log
    if url.get_backend_name() == "sqlite":
        if url.database and not url.database.startswith("file:"):
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(url, hide_parameters=True)
        tune(engine, durable, busy, writes)
        return engine
    try:
        return sa.create_engine(
            url,
            hide_parameters=True,
            pool_size=CONNECTIONS,
            pool_use_lifo=True,
            pool_timeout=busy,
            connect_args={
                "connect_timeout": PATIENCE,
                "client_encoding": "utf8",
                "options": _options(url, durable, busy),
                **KEEPALIVE,
            },
        )
    except ImportError:
        raise ValueError(
            f"PostgreSQL needs psycopg, which is not installed: {extras.install('postgres')}"
        ) from None


def _options(url: sa.URL, durable: bool, busy: float) -> str:
    """What every connection to a server is told; what the address says comes last."""
    settings = {
        "lock_timeout": f"{int(busy * 1000)}ms",
        "idle_in_transaction_session_timeout": "60s",
        "synchronous_commit": "on" if durable else "off",
    }
    told = url.query.get("options", "")
    own = [f"-c {name}={value}" for name, value in settings.items()]
    return " ".join([*own, told if isinstance(told, str) else " ".join(told)]).strip()


def expect_letters(engine: sa.Engine) -> None:
    """Raise Unfit, with a sentence, for a server's database that knows bytes and no letters."""
    with engine.connect() as connection:
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if encoding == "SQL_ASCII":
        raise Unfit(
            "its encoding is SQL_ASCII, which does not know what its bytes mean: "
            "make a database by `createdb -E UTF8 -T template0 NAME`"
        )


def database_error(error: DBAPIError) -> str:
    """Why a database refused, in one line."""
    return " ".join(str(error.orig or error).split("\n\t")[0].split())


def conflicting(error: DBAPIError) -> bool:
    """Whether a transaction gave way to another one, and may simply be tried again."""
    return getattr(error.orig, "sqlstate", None) in AGAIN


def tune(engine: sa.Engine, durable: bool, busy: float, writes: bool = True) -> None:
    """Writers lock the file at BEGIN, where waiting works, not at their first write.

    They wait for `busy` seconds, or what the connection's option of this name says. With `writes`
    false the file stays as it is, whatever its journal.
    """

    @sa.event.listens_for(engine, "connect")
    def opened(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # the driver must not begin by itself
        raw.execute(f"PRAGMA busy_timeout={int(busy * 1000)}")
        if writes:
            raw.execute("PRAGMA journal_mode=WAL")
        raw.execute(f"PRAGMA synchronous={'FULL' if durable else 'OFF'}")
        raw.execute("PRAGMA foreign_keys=ON")

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        options = connection.get_execution_options()
        wait = options.get("busy", busy)
        connection.exec_driver_sql(f"PRAGMA busy_timeout={int(wait * 1000)}")
        connection.exec_driver_sql("BEGIN" if options.get("reading") else "BEGIN IMMEDIATE")
