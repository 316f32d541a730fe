"""Another device: a link that makes a second browser the same visitor as the first.

The table knows only the hash of a browser's secret, so the browser brings the secret when it asks
for a link, and it is kept sealed: what opens it is the link's own secret, which is nowhere here.
The link works once, and for a day.
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
    """The secret of a fresh link for the browser with this secret; older ones stop working."""
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
    """Whose link this is. Raises NotFound for one that does not work."""
    return Visitor(_found(tables, opening).owner)


def redeem(tables: Tables, opening: str, visitor: Visitor) -> str:
    """The secret that this link is for, for the browser that was `visitor` until now.

    What that browser had comes along: its seats and tables are the other's from now on.
    Raises NotFound, or Preparing while one of its tables cannot be changed.
    """
    row, p = _found(tables, opening), schema.passes
    secret = _masked(opening, bytes.fromhex(row.sealed)).decode()
    owner = visitor_of(secret)
    mine = [] if owner == visitor else _readable(tables, visitor)
    used = Write(sa.delete(p).where(p.c.id == row.id), expect=1)
    try:
        tables.store.commit([used, *_brought(visitor, owner)])
    except Conflict:
        raise _gone() from None
    for table in mine:
        with suppress(NotFound):  # removed meanwhile
            tables.change(table, lambda live: move_visitor(live, visitor, owner))
    return secret


def _readable(tables: Tables, visitor: Visitor) -> list[str]:
    """The tables of a browser that can be changed. Raises Preparing if one cannot yet."""
    found = []
    for table in tables.store.touched(visitor):
        with suppress(NotFound, UnreadableTable):
            found.append(tables.live(table).id)
    return found


def sweep(tables: Tables) -> None:
    """Forget the links that were not used in time."""
    p = schema.passes
    old = sa.delete(p).where(p.c.made < tables.clock() - DAY)
    tables.store.commit([Write(old)])


def _found(tables: Tables, opening: str) -> sa.Row[tuple[str, str, str, float]]:
    row = tables.store.row(schema.passes, "id", _id(opening))
    if row is None or row.made < tables.clock() - DAY:
        raise _gone()
    found: sa.Row[tuple[str, str, str, float]] = row
    return found


def move_visitor(live: TableState, was: Visitor, now: Visitor) -> TableState:
    """The table with all that was one visitor's being another's."""
    seats = tuple(
        replace(nonce_exchange.forget_nonce_of_moved_seat(live, info), owner=now)
        if info.owner == was
        else info
        for info in live.seats
    )
    return replace(live, seats=seats, host=now if live.host == was else live.host)


def _brought(was: Visitor, now: Visitor) -> list[Write]:
    """What else is a visitor's: tokens for programs, and where to be called."""
    whose = (schema.tokens.c.maker, schema.pushes.c.owner, schema.hooks.c.owner)
    return [
        Write(sa.update(column.table).where(column == was).values({column: now}))
        for column in whose
    ]


def _gone() -> NotFound:
    return NotFound(say("This link does not work, or no longer."))


def _id(opening: str) -> str:
    return hashlib.sha256(b"device " + opening.encode("utf-8", "replace")).hexdigest()


def _masked(opening: str, text: bytes) -> bytes:
    """Text and its seal, each from the other: the mask is as random as the link, and used once."""
    mask = hashlib.shake_256(b"mask " + opening.encode("utf-8", "replace")).digest(len(text))
    return bytes(a ^ b for a, b in zip(text, mask, strict=True))
