"""Device links: a link that makes a second browser the same visitor as the first.

The server knows only the hash of a browser's secret, so the browser sends the secret when it asks
for a link, and the database keeps it encrypted (`sealed`). The key is the link's own secret, which
the server does not keep. A link works once, and for a day.
"""

import hashlib
from contextlib import suppress
from dataclasses import replace

import sqlalchemy as sa

from diablerie.engine.text import say
from diablerie.table.errors import NotFound, UnreadableTable
from diablerie.table.state import nonce_exchange
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import Visitor, fresh_secret, visitor_of
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Write
from diablerie.table.tables import Tables

DAY = 24 * 3600.0


def create_link(tables: Tables, secret: str) -> str:
    """Make a link for the browser with this secret, and return the link's; older links stop working.

    Raises Unavailable.
    """
    opening, owner, p = fresh_secret(), visitor_of(secret), schema.passes
    row = {
        "id": _id(opening),
        "owner": owner,
        "sealed": _masked(opening, secret.encode()).hex(),
        "made": tables.clock(),
    }
    older = sa.delete(p).where(p.c.owner == owner)
    tables.store.commit([Write(older), Write(sa.insert(p), [row])])
    return opening


def link_owner(tables: Tables, opening: str) -> Visitor:
    """The visitor who made a link. Raises NotFound for a link that does not work."""
    return Visitor(_valid_row(tables, opening).owner)


def redeem(tables: Tables, opening: str, visitor: Visitor) -> str:
    """Use a link up, and return the secret that the browser of `visitor` has from now on.

    The seats and tables of `visitor` belong to the owner of the link from now on.
    Raises NotFound, or Preparing while one of its tables cannot be changed.
    """
    row, p = _valid_row(tables, opening), schema.passes
    secret = _masked(opening, bytes.fromhex(row.sealed)).decode()
    used = Write(sa.delete(p).where(p.c.id == row.id), expect=1)
    try:
        move_all(tables, visitor, visitor_of(secret), used)
    except Conflict:
        raise _gone() from None
    return secret


def move_all(tables: Tables, was: Visitor, now: Visitor, *writes: Write) -> None:
    """Give all that one visitor has to another; `writes` are done in the same transaction.

    Raises Conflict, Unavailable, or Preparing while a table cannot be changed.
    """
    tables_of = [] if was == now else _readable(tables, was)
    tables.store.commit([*writes, *([] if was == now else _brought(was, now))])
    for table in tables_of:
        with suppress(NotFound):  # removed meanwhile
            tables.change(table, lambda live: move_visitor(live, was, now))


def _readable(tables: Tables, visitor: Visitor) -> list[str]:
    """The tables of a browser that can be changed. Raises Preparing if one cannot yet."""
    readable = []
    for table in tables.store.touched(visitor):
        with suppress(NotFound, UnreadableTable):
            readable.append(tables.live(table).id)
    return readable


def sweep(tables: Tables) -> None:
    """Delete the links that were not used in time. Raises Unavailable."""
    p = schema.passes
    old = sa.delete(p).where(p.c.made < tables.clock() - DAY)
    tables.store.commit([Write(old)])


def _valid_row(tables: Tables, opening: str) -> sa.Row[tuple[str, str, str, float]]:
    row = tables.store.row(schema.passes, "id", _id(opening))
    if row is None or row.made < tables.clock() - DAY:
        raise _gone()
    checked: sa.Row[tuple[str, str, str, float]] = row
    return checked


def move_visitor(live: TableState, was: Visitor, now: Visitor) -> TableState:
    """The table after everything of one visitor became another's."""
    seats = tuple(
        replace(nonce_exchange.forget_nonce_of_moved_seat(live, info), owner=now)
        if info.owner == was
        else info
        for info in live.seats
    )
    return replace(live, seats=seats, host=now if live.host == was else live.host)


def _brought(was: Visitor, now: Visitor) -> list[Write]:
    """The writes that move a visitor's tokens, subscriptions and groups to another visitor.

    Links to further devices are deleted: they would bring the old secret.
    """
    p, d = schema.passes, schema.member_devices.c
    columns = (schema.tokens.c.maker, schema.pushes.c.owner, schema.hooks.c.owner, d.owner)
    known = sa.select(d.group_id, d.member).where(d.owner == was)
    twice = sa.delete(d.owner.table).where(
        d.owner == now, sa.tuple_(d.group_id, d.member).in_(known)
    )
    moves = [sa.update(c.table).where(c == was).values({c: now}) for c in columns]
    return [Write(one) for one in (twice, *moves, sa.delete(p).where(p.c.owner == was))]


def _gone() -> NotFound:
    return NotFound(say("This link does not work, or no longer."))


def _id(opening: str) -> str:
    return hashlib.sha256(b"device " + opening.encode("utf-8", "replace")).hexdigest()


def _masked(opening: str, text: bytes) -> bytes:
    """Encrypt or decrypt text by XOR with a mask that is derived from the link and used once."""
    mask = hashlib.shake_256(b"mask " + opening.encode("utf-8", "replace")).digest(len(text))
    return bytes(a ^ b for a, b in zip(text, mask, strict=True))
