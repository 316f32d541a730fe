"""A PostgreSQL server as a model: several stores share one SQLite file, messages and locks.

`SharedFile` is a `Store` whose database takes the statements that `table.cluster` sends to
PostgreSQL. What SQLite does not have is put in its place here: the server's clock, `LISTEN` and
`NOTIFY`, advisory locks, `FOR UPDATE SKIP LOCKED` and `LATERAL` in the statement that claims a turn.
The tests of `table/cluster` run on this model, too (`tests/table/several.py`).
"""

import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.cluster.bot_jobs import (
    CLAIM_STATEMENT,
    DEAD_PROCESS_SECONDS,
    LEASE_SECONDS,
    THOUGHT,
)
from diablerie.table.presence.fair_queue import HALF_LIFE
from diablerie.table.presence.hub import PAGE_LOOK_SECONDS
from diablerie.table.storage.database import CLOCK, Database
from diablerie.table.storage.served_database import ServedDatabase
from diablerie.table.storage.store import FILE_LOCK_SECONDS, Store

SECONDS = "server_now()"  # Unix time by the server's clock, see `_functions`
SQLITE_NOW = "((julianday('now') - 2440587.5) * 86400.0)"  # what `Now` is for SQLite
CLAIMED = f"""
    WITH clock AS (SELECT {SECONDS} AS now),
    alive AS (SELECT id, threads FROM processes, clock WHERE beat > now - {DEAD_PROCESS_SECONDS}),
    ready AS (
        SELECT t.*, (
            SELECT l.client FROM looks l WHERE l."match" = t."match" AND l.client <> ''
            ORDER BY l.at DESC LIMIT 1
        ) AS account
        FROM turns t, clock WHERE t.due <= now AND t.lease <= now
    ),
    chosen AS (
        SELECT r."match" AS id, coalesce(r.account, '') AS account
        FROM clock, ready r LEFT JOIN budgets b ON b.kind = '{THOUGHT}' AND b.client = r.account
        WHERE (NOT r.alone OR EXISTS (
            SELECT 1 FROM looks l JOIN alive a ON a.id = l.process
            WHERE l."match" = r."match" AND (l.pages > 0 OR l.at > now - {PAGE_LOOK_SECONDS})
        ))
        AND (r.account IS NULL OR
            (SELECT count(*) FROM turns o WHERE o.client = r.account AND o.lease > now)
            < greatest(1, (SELECT sum(threads) FROM alive) - 1))
        ORDER BY coalesce(b.level * power(2, (b.at - now) / {HALF_LIFE}), 0), r.due
        LIMIT 1
    )
    UPDATE turns SET lease = (SELECT now FROM clock) + {LEASE_SECONDS}, holder = ?,
        client = (SELECT account FROM chosen)
    WHERE "match" = (SELECT id FROM chosen) RETURNING "match", client
"""
REPLACED = {
    "SET LOCAL synchronous_commit = off": "SELECT 1",
    "SHOW transaction_read_only": "SELECT 'off'",
}


class Notification(NamedTuple):
    """A message that a connection has received."""

    payload: str


class Broken(Exception):
    """The server has closed this connection."""


class ServerModel:
    """What the stores on one file share besides the file: a clock, messages, locks."""

    def __init__(
        self,
        now: Callable[[], float] = time.time,
        loses: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`now` is the server's clock, Unix time in seconds; `loses` whether a message gets lost."""
        self.now, self._loses = now, loses
        self.connections: list[Listening] = []
        self.locks: dict[int, Listening] = {}
        self.news = threading.Condition()

    def notify(self, messages: list[str]) -> None:
        """Send messages to all that listen, each once."""
        kept = [message for message in dict.fromkeys(messages) if not self._loses(message)]
        with self.news:
            for connection in self.connections:
                if connection.listens:
                    connection.received.extend(map(Notification, kept))
            self.news.notify_all()

    def cut(self, connection: "Listening") -> None:
        """Close a connection from here, as a server does that is restarted."""
        connection.close()
        connection.broken = True
        with self.news:
            self.news.notify_all()

    def terminate(self, view: str) -> None:
        """Close the connections that hold locks (`pg_locks`), or those that listen."""
        holders = set(self.locks.values())
        for connection in list(self.connections):
            if connection in holders if view == "pg_locks" else connection.listens:
                self.cut(connection)


class Listening:
    """A connection outside the pool: it listens, notifies, and holds locks until it is closed."""

    def __init__(self, server: ServerModel, clock: Clock) -> None:
        self._server, self._clock = server, clock
        self.received: deque[Notification] = deque()
        self.listens = self.closed = self.broken = False
        server.connections.append(self)

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> "Listening":
        """Take one of the statements of `table.cluster`. Raises Broken."""
        self._must_be_open()
        if statement.startswith("LISTEN"):
            self.listens = True
        elif "pg_notify" in statement:
            self._server.notify(values[1])
        elif "pg_try_advisory_lock" in statement:
            self._row = (self._server.locks.setdefault(values[0], self) is self,)
        elif statement != "SELECT 1":
            raise ValueError(statement)
        return self

    def fetchone(self) -> tuple[Any, ...]:
        """The row of the last statement."""
        return self._row

    def notifies(self, timeout: float, stop_after: int) -> Iterator[Notification]:
        """The messages that have come, after at most `timeout` seconds. Raises Broken."""
        with self._server.news:
            if self._clock.threaded and not self.received and not self.closed:
                self._server.news.wait(timeout)
        self._must_be_open()
        for _ in range(min(stop_after, len(self.received))):
            yield self.received.popleft()

    @property
    def ready(self) -> bool:
        """Whether `notifies` has something to say at once."""
        return self.listens and (self.broken or (bool(self.received) and not self.closed))

    def _must_be_open(self) -> None:
        if self.closed:
            self.broken = False
            raise Broken("the connection is closed")

    def close(self) -> None:
        """Close the connection: its locks are free."""
        self.closed = True
        if self in self._server.connections:
            self._server.connections.remove(self)
        for lock in [k for k, holder in self._server.locks.items() if holder is self]:
            del self._server.locks[lock]


class SharedFileDatabase(ServedDatabase):
    """A SQLite file that looks like the database of a server."""

    def __init__(self, file: Database, server: ServerModel, clock: Clock) -> None:
        self.engine, self.view, self.alone = file.engine, file.view, file.alone
        self._server, self._clock = server, clock
        self.listeners: list[Listening] = []

    def listening(self) -> Any:
        """A connection outside the pool."""
        with self.engine.connect():
            made = Listening(self._server, self._clock)
        self.listeners.append(made)
        return made


class SharedFile(Store):
    """A store that shares a SQLite file with others."""

    def __init__(
        self,
        where: str | Path,
        server: ServerModel,
        *,
        clock: Clock = SYSTEM_CLOCK,
        busy: float = FILE_LOCK_SECONDS,
        durable: bool = False,
    ) -> None:
        super().__init__(where, durable=durable, clock=clock, busy=busy)
        self.server = server
        self.database = shared = SharedFileDatabase(self.database, server, clock)
        self.listeners = shared.listeners
        sa.event.listen(self.engine, "connect", self._functions)
        sa.event.listen(self.engine, "before_cursor_execute", self._translated, retval=True)
        self._files = {}  # a server has no files to watch
        self.engine.dispose()  # connections made from now on have the functions

    def close(self) -> None:
        """Close all connections, those outside the pool as well."""
        for connection in getattr(self, "listeners", ()):
            connection.close()
        super().close()

    def _functions(self, raw: Any, _: Any) -> None:
        raw.create_function("server_now", 0, self.server.now)
        raw.create_function("power", 2, lambda base, x: None if x is None else float(base) ** x)
        raw.create_function("greatest", -1, lambda *values: max(_known(values)))
        raw.create_function("least", -1, lambda *values: min(_known(values)))

    def _translated(
        self, _: sa.Connection, cursor: Any, statement: str, parameters: Any, __: Any, ___: bool
    ) -> tuple[str, Any]:
        """A statement for PostgreSQL as SQLite takes it."""
        if terminated := re.search(r"SELECT pg_terminate_backend\(pid\) FROM (\w+)", statement):
            self.server.terminate(terminated[1])
            return "SELECT 1", ()
        if statement.startswith(CLAIM_STATEMENT.text[:40]):
            return CLAIMED, parameters
        if "xmax = 0" in statement:  # whether the row is new
            known = cursor.connection.execute(
                "SELECT 1 FROM processes WHERE id = ?", parameters[:1]
            )
            statement = statement.replace("xmax = 0", str(int(known.fetchone() is None)))
        statement = REPLACED.get(statement, statement).replace(CLOCK, SECONDS)
        statement = statement.replace(SQLITE_NOW, SECONDS)
        return re.sub(r"FOR UPDATE OF \w+ SKIP LOCKED", "", statement), parameters


def _known(values: tuple[Any, ...]) -> list[Any]:
    return [value for value in values if value is not None]  # as PostgreSQL's functions do
