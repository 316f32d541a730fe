"""Messages between processes, by PostgreSQL's LISTEN/NOTIFY: that something has changed, never what.

A thread of its own sends them, many at a time and after the transaction they are about: nobody
waits for them, and some may be lost. The sweep finds what they did not tell (`cluster_node`).
"""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from diablerie.runtime.background import Background, Failures
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.storage.served_database import ServedDatabase
from diablerie.table.storage.store import Store

if TYPE_CHECKING:
    from psycopg import Connection

CHANNEL = "diablerie"
NEWS_RETRY_SECONDS = 1.0  # seconds after a failure
STOP_LOOK_SECONDS = 0.5  # seconds between two looks whether it is to stop
MOST_MESSAGES_AT_ONCE = 500  # messages in one statement
LONGEST_QUEUE = 20_000  # messages that wait; more are dropped


def listening(store: Store) -> "Connection":
    """A connection of its own to the store's database, which the caller closes.

    Raises Unavailable.
    """
    served = cast(ServedDatabase, store.database)  # no other has several processes
    with store.answering():
        return served.listening()


class ProcessNews:
    """Sends messages to the other processes and hears theirs, from `start` to `stop`."""

    def __init__(
        self,
        store: Store,
        me: str,
        heard: Callable[[str, str], None],
        missed: Callable[[], None],
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        """`heard` is called with the kind and content of each message of another process.

        `missed` is called when messages may have been lost: after each new connection.
        """
        self._me = me
        self._heard = heard
        self._missed = missed
        self._waiting: dict[str, None] = {}  # messages in their order, each once
        self._lock = threading.Lock()
        self.listening = threading.Event()
        self._sending = self._on_connection("news-out", self._send, store, clock)
        self._hearing = self._on_connection(
            "news-in", self._hear, store, clock, self.listening.clear
        )

    def tell(self, kind: str, what: str = "") -> None:
        """Send a message; from any thread, never waits."""
        with self._lock:
            if len(self._waiting) < LONGEST_QUEUE:
                self._waiting[f"{self._me} {kind} {what}"] = None
        self._sending.wake()

    def start(self) -> None:
        """Begin to send and to listen."""
        self._sending.start()
        self._hearing.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End; waits at most `timeout` seconds for each of the two threads."""
        self._sending.stop(0.0)
        self._hearing.stop(timeout)
        self._sending.join(timeout)

    def _on_connection(
        self,
        name: str,
        work: Callable[["Connection"], float | None],
        store: Store,
        clock: Clock,
        closed: Callable[[], None] = lambda: None,
    ) -> Background:
        """Work that has a connection of its own, and a new one after each failure."""
        connections: list[Connection] = []

        def run() -> float | None:
            try:
                if not connections:
                    connections.append(listening(store))
                return work(connections[0])
            except Exception:
                close()  # the next run connects anew: nothing is known of what this one has lost
                raise

        def close() -> None:
            closed()
            if connections:
                connections.pop().close()

        return Background(
            name,
            run,
            clock,
            failures=Failures(backoff=NEWS_RETRY_SECONDS, expected=Exception, said="news"),
            cleanup=close,
        )

    def _send(self, connection: "Connection") -> float | None:
        with self._lock:
            batch = list(self._waiting)[:MOST_MESSAGES_AT_ONCE]
            for message in batch:
                del self._waiting[message]
        if not batch:
            return None
        connection.execute(
            "SELECT pg_notify(%s, message) FROM unnest(%s::text[]) AS message", (CHANNEL, batch)
        )
        return 0.0

    def _hear(self, connection: "Connection") -> float:
        if not self.listening.is_set():
            connection.execute(f"LISTEN {CHANNEL}")
            self._missed()
            self.listening.set()
        for notification in connection.notifies(
            timeout=STOP_LOOK_SECONDS, stop_after=MOST_MESSAGES_AT_ONCE
        ):
            sender, _, message = notification.payload.partition(" ")
            kind, _, what = message.partition(" ")
            if sender != self._me:
                self._heard(kind, what)
        return 0.0
