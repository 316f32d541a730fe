"""The queries of the store. Each sees the database at one moment, and raises Unavailable."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa

from diablerie.table.errors import NotFound
from diablerie.table.state.table_state import FINISHED_TABLE, OPEN_SEAT, OPEN_TABLE
from diablerie.table.storage import schema

Fetched = sa.Row[*tuple[Any, ...]]  # a row as it was read: its columns are attributes
Query = sa.Select[Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Stored:
    """The rows of one table: match, seats by number, plies, snapshot or None, chat lines by id."""

    match: Fetched
    seats: Sequence[Fetched]
    plies: Sequence[Fetched]
    snapshot: Fetched | None
    chat: Sequence[Fetched]


class Stamp(NamedTuple):
    """How far a table is: every change of a table changes one of these numbers."""

    revision: int
    plies: int
    said: int  # id of the last line of its chat, 0 without one


class Queries:
    """The queries; `Store` overrides `_read`, which gives the connection.

    Every query raises Unavailable when the database refuses.
    """

    def _read(self, work: Callable[[sa.Connection], T], single: bool = False) -> T:
        """What `work` returns, whose statements all see one moment; others may write meanwhile.

        `single`: it has one statement only.
        """
        raise NotImplementedError

    def load(self, table: str, plies: int = 0, said: int = 0) -> Stored | None:
        """The rows of one table; None if there is no such table.

        Of its plies only those from number `plies` on, and then no snapshot; of the chat only the
        lines after id `said`.
        """

        def read(connection: sa.Connection) -> Stored | None:
            def rows(wanted: Query, last: int = 0) -> Sequence[Fetched]:
                return connection.execute(wanted, {"value": table, "last": last}).all()

            match = rows(_by(schema.matches, "id"))
            # All is read on one connection, so that it is of one moment; see `_read`.
            if not match:
                return None
            return Stored(
                match[0],
                rows(_in_order(schema.seats)),
                rows(_after(schema.plies, "ply"), plies - 1),
                next(iter(rows(_by(schema.snapshots, "match")) if not plies else ()), None),
                rows(_after(schema.chat, "id"), said),
            )

        return self._read(read)

    def key(self, table: str) -> bytes:
        """The secret key of a table. Raises NotFound if the table was removed."""
        m = schema.matches.c
        keys = self._column(sa.select(m.key).where(m.id == table))
        if not keys:
            raise NotFound
        return bytes.fromhex(keys[0])

    def tables(
        self,
        status: Sequence[str],
        *,
        public: bool = False,
        game: str = "",
        limit: int | None = None,
    ) -> list[str]:
        """The ids of tables with one of these states, newest first, at most `limit`.

        With `public` only those open to anybody, with `game` only those of this game.
        """
        m = schema.matches.c
        open_to_all = [m.public.is_(True)] if public else []
        of_game = [m.game == game] if game else []
        return self._column(_newest(limit, m.status.in_(status), *open_to_all, *of_game))

    def full(self, games: Sequence[str]) -> list[str]:
        """The ids of open tables of these games without a free seat or a missing nonce."""
        m = schema.matches.c
        s = schema.seats.c
        promised = sa.and_(s.pledge != "", s.nonce == "")
        missing = sa.select(s.match).where(s.match == m.id, sa.or_(s.kind == OPEN_SEAT, promised))
        wanted = sa.select(m.id).where(m.status == OPEN_TABLE, m.game.in_(games), ~missing.exists())
        return self._column(wanted.order_by(m.created, m.id))

    def all(self) -> list[str]:
        """The ids of all tables, oldest first."""
        return self._column(sa.select(schema.matches.c.id).order_by(schema.matches.c.created))

    def games_of(self, owner: str, status: Sequence[str], limit: int, before: str) -> list[str]:
        """The ids of tables with one of these states where `owner` has a seat, newest first.

        At most `limit`, and only those that follow the table `before`, unless that is "".
        """
        m = schema.matches.c
        which = [_seated(owner), m.status.in_(status)]
        if before:
            mark = sa.select(m.created).where(m.id == before).scalar_subquery()
            which.append(sa.or_(m.created < mark, sa.and_(m.created == mark, m.id > before)))
        return self._column(_newest(limit, *which))

    def finished(self, owner: str, limit: int) -> Sequence[Fetched]:
        """The seats' rows of the `limit` newest finished matches where `owner` has a seat.

        By match, newest first, then by seat. Each row also has its match's `game`, `created` and
        `taken`, and `won` and `points` of the seat, None where no result is stored.
        """
        m = schema.matches
        s = schema.seats
        r = schema.results
        newest = _newest(limit, _seated(owner), m.c.status == FINISHED_TABLE)
        ending = sa.and_(r.c.match == s.c.match, r.c.seat == s.c.seat)
        wanted = (
            sa.select(m.c.game, m.c.created, m.c.taken, s, r.c.won, r.c.points)
            .select_from(m.join(s).outerjoin(r, ending))
            .where(m.c.id.in_(newest))
            .order_by(m.c.created.desc(), m.c.id, s.c.seat)
        )
        return self.select(wanted)

    def rows(self, table: sa.Table, column: str, value: str) -> Sequence[Fetched]:
        """The rows with this value in this column, in the order of the primary key."""
        return self.select(_in_order(table, column), value=value)

    def counted(self) -> dict[str, int]:
        """How many tables there are of each status; a status without tables is missing."""
        m = schema.matches.c
        wanted = sa.select(m.status, sa.func.count()).group_by(m.status)
        return {row[0]: row[1] for row in self.select(wanted)}

    def members_at(self, group: str, owner: str) -> dict[int, str]:
        """The members of a group who play at this browser: number and name."""
        m = schema.members.c
        d = schema.member_devices.c
        here = sa.select(d.member).where(d.group_id == group, d.owner == owner)
        wanted = sa.select(m.member, m.name).where(m.group_id == group, m.member.in_(here))
        return {row[0]: row[1] for row in self.select(wanted.order_by(m.member))}

    def tables_of_group(self, group: str, limit: int) -> list[str]:
        """The ids of at most `limit` tables of a group that are not over, newest first."""
        m = schema.matches.c
        return self._column(_newest(limit, m.group_id == group, m.status != FINISHED_TABLE))

    def named(self, owner: str) -> list[str]:
        """The ids of the tables where a seat of `owner`, or one asked for, has a name."""
        s = schema.seats.c
        given = sa.and_(s.owner == owner, sa.or_(s.name != "", s.called != ""))
        asked = sa.and_(s.wanted == owner, s.wanted_name != "")
        return self._column(sa.select(s.match).where(sa.or_(given, asked)).distinct())

    def touched(self, visitor: str) -> list[str]:
        """The ids of the tables that this visitor opened, has a seat at or asks for one."""
        m = schema.matches.c
        s = schema.seats.c
        asks = m.id.in_(sa.select(s.match).where(s.wanted == visitor))
        here = sa.or_(m.host == visitor, _seated(visitor), asks)
        return self._column(sa.select(m.id).where(here))

    def abandoned(self, before: float) -> list[str]:
        """The ids of open tables that were created before this Unix time."""
        m = schema.matches.c
        return self._column(sa.select(m.id).where(m.status == OPEN_TABLE, m.created < before))

    def overdue(self, now: float) -> list[str]:
        """The ids of the tables where a turn clock has run out at `now` (seconds of uptime)."""
        s = schema.seats.c
        return self._column(sa.select(s.match).where(s.due > 0, s.due <= now).distinct())

    def next_due(self, now: float) -> float | None:
        """When the next turn clock after `now` runs out (seconds of uptime); None if none runs."""
        due = schema.seats.c.due
        soonest: float | None = self._column(sa.select(sa.func.min(due)).where(due > now))[0]
        return soonest

    def stamps(self, tables: Sequence[str]) -> dict[str, Stamp]:
        """How far each of these tables is, by id; tables that are gone are missing."""
        rows = self.select(_stamps(), tables=list(tables))
        return {row[0]: Stamp(row[1], row[2] or 0, row[3] or 0) for row in rows}

    def row(self, table: sa.Table, column: str, value: str | int) -> Fetched | None:
        """The first row with this value in this column, None if there is none."""
        return next(iter(self.select(_by(table, column), value=value)), None)

    def column(self, column: sa.Column[T]) -> list[T]:
        """The values of a column in all rows."""
        return self._column(sa.select(column))

    def select(self, wanted: Query | sa.TextClause, **values: object) -> Sequence[Fetched]:
        """The rows that a query with these `values` finds."""
        return self._read(lambda connection: connection.execute(wanted, values).all(), single=True)

    def _column(self, wanted: sa.Select[T]) -> list[T]:
        return [row[0] for row in self.select(wanted)]


def _newest(limit: int | None, *which: sa.ColumnElement[bool]) -> sa.Select[str]:
    """The ids of at most `limit` matches of which all of this is true, newest first."""
    m = schema.matches.c
    return sa.select(m.id).where(*which).order_by(m.created.desc(), m.id).limit(limit)


def _seated(owner: str) -> sa.ColumnElement[bool]:
    """Whether `owner` has a seat at a match."""
    s = schema.seats.c
    return schema.matches.c.id.in_(sa.select(s.match).where(s.owner == owner))


# -- statements, made once: to build one takes longer than to carry it out ---------------------


@cache
def _by(table: sa.Table, column: str) -> Query:
    """The rows with `value` in a column."""
    return sa.select(table).where(table.c[column] == sa.bindparam("value"))


@cache
def _in_order(table: sa.Table, column: str = "match") -> Query:
    """The rows with `value` in a column, by their key."""
    return _by(table, column).order_by(*table.primary_key)


@cache
def _after(table: sa.Table, key: str) -> Query:
    """The rows of the match `value` whose number is above `last`, by their key."""
    return _in_order(table).where(table.c[key] > sa.bindparam("last"))


@cache
def _stamps() -> Query:
    """Id, revision, number of plies and last line of chat of the matches `tables`."""
    m = schema.matches.c
    p = schema.plies.c
    c = schema.chat.c
    plies = sa.select(sa.func.max(p.ply)).where(p.match == m.id).scalar_subquery()
    said = sa.select(sa.func.max(c.id)).where(c.match == m.id).scalar_subquery()
    chosen = m.id.in_(sa.bindparam("tables", expanding=True))
    return sa.select(m.id, m.revision, plies + 1, said).where(chosen)
