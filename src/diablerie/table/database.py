"""The database itself: its address, its files, and how SQLite is set up for the store."""

from pathlib import Path
from typing import Any

import sqlalchemy as sa


def file_of(where: str | Path) -> Path | None:
    """The file of a SQLite database; None for other databases, and for one in memory."""
    url = sa.make_url(address(where))
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


def address(where: str | Path) -> str:
    """The SQLAlchemy address of a path (whose folder is made) or address."""
    if isinstance(where, str) and "://" in where:
        return where
    path = Path(where)
    path.parent.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{path}"


def tune(engine: sa.Engine, durable: bool, busy: float, writes: bool = True) -> None:
    """Writers queue at BEGIN, where waiting works, instead of failing at their first write.

    With `writes` false the file stays as it is, whatever its journal.
    """

    @sa.event.listens_for(engine, "connect")
    def connected(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # the driver must not begin by itself
        raw.execute(f"PRAGMA busy_timeout={int(busy * 1000)}")
        if writes:
            raw.execute("PRAGMA journal_mode=WAL")
        raw.execute(f"PRAGMA synchronous={'FULL' if durable else 'OFF'}")
        raw.execute("PRAGMA foreign_keys=ON")

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        reading = connection.get_execution_options().get("reading")
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
