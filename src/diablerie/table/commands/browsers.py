"""The browsers that this server knows: each has a secret that the server made, and can change it.

A secret that nobody here has made is nobody's, however long it is. A new secret counts, and the old
one ends, when the browser first shows it: an answer that is lost on the way costs nothing.
"""

import threading
from typing import Any

import sqlalchemy as sa
from cachetools import LRUCache

from diablerie.engine.text import say
from diablerie.table.commands import devices
from diablerie.table.errors import Forbidden, Unavailable
from diablerie.table.state.visitors import Visitor, fresh_secret, visitor_of
from diablerie.table.storage import schema
from diablerie.table.storage.store import Write
from diablerie.table.tables import Tables

KEPT = 20_000  # browsers that a process remembers
REMEMBERED = 60.0  # seconds for which it does not ask the database again
SHORTEST, LONGEST = 16, 100  # characters of a secret worth looking at
OUTLIVED = 400 * 24 * 3600.0  # seconds after which no browser has the cookie any more


class Browsers:
    """Which secrets are somebody's. All methods may be called from any thread."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self._lock = tables, threading.Lock()
        self._known: LRUCache[Visitor, float] = LRUCache(KEPT)  # when it was looked up

    def visitor(self, secret: str) -> Visitor | None:
        """The visitor with this secret, None if the server has not made it. Raises Unavailable."""
        if not SHORTEST <= len(secret) <= LONGEST:
            return None
        visitor, now = visitor_of(secret), self._tables.clock()
        with self._lock:
            at = self._known.get(visitor)
        if at is not None and 0 <= now - at < REMEMBERED:
            return visitor
        try:
            row = self._tables.store.row(schema.browsers, "id", visitor)
        except Unavailable:
            if at is None:
                raise
            return visitor
        if row is not None and row.replaces:
            self._take_over(visitor, row)
        with self._lock:
            if row is not None:
                self._known[visitor] = now
            else:
                self._known.pop(visitor, None)
        return visitor if row is not None else None

    def note(self, visitor: Visitor, replaces: str = "") -> None:
        """Note a secret that the server has made. Raises Unavailable."""
        b, row = schema.browsers, {"id": visitor, "made": self._tables.clock()}
        if self._tables.store.row(b, "id", visitor) is None:
            insert = Write(sa.insert(b), [row | {"replaces": replaces}])
            self._tables.store.commit([insert])

    def renew(self, secret: str) -> str:
        """Make the secret that this browser has from now on. Raises Forbidden, Unavailable.

        With its first use everything becomes the new visitor's, and the old secret is nobody's.
        """
        was = self.visitor(secret)
        if was is None:
            raise Forbidden(say("This device has nothing here yet."))
        fresh = fresh_secret()
        self.note(visitor_of(fresh), replaces=was)
        return fresh

    def _take_over(self, visitor: Visitor, row: Any) -> None:
        """Move everything of the old secret to the new one, and end the old one. Raises Preparing."""
        b = schema.browsers
        done = sa.update(b).where(b.c.id == visitor).values(replaces="")
        devices.move_all(self._tables, Visitor(row.replaces), visitor)
        old = sa.delete(b).where(b.c.id == row.replaces)
        self._tables.store.commit([Write(done), Write(old)])
        with self._lock:
            self._known.pop(Visitor(row.replaces), None)

    def sweep(self) -> None:
        """Forget the browsers whose cookies have expired. Raises Unavailable."""
        b = schema.browsers
        old = sa.delete(b).where(b.c.made < self._tables.clock() - OUTLIVED)
        self._tables.store.commit([Write(old)])
