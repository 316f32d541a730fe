"""Whose table's bots think next: of all that are due, one of the client who has had least.

A client is an address, as far as it is known who looks at a table. One alone gets all threads but
one, so that another's bots never wait for more than a single decision.
"""

import math
from collections import Counter, deque
from collections.abc import Callable

from cachetools import LRUCache

FORGOTTEN = 60.0  # seconds after which half of what somebody has had counts no more
CLIENTS = 10_000  # remembered


class FairQueue:
    """Tables that are due, by client. Not for several threads at once: who uses it has a lock."""

    def __init__(self, threads: int, clock: Callable[[], float]) -> None:
        """`clock` is monotonic, in seconds."""
        self._most = max(1, threads - 1)
        self._clock = clock
        self._due: dict[str, deque[str]] = {}
        self._thinking: Counter[str] = Counter()
        self._had: LRUCache[str, tuple[float, float]] = LRUCache(CLIENTS)

    def add(self, client: str, table: str) -> None:
        """A table is due; "" is a client who is not known."""
        self._due.setdefault(client, deque()).append(table)

    def take(self) -> tuple[str, str] | None:
        """The client and table whose bot may think now, if any may; give it back by `done`."""
        free = [c for c in self._due if not c or self._thinking[c] < self._most]
        if not free:
            return None
        client = min(free, key=self.had)
        table = self._due[client].popleft()
        if not self._due[client]:
            del self._due[client]
        self._thinking[client] += 1
        return client, table

    def done(self, client: str, seconds: float) -> None:
        """A client's bot has thought for so long."""
        self._thinking -= Counter([client])
        self._had[client] = self.had(client) + seconds, self._clock()

    def had(self, client: str) -> float:
        """The seconds of thinking a client has had lately."""
        seconds, at = self._had.get(client, (0.0, 0.0))
        return seconds * math.exp2((at - self._clock()) / FORGOTTEN)
