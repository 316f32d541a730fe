"""The store: one place where tables, plies, seats and chat are durable.

A change is a list of `Write`s, done in one transaction or not at all. SQLite is embedded; any
other SQLAlchemy address works with the same statements.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateColumn

from diablerie.table import schema
from diablerie.table.live import OPEN, OVER

BUSY = 10.0  # seconds to wait for another process that writes


class Conflict(Exception):
    """Somebody else changed the same thing first; nothing was written."""


@dataclass(frozen=True)
class Write:
    """One statement of a change. `rows` are its parameters, `expect` the rows it must touch."""

    statement: Any
    rows: Sequence[dict[str, Any]] | None = None
    expect: int | None = None


@dataclass(frozen=True)
class Stored:
    """Everything the store knows of one table."""

    match: Any
    seats: Sequence[Any]
    plies: Sequence[Any]
    snapshot: Any
    chat: Sequence[Any]


class Store:
    """Open, and if new lay out, the database at a path or SQLAlchemy address.

    `durable=False` skips waiting for the disk: for tests only.
    """

    def __init__(self, where: str | Path, *, durable: bool = True) -> None:
        # an error must not carry keys and secrets into the log
        self.engine = sa.create_engine(_address(where), hide_parameters=True)
        if self.engine.dialect.name == "sqlite":
            _tune(self.engine, durable)
        schema.metadata.create_all(self.engine)
        _complete(self.engine)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def commit(self, writes: Sequence[Write]) -> None:
        """Do all writes, durably, or none. Raises Conflict."""
        try:
            with self.engine.begin() as connection:
                for write in writes:
                    _do(connection, write)
        except IntegrityError as error:
            raise Conflict(str(error.orig)) from error

    def load(self, table: str) -> Stored | None:
        """Everything about one table, as of one moment; None if there is none."""
        with self._reading() as connection:
            match = connection.execute(_by(schema.matches, "id", table)).first()
            if match is None:
                return None
            seats, plies, chat = (
                connection.execute(_by(t, "match", table).order_by(*t.primary_key)).all()
                for t in (schema.seats, schema.plies, schema.chat)
            )
            snapshot = connection.execute(_by(schema.snapshots, "match", table)).first()
        return Stored(match, seats, plies, snapshot, chat)

    def key(self, table: str) -> bytes:
        """The secret key of a table."""
        wanted = sa.select(schema.matches.c.key).where(schema.matches.c.id == table)
        with self._reading() as connection:
            return bytes.fromhex(connection.execute(wanted).scalar_one())

    def tables(
        self, status: Sequence[str], *, public: bool = False, game: str = "", limit: int = -1
    ) -> list[str]:
        """The tables with one of these states, newest first."""
        m = schema.matches.c
        wanted = sa.select(m.id).where(m.status.in_(status)).order_by(m.created.desc(), m.id)
        if public:
            wanted = wanted.where(m.public.is_(True))
        if game:
            wanted = wanted.where(m.game == game)
        return self._column(wanted.limit(limit) if limit >= 0 else wanted)

    def owned(self, owner: str, limit: int) -> list[str]:
        """The tables, not over, where this visitor has a seat, newest first."""
        m, s = schema.matches.c, schema.seats.c
        seated = sa.select(s.match).where(s.owner == owner)
        wanted = sa.select(m.id).where(m.id.in_(seated), m.status != OVER)
        return self._column(wanted.order_by(m.created.desc(), m.id).limit(limit))

    def linked(self, table: str, link: str) -> int | None:
        """The seat of this table whose personal link has this hash."""
        s = schema.seats.c
        found = self._column(sa.select(s.seat).where(s.match == table, s.link == link))
        return int(found[0]) if found else None

    def abandoned(self, before: float) -> list[str]:
        """The tables opened before this time that were never begun."""
        m = schema.matches.c
        return self._column(sa.select(m.id).where(m.status == OPEN, m.created < before))

    def row(self, table: sa.Table, column: str, value: str) -> Any:
        """The row of a table with this value in this column, None if there is none."""
        with self._reading() as connection:
            return connection.execute(_by(table, column, value)).first()

    def _column(self, wanted: Any) -> list[Any]:
        with self._reading() as connection:
            return list(connection.execute(wanted).scalars())

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        """One consistent view, without keeping writers away."""
        with self.engine.connect().execution_options(reading=True) as connection:
            yield connection


def _complete(engine: sa.Engine) -> None:
    """Add the columns that an older version of the tables did not have."""
    with engine.begin() as connection:
        for table in schema.metadata.sorted_tables:
            there = {column["name"] for column in sa.inspect(connection).get_columns(table.name)}
            for column in table.columns:
                if column.name not in there:
                    what = CreateColumn(column).compile(dialect=engine.dialect)
                    connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {what}")


def _do(connection: sa.Connection, write: Write) -> None:
    done = connection.execute(write.statement, write.rows)
    if write.expect is not None and done.rowcount != write.expect:
        raise IntegrityError(None, None, ValueError("another change came first"))


def _by(table: sa.Table, column: str, value: str) -> sa.Select[Any]:
    return sa.select(table).where(table.c[column] == value)


def _address(where: str | Path) -> str:
    if isinstance(where, str) and "://" in where:
        return where
    path = Path(where)
    path.parent.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{path}"


def _tune(engine: sa.Engine, durable: bool) -> None:
    """Writers queue at BEGIN, where waiting works, instead of failing at their first write."""

    @sa.event.listens_for(engine, "connect")
    def connected(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # the driver must not begin by itself
        raw.execute(f"PRAGMA busy_timeout={int(BUSY * 1000)}")
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute(f"PRAGMA synchronous={'FULL' if durable else 'OFF'}")
        raw.execute("PRAGMA foreign_keys=ON")

    @sa.event.listens_for(engine, "begin")
    def begun(connection: sa.Connection) -> None:
        reading = connection.get_execution_options().get("reading")
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
