"""News between processes, by LISTEN/NOTIFY: that something has changed, never what.

They are sent after the transaction they are about, by a thread of their own, many at a time: nobody
waits for them, and some may be lost. The sweep finds what they did not tell (see company.py).
"""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from diablerie.runtime.background import Background
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.storage.store import Store

log = logging.getLogger(__name__)
CHANNEL = "diablerie"
PAUSE = 1.0  # seconds after a failure
TURN = 0.5  # seconds between two looks whether it is to stop
MOST = 500  # in one statement
PILE = 20_000  # that wait; more are dropped
Listener = Callable[[str], None]


class ProcessNews:
    """Tells the other processes, and hears of them; from `start` to `stop`."""

    def __init__(self, store: Store, me: str, clock: Clock = SYSTEM_CLOCK) -> None:
        self._me = me
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)
        self._missed: list[Callable[[], None]] = []
        self._waiting: dict[str, None] = {}  # in their order, each once
        self._lock = threading.Lock()
        self.listening = threading.Event()
        self._out, self._in = _Line(store), _Line(store)
        self._sending = self._lasting("news-out", self._send, self._out, clock)
        self._hearing = self._lasting("news-in", self._hear, self._in, clock)

    def listen(self, kind: str, listener: Listener) -> None:
        """Have a function called with what others tell of this kind; it should not wait."""
        self._listeners[kind].append(listener)

    def missed(self, listener: Callable[[], None]) -> None:
        """Have a function called when some news may have been lost."""
        self._missed.append(listener)

    def tell(self, kind: str, what: str = "") -> None:
        """Tell the others; from any thread, never waits."""
        with self._lock:
            if len(self._waiting) < PILE:
                self._waiting[f"{self._me} {kind} {what}"] = None
        self._sending.wake()

    def start(self) -> None:
        """Begin."""
        self._sending.start()
        self._hearing.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End."""
        self._sending.stop(0.0)
        self._hearing.stop(timeout)
        self._sending.join(timeout)

    def _lasting(
        self, name: str, work: Callable[[Any], float | None], line: "_Line", clock: Clock
    ) -> Background:
        """Work on a connection of its own, and on another one when that breaks."""

        def run() -> float | None:
            try:
                return work(line.connected())
            except Exception:
                cleanup()
                raise

        def cleanup() -> None:
            if line is self._in:
                self.listening.clear()
            line.close()

        return Background(
            name,
            run,
            clock,
            backoff=PAUSE,
            expected=Exception,
            failure="news",
            cleanup=cleanup,
        )

    def _send(self, connection: Any) -> float | None:
        with self._lock:
            batch = list(self._waiting)[:MOST]
            for one in batch:
                del self._waiting[one]
        if not batch:
            return None
        connection.execute(
            "SELECT pg_notify(%s, told) FROM unnest(%s::text[]) AS told", (CHANNEL, batch)
        )
        return 0.0

    def _hear(self, connection: Any) -> float:
        if not self.listening.is_set():
            connection.execute(f"LISTEN {CHANNEL}")
            for listener in self._missed:
                listener()
            self.listening.set()
        for told in connection.notifies(timeout=TURN, stop_after=MOST):
            self._heard(told.payload)
        return 0.0

    def _heard(self, payload: str) -> None:
        who, _, rest = payload.partition(" ")
        kind, _, what = rest.partition(" ")
        if who == self._me:
            return
        for listener in self._listeners[kind]:
            try:
                listener(what)
            except Exception:  # the others are to hear of it
                log.exception("news of %s", kind)


class _Line:
    """A connection that is opened when it is needed, and another one after it was closed."""

    def __init__(self, store: Store) -> None:
        self._store, self._connection = store, None

    def connected(self) -> Any:
        """The connection. Raises Unavailable."""
        if self._connection is None:
            self._connection = self._store.listening()
        return self._connection

    def close(self) -> None:
        """Close it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
