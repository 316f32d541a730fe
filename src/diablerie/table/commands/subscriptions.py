"""Subscriptions to notifications of turns: browsers by web push, tables by a webhook."""

import base64
import binascii
import hashlib
from contextlib import suppress
from typing import NamedTuple

import sqlalchemy as sa

from diablerie.api import Frozen
from diablerie.engine.text import say
from diablerie.table import outbound
from diablerie.table.errors import BadInput, Forbidden, TooMany
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict
from diablerie.table.tables import Tables

MOST_BROWSERS_OF_A_VISITOR = 10  # browsers of one visitor, who may have several devices
MOST_SUBSCRIPTIONS = 20_000  # browsers of all visitors
RENEWAL_SECONDS = 365 * 24 * 3600.0  # seconds after which a browser has to ask again
POINT = 65  # bytes of a browser's public key (RFC 8291)
SECRET = 16  # bytes of its secret
CALLS = "calls"  # the kind of message that says that subscriptions have changed
LONGEST_HOME = 255  # characters of the server's address that are kept
GIVEN_UP = 10  # failures in a row after which a webhook is not called any more


class Push(NamedTuple):
    """A browser's subscription to web push. `id` is the hash of its endpoint.

    `told` says that it was notified and has not looked at a page since.
    """

    id: str
    owner: Visitor
    endpoint: str
    p256dh: str
    auth: str
    language: str
    home: str
    created: float
    told: bool


class Hook(NamedTuple):
    """A table's webhook. `failures` counts the posts in a row that failed.

    `heard` is the last turn that was posted, by the ply it began with.
    """

    table: str
    url: str
    owner: Visitor
    language: str
    home: str
    failures: int
    heard: int = -1

    @property
    def given_up(self) -> bool:
        """Whether too many posts in a row have failed, so that it is not called any more."""
        return self.failures >= GIVEN_UP


class PushRequest(Frozen):
    """Notify a browser: its endpoint and keys (RFC 8291), and the server's address as it knows it."""

    endpoint: str
    p256dh: str
    auth: str
    language: str
    home: str


class HookRequest(Frozen):
    """Have an address told of a table's turns, in this language."""

    url: str
    language: str
    home: str  # the server's address


class Subscriptions:
    """The subscriptions in the database; the owners and tables that have any, in memory too."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._known: dict[str, set[str]] = {}  # until somebody changes the table of that name

    # -- browsers ----------------------------------------------------------------------------------

    def subscribe(self, owner: Visitor, asked: PushRequest) -> None:
        """Notify this browser from now on. Raises BadInput, TooMany, Unavailable."""
        endpoint = asked.endpoint
        outbound.parse_address(endpoint)
        if len(key_bytes(asked.p256dh)) != POINT or len(key_bytes(asked.auth)) != SECRET:
            raise BadInput(say("This browser’s keys cannot be read."))
        mine = [push.endpoint for push in self.of(owner)]
        p = schema.pushes
        if endpoint not in mine and (len(mine) >= MOST_BROWSERS_OF_A_VISITOR or not self._space()):
            raise TooMany(say("Too many browsers are notified already: stop one first."))
        row = Push(
            id=hashlib.sha256(endpoint.encode()).hexdigest(),
            owner=owner,
            endpoint=endpoint,
            p256dh=asked.p256dh,
            auth=asked.auth,
            language=asked.language,
            home=asked.home[:LONGEST_HOME],
            created=self._tables.clock(),
            told=False,
        )
        gone = sa.delete(p).where(p.c.id == row.id)  # a browser is called once
        with suppress(Conflict):  # it has asked twice at once, and the other time was first
            self._tables.store.commit(gone, sa.insert(p).values(row._asdict()))
        self._news()

    def withdraw(self, owner: Visitor, endpoint: str = "") -> None:
        """Delete the subscription of this browser; without an endpoint all of this owner's."""
        p = schema.pushes.c
        self._drop(p.owner == owner, *([p.endpoint == endpoint] if endpoint else []))

    def forget(self, push: str) -> None:
        """Delete a subscription that does not work any more."""
        self._drop(schema.pushes.c.id == push)

    def sweep(self) -> None:
        """Delete the subscriptions of browsers that have not asked again for a year."""
        self._drop(schema.pushes.c.created < self._tables.clock() - RENEWAL_SECONDS)

    def _drop(self, *which: sa.ColumnElement[bool]) -> None:
        self._tables.store.commit(sa.delete(schema.pushes).where(*which))
        self._news()

    def of(self, owner: Visitor) -> list[Push]:
        """The subscribed browsers of one owner."""
        return [Push(*row) for row in self._tables.store.rows(schema.pushes, "owner", owner)]

    def mark(self, owner: Visitor, notified: bool) -> None:
        """Note that an owner was notified, or has looked at a page since."""
        p = schema.pushes
        self._tables.store.commit(sa.update(p).where(p.c.owner == owner).values(told=notified))
        self._news()

    def notified(self) -> set[str]:
        """The owners who were notified and have not looked at a page since."""
        p = schema.pushes.c
        return {row.owner for row in self._tables.store.select(sa.select(p.owner).where(p.told))}

    def owners(self) -> set[str]:
        """The owners of all subscriptions."""
        return self._all(schema.pushes.c.owner)

    def _space(self) -> bool:
        """Whether there is space for one more; else delete the oldest that was never used.

        Never used is a subscription whose owner was not notified and has no seat at any table.
        """
        p = schema.pushes
        s = schema.seats
        if (excess := self._count() - MOST_SUBSCRIPTIONS + 1) <= 0:
            return True
        seated = sa.select(s.c.owner).where(s.c.owner == p.c.owner)
        unused = sa.select(p.c.id).where(p.c.told.is_(False), ~seated.exists())
        oldest = unused.order_by(p.c.created, p.c.id).limit(excess)
        self._drop(p.c.id.in_(oldest))
        return self._count() < MOST_SUBSCRIPTIONS

    def _count(self) -> int:
        return int(self._tables.store.select(sa.select(sa.func.count(schema.pushes.c.id)))[0][0])

    # -- tables ------------------------------------------------------------------------------------

    def hook(self, table: str, visitor: Visitor, asked: HookRequest) -> Hook:
        """Set the webhook of a table: an address that is told of turns. Raises BadInput, Forbidden."""
        outbound.parse_address(asked.url)
        self._seated(table, visitor)
        h = schema.hooks
        hook = Hook(table, asked.url, visitor, asked.language, asked.home[:LONGEST_HOME], 0)
        row = {"match": table, **{k: v for k, v in hook._asdict().items() if k != "table"}}
        gone = sa.delete(h).where(h.c.match == table)
        try:
            self._tables.store.commit(gone, sa.insert(h).values(row))
        except Conflict:  # the table went, or another address came at the same time
            raise BadInput(say("Somebody else has just changed that.")) from None
        self._changed(table)
        return hook

    def unhook(self, table: str, visitor: Visitor) -> None:
        """Delete the webhook of a table, which any of its players may do. Raises Forbidden."""
        self._seated(table, visitor)
        h = schema.hooks
        self._tables.store.commit(sa.delete(h).where(h.c.match == table))
        self._changed(table)

    def hook_of(self, table: str) -> Hook | None:
        """The webhook of a table."""
        if table not in self.hooked():
            return None
        row = self._tables.store.row(schema.hooks, "match", table)
        return None if row is None else Hook(*row)

    def note(self, hook: Hook, well: bool, turn: int = -1) -> None:
        """Note whether a post to a webhook succeeded, and about which turn."""
        h = schema.hooks
        failures = 0 if well else hook.failures + 1
        heard = max(hook.heard, turn)
        if (failures, heard) != (hook.failures, hook.heard):
            here = sa.update(h).where(h.c.match == hook.table, h.c.url == hook.url)
            self._tables.store.commit(here.values(failures=failures, heard=heard))
        if failures != hook.failures:
            self._tables.tell(self._tables.live(hook.table))

    def hooked(self) -> set[str]:
        """The tables that have a webhook."""
        return self._all(schema.hooks.c.match)

    def _all(self, column: sa.Column[str]) -> set[str]:
        known = self._known  # not one that is begun while this one is read
        if column.key not in known:  # their keys differ
            known[column.key] = set(self._tables.store.column(column))
        return known[column.key]

    def _seated(self, table: str, visitor: Visitor) -> None:
        if not self._tables.live(table).seats_of(visitor):
            self._tables.catch_up(table)  # they may have sat down at another process just now
        if not self._tables.live(table).seats_of(visitor):
            raise Forbidden(say("Only the players of a table may set up its notifications."))

    def _news(self) -> None:
        """Subscriptions have changed: forget them in memory, here and in other processes."""
        self.stale()
        self._tables.node.tell(CALLS)

    def stale(self) -> None:
        """Forget what is in memory, because another process has changed it."""
        self._known = {}

    def _changed(self, table: str) -> None:
        self._news()
        self._tables.tell(self._tables.live(table))


def key_bytes(text: str) -> bytes:
    """The bytes of a key in URL-safe base64; none if it cannot be decoded."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
