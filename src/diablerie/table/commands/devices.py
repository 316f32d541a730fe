"""Device links: a link that makes a second browser the same visitor as the first.

Each browser has a secret of its own, so that one of them can be locked out (commands/browsers.py).
A link works once, and for a day; the database has only the hash of its secret.
"""

from contextlib import suppress
from dataclasses import replace

import sqlalchemy as sa

from diablerie.engine.text import say
from diablerie.table.commands.command import change
from diablerie.table.errors import NotFound, UnreadableTable
from diablerie.table.state import nonce_exchange
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import Visitor, fresh_secret, hashed, visitor_of
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Statement, Write
from diablerie.table.storage.store_queries import Fetched
from diablerie.table.tables import Tables

PASS_SECONDS = 24 * 3600.0


def create_link(tables: Tables, owner: Visitor) -> str:
    """Make a link for a visitor, and return its secret; older links stop working.

    Raises Unavailable.
    """
    opening = fresh_secret()
    p = schema.passes
    row = {"id": hashed("device", opening), "owner": owner, "made": tables.clock()}
    older = sa.delete(p).where(p.c.owner == owner)
    tables.store.commit(older, sa.insert(p).values(row))
    return opening


def link_owner(tables: Tables, opening: str) -> Visitor:
    """The visitor who made a link. Raises NotFound for a link that does not work."""
    return Visitor(_valid_row(tables, opening).owner)


def redeem(tables: Tables, opening: str, visitor: Visitor, secret: str = "") -> str:
    """Use a link up, and return the secret that the browser of `visitor` has from now on.

    `secret` is the one it had. The seats and tables of `visitor`, and its other browsers, are the
    link's owner's from now on. Raises NotFound, or Preparing while one of its tables cannot be
    changed.
    """
    row = _valid_row(tables, opening)
    p = schema.passes
    b = schema.browsers
    fresh = fresh_secret()
    owner = Visitor(row.owner)
    known = {"id": visitor_of(fresh), "made": tables.clock(), "visitor": owner}
    writes = (
        Write(sa.delete(p).where(p.c.id == row.id), expect=1),
        sa.delete(b).where(b.c.id == visitor_of(secret)),
        sa.update(b).where(browser_of(visitor)).values(visitor=owner),
        sa.insert(b).values(known),
    )
    try:
        move_all(tables, visitor, owner, *writes)
    except Conflict:
        raise _gone() from None
    return fresh


def browser_of(visitor: Visitor) -> sa.ColumnElement[bool]:
    """That a row is one of the browsers of a visitor."""
    b = schema.browsers.c
    return (b.visitor == visitor) | ((b.id == visitor) & (b.visitor == ""))


def move_all(tables: Tables, was: Visitor, now: Visitor, *writes: Statement) -> None:
    """Give all that one visitor has to another; `writes` are done in the same transaction.

    Raises Conflict, Unavailable, or Preparing while a table cannot be changed.
    """
    tables_of = [] if was == now else _readable(tables, was)
    tables.store.commit(*writes, *([] if was == now else _brought(was, now)))
    for table in tables_of:
        with suppress(NotFound):  # removed meanwhile
            change(tables, table, now, lambda live, _: move_visitor(live, was, now))


def _readable(tables: Tables, visitor: Visitor) -> list[str]:
    """The tables of a browser that can be changed. Raises Preparing if one cannot yet."""
    readable = []
    for table in tables.store.touched(visitor):
        with suppress(NotFound, UnreadableTable):
            readable.append(tables.live(table).id)
    return readable


def _valid_row(tables: Tables, opening: str) -> Fetched:
    row = tables.store.row(schema.passes, "id", hashed("device", opening))
    if row is None or row.made < tables.clock() - PASS_SECONDS:
        raise _gone()
    return row


def move_visitor(live: TableState, was: Visitor, now: Visitor) -> TableState:
    """The table after everything of one visitor became another's."""
    seats = tuple(
        replace(nonce_exchange.forget_nonce_of_moved_seat(live, info), owner=now)
        if info.owner == was
        else info
        for info in live.seats
    )
    return replace(live, seats=seats, host=now if live.host == was else live.host)


def _brought(was: Visitor, now: Visitor) -> list[Statement]:
    """The writes that move a visitor's tokens, subscriptions and groups to another visitor.

    Links to further devices are deleted: they would lead to a visitor who has nothing left.
    """
    p = schema.passes
    d = schema.member_devices.c
    columns = (schema.tokens.c.maker, schema.pushes.c.owner, schema.hooks.c.owner, d.owner)
    known = sa.select(d.group_id, d.member).where(d.owner == was)
    twice = sa.delete(d.owner.table).where(
        d.owner == now, sa.tuple_(d.group_id, d.member).in_(known)
    )
    moves = [sa.update(c.table).where(c == was).values({c: now}) for c in columns]
    return [twice, *moves, sa.delete(p).where(p.c.owner == was)]


def _gone() -> NotFound:
    return NotFound(say("This link does not work, or no longer does."))
