"""The browsers that this server knows: each has a secret that the server made, and can change it.

A secret that nobody here has made is nobody's, however long it is. A visitor may have several
browsers, each with a secret of its own, and can lock out each of them. A new secret counts, and the
old ones end, when the browser first shows it: an answer that is lost on the way costs nothing.

A device link makes a second browser the same visitor as the first. It works once, and for a day; the
database has only the hash of its secret.
"""

from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import sqlalchemy as sa
from cachetools import LRUCache

from diablerie.api import Empty, Frozen
from diablerie.engine.text import say
from diablerie.table.commands.command import Asker, change, site_command
from diablerie.table.errors import Forbidden, NotFound, Unavailable, UnreadableTable
from diablerie.table.state import nonce_exchange
from diablerie.table.state.table_state import TableSeat, TableState
from diablerie.table.state.turn_clock import DAY_SECONDS
from diablerie.table.state.visitors import Visitor, fresh_secret, hashed, visitor_of
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Statement, Write
from diablerie.table.storage.store_queries import Fetched
from diablerie.table.tables import Tables

PASS_SECONDS = 24 * 3600.0
BROWSERS_IN_MEMORY = 20_000  # browsers that a process remembers
REMEMBERED_SECONDS = 60.0  # seconds for which it does not ask the database again
SHORTEST_SECRET = 16  # characters of a secret worth looking at
LONGEST_SECRET = 100  # characters of one
OUTLIVED = 400 * DAY_SECONDS  # seconds after which no browser has the cookie any more
BROWSER_CODE_LENGTH = 16  # characters of the secret's hash that tell a visitor's browsers apart


@site_command(Empty)
def create_link(asker: Asker, asked: Empty) -> str:
    """Make a link for a visitor, and return its secret; older links stop working.

    Raises Unavailable.
    """
    opening = fresh_secret()
    p = schema.passes
    row = {"id": hashed("device", opening), "owner": asker.visitor, "made": asker.now}
    older = sa.delete(p).where(p.c.owner == asker.visitor)
    asker.tables.store.commit(older, sa.insert(p).values(row))
    return opening


def link_owner(tables: Tables, opening: str) -> Visitor:
    """The visitor who made a link. Raises NotFound for a link that does not work."""
    return Visitor(_valid_row(tables, opening).owner)


class LinkUse(Frozen):
    """Use up the link of this secret (`opening`), at the browser that had the secret `secret`."""

    opening: str
    secret: str = ""


@site_command(LinkUse)
def redeem(asker: Asker, asked: LinkUse) -> str:
    """Use a link up, and return the secret that the asker's browser has from now on.

    The asker's seats and tables, and its other browsers, are the link's owner's from now on. Raises
    NotFound.
    """
    tables = asker.tables
    visitor = asker.known
    row = _valid_row(tables, asked.opening)
    p = schema.passes
    b = schema.browsers
    fresh = fresh_secret()
    owner = Visitor(row.owner)
    known = {"id": visitor_of(fresh), "made": tables.clock(), "visitor": owner}
    # The link is used up in the transaction that moves whatever is not at a table.
    writes = (
        Write(sa.delete(p).where(p.c.id == row.id), expect=1),
        sa.delete(b).where(b.c.id == visitor_of(asked.secret)),
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

    Raises Conflict, Unavailable.
    """
    tables_of = [] if was == now else _readable(tables, was)
    tables.store.commit(*writes, *([] if was == now else _brought(was, now)))
    for table in tables_of:
        with suppress(NotFound):  # removed meanwhile
            change(Asker(tables, now, table), lambda live, _: move_visitor(live, was, now))


def _readable(tables: Tables, visitor: Visitor) -> list[str]:
    """The tables of a browser that can be changed."""
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
    seats = tuple(_moved(live, info, was, now) for info in live.seats)
    return replace(live, seats=seats, host=now if live.host == was else live.host)


def _moved(live: TableState, info: TableSeat, was: Visitor, now: Visitor) -> TableSeat:
    """A seat after everything of one visitor became another's."""
    if info.owner == was:
        info = replace(nonce_exchange.forget_nonce_of_moved_seat(live, info), owner=now)
    return replace(info, wanted=now) if info.wanted == was else info


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


# -- browsers ----------------------------------------------------------------------------------


class Browser(NamedTuple):
    """One browser of a visitor: a code for it, when it became theirs, when it was last here."""

    code: str
    made: float  # Unix time, as `seen`
    seen: float  # to the day
    here: bool  # whether it is the one that asks


class Browsers:
    """Which secrets are somebody's; only the thread that serves asks."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._known: LRUCache[str, tuple[float, Visitor]] = LRUCache(
            BROWSERS_IN_MEMORY
        )  # when looked up, whose

    def visitor(self, secret: str) -> Visitor | None:
        """The visitor with this secret, None if the server has not made it. Raises Unavailable."""
        if not SHORTEST_SECRET <= len(secret) <= LONGEST_SECRET:
            return None
        browser = visitor_of(secret)
        now = self._tables.clock()
        at, visitor = self._known.get(browser, (None, browser))
        if at is not None and 0 <= now - at < REMEMBERED_SECONDS:
            return visitor
        try:
            row = self._tables.store.row(schema.browsers, "id", browser)
        except Unavailable:
            if at is None:
                raise
            return visitor  # rather who it was a while ago than nobody
        if row is None:
            self._known.pop(browser, None)
            return None
        visitor = Visitor(row.visitor or row.id)
        self._seen(row, visitor, now)
        self._known[browser] = now, visitor
        return visitor

    def note(self, visitor: Visitor) -> None:
        """Note a secret that the server has made. Raises Unavailable."""
        b = schema.browsers
        now = self._tables.clock()
        if self._tables.store.row(b, "id", visitor) is None:
            row = {"id": visitor, "made": now, "seen": now}
            self._tables.store.commit(sa.insert(b).values(row))

    def of(self, secret: str) -> list[Browser]:
        """The browsers of the visitor with this secret, the oldest first. Raises Unavailable."""
        b = schema.browsers
        visitor = self.visitor(secret)
        own = visitor_of(secret)
        wanted = sa.select(b).where(browser_of(visitor)) if visitor else None
        rows = self._tables.store.select(wanted.order_by(b.c.made)) if wanted is not None else []
        return [
            Browser(row.id[:BROWSER_CODE_LENGTH], row.made, row.seen, row.id == own) for row in rows
        ]

    def lock_out(self, secret: str, code: str) -> None:
        """End the secret of another browser of the same visitor. Raises NotFound, Unavailable."""
        b = schema.browsers
        visitor = self.visitor(secret)
        others = [one.code for one in self.of(secret) if not one.here]
        if visitor is None or code not in others:
            raise NotFound(say("This device is locked out already."))
        self._end(browser_of(visitor) & b.c.id.startswith(code, autoescape=True))

    def renew(self, secret: str) -> str:
        """Make the secret that this browser has from now on. Raises Forbidden, Unavailable.

        With its first use the visitor's other secrets, and their links to devices, are nobody's.
        """
        visitor = self.visitor(secret)
        if visitor is None:
            raise Forbidden(say("This device has no games or tables here yet."))
        fresh = fresh_secret()
        now = self._tables.clock()
        row = {"id": visitor_of(fresh), "made": now, "visitor": visitor, "replaces": visitor}
        self._tables.store.commit(sa.insert(schema.browsers).values(row))
        return fresh

    def _seen(self, row: Fetched, visitor: Visitor, now: float) -> None:
        """Note that a browser was here, and lock out those that it replaces."""
        b = schema.browsers
        p = schema.passes
        if row.replaces:
            done = sa.update(b).where(b.c.id == row.id).values(replaces="")
            links = sa.delete(p).where(p.c.owner == visitor)
            self._end(browser_of(visitor) & (b.c.id != row.id), done, links)
        if row.seen < now - DAY_SECONDS:
            here = sa.update(b).where(b.c.id == row.id)
            with suppress(Unavailable):  # of no importance
                self._tables.store.commit(here.values(seen=now))

    def _end(self, which: sa.ColumnElement[bool], *writes: Statement) -> None:
        """Forget these browsers, in this process at once, and do `writes` as well."""
        self._tables.store.commit(*writes, sa.delete(schema.browsers).where(which))
        self._known.clear()
