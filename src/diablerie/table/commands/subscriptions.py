"""Who wants to be called when it is somebody's turn: browsers by web push, tables by a webhook."""

import base64
import binascii
import hashlib
import threading
from contextlib import suppress
from typing import NamedTuple

import sqlalchemy as sa

from diablerie.engine.text import say
from diablerie.table.errors import BadInput, Forbidden, TooMany
from diablerie.table.outbound import addresses
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Write
from diablerie.table.tables import Tables

MINE = 10  # browsers that one secret can call: it may have been moved to other devices
ALL = 20_000
YEAR = 365 * 24 * 3600.0  # seconds after which a browser has to ask again
POINT, SECRET = 65, 16  # bytes of the two keys of a browser (RFC 8291)
CALLS = "calls"  # what other processes are told when any of this changes
GIVEN_UP = 10  # failures in a row after which a hook is not called any more


class Push(NamedTuple):
    """A browser that is to be called. `id` is the hash of its endpoint."""

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
    """A table's webhook. `failures` is how often in a row it could not be told.

    `heard` is the turn it was told of last, by the ply it began with.
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
        """Whether it is not called any more."""
        return self.failures >= GIVEN_UP


class Subscriptions:
    """Kept in the database; who has any at all, in memory too."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._lock = threading.Lock()
        self._owners: set[str] | None = None
        self._hooked: set[str] | None = None

    # -- browsers ----------------------------------------------------------------------------------

    def subscribe(
        self, owner: Visitor, endpoint: str, p256dh: str, auth: str, language: str, home: str
    ) -> None:
        """Call this browser from now on. Raises BadInput, TooMany."""
        addresses.parse(endpoint)
        if len(_bytes(p256dh)) != POINT or len(_bytes(auth)) != SECRET:
            raise BadInput(say("This browser’s keys cannot be read."))
        mine = [push for push in self.of(owner) if push.endpoint != endpoint]
        p = schema.pushes
        if len(mine) >= MINE or self._count() >= ALL:
            raise TooMany(say("Too many browsers are called already: stop one first."))
        row = Push(
            hashlib.sha256(endpoint.encode()).hexdigest(),
            owner,
            endpoint,
            p256dh,
            auth,
            language,
            home[:255],
            self._tables.clock(),
            False,
        )
        gone = Write(sa.delete(p).where(p.c.id == row.id))  # a browser is called once
        with suppress(Conflict):  # it has asked twice at once, and the other time was first
            self._tables.store.commit([gone, Write(sa.insert(p), [row._asdict()])])
        self._news()

    def withdraw(self, owner: Visitor, endpoint: str = "") -> None:
        """Do not call this browser any more; without an endpoint none of this owner's."""
        p = schema.pushes
        gone = sa.delete(p).where(p.c.owner == owner)
        self._drop(gone.where(p.c.endpoint == endpoint) if endpoint else gone)

    def forget(self, push: str) -> None:
        """A browser cannot be called any more."""
        self._drop(sa.delete(schema.pushes).where(schema.pushes.c.id == push))

    def sweep(self) -> None:
        """Forget the browsers that have not asked again for long."""
        p = schema.pushes
        self._drop(sa.delete(p).where(p.c.created < self._tables.clock() - YEAR))

    def _drop(self, gone: sa.Delete) -> None:
        self._tables.store.commit([Write(gone)])
        self._news()

    def of(self, owner: Visitor) -> list[Push]:
        """The browsers that are called for one owner."""
        return [Push(*row) for row in self._tables.store.rows(schema.pushes, "owner", owner)]

    def mark(self, owner: Visitor, told: bool) -> None:
        """Note that an owner was called and has not looked since, or has."""
        p = schema.pushes
        self._tables.store.commit([Write(sa.update(p).where(p.c.owner == owner).values(told=told))])
        self._news()

    def told(self) -> set[str]:
        """Everybody who was called and has not looked since."""
        p = schema.pushes.c
        return {row.owner for row in self._tables.store.select(sa.select(p.owner).where(p.told))}

    def owners(self) -> set[str]:
        """Everybody who wants to be called."""
        with self._lock:
            if self._owners is None:
                self._owners = set(self._tables.store.column(schema.pushes.c.owner))
            return self._owners

    def _count(self) -> int:
        return len(self._tables.store.column(schema.pushes.c.id))

    # -- tables ------------------------------------------------------------------------------------

    def hook(self, table: str, visitor: Visitor, url: str, language: str, home: str) -> Hook:
        """Have a table tell an address whose turn it is. Raises BadInput, Forbidden."""
        addresses.parse(url)
        self._seated(table, visitor)
        h, made = schema.hooks, Hook(table, url, visitor, language, home[:255], 0)
        row = {"match": table, **{k: v for k, v in made._asdict().items() if k != "table"}}
        gone = Write(sa.delete(h).where(h.c.match == table))
        try:
            self._tables.store.commit([gone, Write(sa.insert(h), [row])])
        except Conflict:  # the table went, or another address came at the same time
            raise BadInput(say("That was changed by somebody else just now.")) from None
        self._changed(table)
        return made

    def unhook(self, table: str, visitor: Visitor) -> None:
        """Tell nobody any more. Any player may have that. Raises Forbidden."""
        self._seated(table, visitor)
        h = schema.hooks
        self._tables.store.commit([Write(sa.delete(h).where(h.c.match == table))])
        self._changed(table)

    def hook_of(self, table: str) -> Hook | None:
        """The webhook of a table."""
        if table not in self.hooked():
            return None
        row = self._tables.store.row(schema.hooks, "match", table)
        return None if row is None else Hook(*row)

    def note(self, hook: Hook, well: bool, turn: int = -1) -> None:
        """Note whether an address was told, and of which turn."""
        h, failures = schema.hooks, 0 if well else hook.failures + 1
        heard = max(hook.heard, turn)
        if (failures, heard) != (hook.failures, hook.heard):
            here = sa.update(h).where(h.c.match == hook.table, h.c.url == hook.url)
            self._tables.store.commit([Write(here.values(failures=failures, heard=heard))])
        if failures != hook.failures:
            self._tables.tell(self._tables.live(hook.table))

    def hooked(self) -> set[str]:
        """The tables that have a webhook."""
        with self._lock:
            if self._hooked is None:
                self._hooked = set(self._tables.store.column(schema.hooks.c.match))
            return self._hooked

    def _seated(self, table: str, visitor: Visitor) -> None:
        if not self._tables.live(table).seats_of(visitor):
            raise Forbidden(say("Only the players of a table may have it call somebody."))

    def _news(self) -> None:
        """Whom to call has changed: the next who asks reads it anew, in other processes too."""
        self.stale()
        self._tables.node.tell(CALLS)

    def stale(self) -> None:
        """Forget what is in memory: another process has changed it."""
        with self._lock:
            self._owners = self._hooked = None

    def _changed(self, table: str) -> None:
        self._news()
        self._tables.tell(self._tables.live(table))


def _bytes(text: str) -> bytes:
    """What a key in base64 for addresses holds; nothing if it is none."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
