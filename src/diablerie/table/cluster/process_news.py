"""News between processes, by LISTEN/NOTIFY: that something has changed, never what.

They are sent after the transaction they are about, by a thread of their own, many at a time: nobody
waits for them, and some may be lost. The sweep finds what they did not tell (see company.py).
"""

import logging
import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from typing import Any

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

    def __init__(self, store: Store, me: str) -> None:
        self._store, self._me = store, me
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)
        self._missed: list[Callable[[], None]] = []
        self._waiting: dict[str, None] = {}  # in their order, each once
        self._some = threading.Condition()
        self._stopping = threading.Event()
        self.listening = threading.Event()
        self._threads = [
            threading.Thread(target=self._lasting, args=(work,), name=name, daemon=True)
            for name, work in (("news-out", self._sending), ("news-in", self._hearing))
        ]

    def listen(self, kind: str, listener: Listener) -> None:
        """Have a function called with what others tell of this kind; it should not wait."""
        self._listeners[kind].append(listener)

    def missed(self, listener: Callable[[], None]) -> None:
        """Have a function called when some news may have been lost."""
        self._missed.append(listener)

    def tell(self, kind: str, what: str = "") -> None:
        """Tell the others; from any thread, never waits."""
        with self._some:
            if len(self._waiting) < PILE:
                self._waiting[f"{self._me} {kind} {what}"] = None
                self._some.notify()

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End."""
        self._stopping.set()
        with self._some:
            self._some.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout)

    def _lasting(self, work: Callable[[Any], None]) -> None:
        """Work on a connection of its own, and on another one when that breaks."""
        failures = 0
        while not self._stopping.is_set():
            try:
                with closing(self._store.listening()) as connection:
                    failures = 0
                    work(connection)
            except Exception as error:
                failures += 1
                if failures == 1:
                    log.error("news: %s", " ".join(str(error).split()))
                self._stopping.wait(PAUSE)

    def _sending(self, connection: Any) -> None:
        while not self._stopping.is_set():
            with self._some:
                self._some.wait_for(lambda: self._waiting or self._stopping.is_set())
                batch = list(self._waiting)[:MOST]
                for one in batch:
                    del self._waiting[one]
            if batch:
                connection.execute(
                    "SELECT pg_notify(%s, told) FROM unnest(%s::text[]) AS told", (CHANNEL, batch)
                )

    def _hearing(self, connection: Any) -> None:
        connection.execute(f"LISTEN {CHANNEL}")
        for listener in self._missed:
            listener()
        self.listening.set()
        try:
            while not self._stopping.is_set():
                for told in connection.notifies(timeout=TURN, stop_after=MOST):
                    self._heard(told.payload)
        finally:
            self.listening.clear()

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
