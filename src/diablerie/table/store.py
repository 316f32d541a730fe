"""The store: one place where tables, plies, seats and chat are durable.

A change is a list of `Write`s, done in one transaction or not at all. SQLite is embedded; any
other SQLAlchemy address works with the same statements.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from diablerie.table import database, migrations, schema
from diablerie.table.errors import Unavailable
from diablerie.table.live import OPEN, OVER

log = logging.getLogger(__name__)
BUSY = 5.0  # seconds to wait for another process that writes
DAMAGED = "damaged"


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

    `durable=False` skips waiting for the disk: for tests only. Whatever the database refuses is
    Unavailable, and `trouble` says what it was until something is written again.
    """

    def __init__(
        self, where: str | Path, *, durable: bool = True, busy: float = BUSY, lay: bool = True
    ) -> None:
        """With `lay` false nothing is laid out or upgraded.

        Raises ValueError for what is no database, or one of another version.
        """
        # an error must not carry keys and secrets into the log
        self.engine = sa.create_engine(database.address(where), hide_parameters=True)
        if self.engine.dialect.name == "sqlite":
            database.tune(self.engine, durable, busy, writes=lay)
        self.trouble = ""
        try:
            if lay:
                migrations.prepare(self.engine)
        except migrations.OtherVersion as error:
            self.close()
            raise ValueError(f"{where}: {error}") from None
        except DBAPIError as error:
            self.close()
            raise ValueError(f"{where}: cannot be opened as a database: {error.orig}") from None
        self._files = database.files(where) if lay else {}

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def commit(self, writes: Sequence[Write]) -> None:
        """Do all writes, durably, or none. Raises Conflict."""
        try:
            with self._answering(), self.engine.begin() as connection:
                for write in writes:
                    _do(connection, write)
        except IntegrityError as error:
            raise Conflict(str(error.orig)) from error
        self._well()

    def check(self, *, deep: bool = False) -> None:
        """Find out whether the database takes writes; with `deep`, whether it is damaged.

        Raises Unavailable, and then `trouble` says why.
        """
        with self._answering():
            with self.engine.begin() as connection:
                if self.trouble and self.engine.dialect.name == "sqlite":
                    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
                    connection.exec_driver_sql(f"PRAGMA user_version={version}")  # a real write
            if deep and self.engine.dialect.name == "sqlite":
                with self._reading() as connection:
                    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
                if found != "ok":
                    self._ill(f"{DAMAGED}: {found}")
                    raise Unavailable
        self._well()

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """What the database refuses, as Unavailable; a file that is another one, too.

        The file is looked at last: what went into one that is gone is not acknowledged.
        """
        try:
            yield
        except IntegrityError:
            raise
        except (DBAPIError, PoolTimeout) as error:
            self._ill(str(getattr(error, "orig", None) or error))
            raise Unavailable from error
        for path, identity in self._files.items():
            if database.identity(path) != identity:
                self._ill("the file was removed or replaced while in use")
                raise Unavailable

    def _ill(self, trouble: str) -> None:
        if trouble != self.trouble:
            log.error("database: %s", trouble)
        self.trouble = self.trouble if self.damaged else trouble

    def _well(self) -> None:
        if self.trouble and not self.damaged:
            log.warning("the database takes writes again")
            self.trouble = ""

    @property
    def damaged(self) -> bool:
        """Whether the file was found damaged, which no later success makes good."""
        return any(word in self.trouble for word in (DAMAGED, "malformed", "not a database"))

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

    def all(self) -> list[str]:
        """Every table there is, oldest first."""
        return self._column(sa.select(schema.matches.c.id).order_by(schema.matches.c.created))

    def owned(self, owner: str, limit: int) -> list[str]:
        """The tables, not over, where this visitor has a seat, newest first."""
        m, s = schema.matches.c, schema.seats.c
        seated = sa.select(s.match).where(s.owner == owner)
        wanted = sa.select(m.id).where(m.id.in_(seated), m.status != OVER)
        return self._column(wanted.order_by(m.created.desc(), m.id).limit(limit))

    def games_of(self, owner: str, status: Sequence[str], limit: int, before: str) -> list[str]:
        """The tables with one of these states where this visitor sits, newest first.

        Of those that come after the table `before`, unless that is "".
        """
        m, s = schema.matches.c, schema.seats.c
        seated = sa.select(s.match).where(s.owner == owner)
        wanted = sa.select(m.id).where(m.id.in_(seated), m.status.in_(status))
        if before:
            mark = sa.select(m.created).where(m.id == before).scalar_subquery()
            later = sa.or_(m.created < mark, sa.and_(m.created == mark, m.id > before))
            wanted = wanted.where(later)
        return self._column(wanted.order_by(m.created.desc(), m.id).limit(limit))

    def finished(self, owner: str, limit: int) -> Sequence[Any]:
        """Every seat of the matches that are over and where this visitor sits, newest first.

        With `won` and `points` as far as they are known; of at most so many matches.
        """
        m, s, r = schema.matches, schema.seats, schema.results
        seated = sa.select(s.c.match).where(s.c.owner == owner)
        newest = (
            sa.select(m.c.id)
            .where(m.c.id.in_(seated), m.c.status == OVER)
            .order_by(m.c.created.desc(), m.c.id)
            .limit(limit)
        )
        ending = sa.and_(r.c.match == s.c.match, r.c.seat == s.c.seat)
        wanted = (
            sa.select(m.c.game, m.c.created, m.c.origin, s, r.c.won, r.c.points)
            .select_from(m.join(s).outerjoin(r, ending))
            .where(m.c.id.in_(newest))
            .order_by(m.c.created.desc(), m.c.id, s.c.seat)
        )
        with self._reading() as connection:
            return connection.execute(wanted).all()

    def rows(self, table: sa.Table, column: str, value: str) -> Sequence[Any]:
        """The rows of a table with this value in this column, in the order of its key."""
        with self._reading() as connection:
            wanted = _by(table, column, value).order_by(*table.primary_key)
            return connection.execute(wanted).all()

    def counted(self) -> dict[str, int]:
        """How many tables there are, by status."""
        m = schema.matches.c
        with self._reading() as connection:
            wanted = sa.select(m.status, sa.func.count()).group_by(m.status)
            return {row[0]: row[1] for row in connection.execute(wanted)}

    def named(self, owner: str) -> list[str]:
        """The tables where this visitor has given a seat a name."""
        s = schema.seats.c
        given = sa.or_(s.name != "", s.called != "")
        return self._column(sa.select(s.match).where(s.owner == owner, given).distinct())

    def touched(self, visitor: str) -> list[str]:
        """The tables where this visitor has a seat, or that this visitor opened."""
        m, s = schema.matches.c, schema.seats.c
        seated = sa.select(s.match).where(s.owner == visitor)
        return self._column(sa.select(m.id).where(sa.or_(m.host == visitor, m.id.in_(seated))))

    def abandoned(self, before: float) -> list[str]:
        """The tables opened before this time that were never begun."""
        m = schema.matches.c
        return self._column(sa.select(m.id).where(m.status == OPEN, m.created < before))

    def clocked(self) -> list[str]:
        """The tables where somebody's turn clock runs."""
        s = schema.seats.c
        return self._column(sa.select(s.match).where(s.due > 0).distinct())

    def row(self, table: sa.Table, column: str, value: str | int) -> Any:
        """The row of a table with this value in this column, None if there is none."""
        with self._reading() as connection:
            return connection.execute(_by(table, column, value)).first()

    def column(self, column: sa.Column[Any]) -> list[Any]:
        """All that stands in a column."""
        return self._column(sa.select(column))

    def select(self, wanted: sa.Select[Any]) -> Sequence[Any]:
        """The rows that a query finds."""
        with self._reading() as connection:
            return connection.execute(wanted).all()

    def _column(self, wanted: Any) -> list[Any]:
        with self._reading() as connection:
            return list(connection.execute(wanted).scalars())

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        """One consistent view, without keeping writers away."""
        with (
            self._answering(),
            self.engine.connect().execution_options(reading=True) as connection,
        ):
            yield connection


def _do(connection: sa.Connection, write: Write) -> None:
    done = connection.execute(write.statement, write.rows)
    if write.expect is not None and done.rowcount != write.expect:
        raise IntegrityError(None, None, ValueError("another change came first"))


def _by(table: sa.Table, column: str, value: str | int) -> sa.Select[Any]:
    return sa.select(table).where(table.c[column] == value)
