"""What the store is asked: queries, each of one moment."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa

from diablerie.table.errors import NotFound
from diablerie.table.state.table_state import EMPTY, OPEN, OVER
from diablerie.table.storage import schema


@dataclass(frozen=True)
class Stored:
    """Everything the store knows of one table."""

    match: Any
    seats: Sequence[Any]
    plies: Sequence[Any]
    snapshot: Any
    chat: Sequence[Any]


class Stamp(NamedTuple):
    """How far a table is: whatever changes it changes one of these."""

    revision: int
    plies: int
    said: int  # the last line of its chat


class Queries:
    """The questions; the store says by `_reading` on what connection."""

    def _reading(self) -> AbstractContextManager[sa.Connection]:
        """One consistent view, without keeping writers away."""
        raise NotImplementedError

    def _asking(self) -> AbstractContextManager[sa.Connection]:
        """The same for a single question, which needs less."""
        return self._reading()

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

    def further(self, table: str, plies: int, said: int) -> Stored | None:
        """The same, but of plies and chat only what is new since so many and that line."""
        p, c = schema.plies, schema.chat
        with self._reading() as connection:
            match = connection.execute(_by(schema.matches, "id", table)).first()
            if match is None:
                return None
            seats, fresh, lines = (
                connection.execute(wanted.order_by(*order.primary_key)).all()
                for wanted, order in (
                    (_by(schema.seats, "match", table), schema.seats),
                    (_by(p, "match", table).where(p.c.ply >= plies), p),
                    (_by(c, "match", table).where(c.c.id > said), c),
                )
            )
        return Stored(match, seats, fresh, None, lines)

    def key(self, table: str) -> bytes:
        """The secret key of a table. Raises NotFound."""
        wanted = sa.select(schema.matches.c.key).where(schema.matches.c.id == table)
        found = self._column(wanted)
        if not found:  # removed since it was read
            raise NotFound
        return bytes.fromhex(found[0])

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

    def full(self, games: Sequence[str]) -> list[str]:
        """The tables of these games, not begun, that wait for nobody and for no nonce."""
        m, s = schema.matches.c, schema.seats.c
        promised = sa.and_(s.pledge != "", s.nonce == "")
        missing = sa.select(s.match).where(s.match == m.id, sa.or_(s.kind == EMPTY, promised))
        wanted = sa.select(m.id).where(m.status == OPEN, m.game.in_(games), ~missing.exists())
        return self._column(wanted.order_by(m.created, m.id))

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
        with self._asking() as connection:
            return connection.execute(wanted).all()

    def rows(self, table: sa.Table, column: str, value: str) -> Sequence[Any]:
        """The rows of a table with this value in this column, in the order of its key."""
        with self._asking() as connection:
            wanted = _by(table, column, value).order_by(*table.primary_key)
            return connection.execute(wanted).all()

    def counted(self) -> dict[str, int]:
        """How many tables there are, by status."""
        m = schema.matches.c
        with self._asking() as connection:
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

    def ripe(self, now: float) -> list[str]:
        """The tables where somebody's time is over by a moment of house time."""
        s = schema.seats.c
        return self._column(sa.select(s.match).where(s.due > 0, s.due <= now).distinct())

    def stamps(self, tables: Sequence[str]) -> dict[str, Stamp]:
        """How far these tables are, as far as they are there."""
        m, p, c = schema.matches.c, schema.plies.c, schema.chat.c
        plies = sa.select(sa.func.max(p.ply)).where(p.match == m.id).scalar_subquery()
        said = sa.select(sa.func.max(c.id)).where(c.match == m.id).scalar_subquery()
        wanted = sa.select(m.id, m.revision, plies + 1, said).where(m.id.in_(tables))
        with self._asking() as connection:
            rows = connection.execute(wanted).all()
        return {row[0]: Stamp(row[1], row[2] or 0, row[3] or 0) for row in rows}

    def row(self, table: sa.Table, column: str, value: str | int) -> Any:
        """The row of a table with this value in this column, None if there is none."""
        with self._asking() as connection:
            return connection.execute(_by(table, column, value)).first()

    def column(self, column: sa.Column[Any]) -> list[Any]:
        """All that stands in a column."""
        return self._column(sa.select(column))

    def select(self, wanted: sa.Select[Any] | sa.TextClause) -> Sequence[Any]:
        """The rows that a query finds."""
        with self._asking() as connection:
            return connection.execute(wanted).all()

    def _column(self, wanted: Any) -> list[Any]:
        with self._asking() as connection:
            return list(connection.execute(wanted).scalars())


def _by(table: sa.Table, column: str, value: str | int) -> sa.Select[Any]:
    return sa.select(table).where(table.c[column] == value)
