"""Bounds on what one client may ask for, so that none can fill disk or memory."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from cachetools import LRUCache

from diablerie.table.errors import TooMany

CLIENTS = 10_000  # remembered; the longest quiet are forgotten first, and start anew


class Rate(NamedTuple):
    """So many at once, and then one more every so many seconds."""

    burst: int
    seconds: float


RATES: Mapping[str, Rate] = {
    "tables": Rate(30, 30.0),
    "chat": Rate(6, 2.0),
    "reports": Rate(5, 60.0),
    "hints": Rate(10, 2.0),
    "moves": Rate(60, 0.1),
    "writes": Rate(60, 0.5),  # of any other kind
    "reads": Rate(120, 0.1),  # by programs
}


class LimitStatus(NamedTuple):
    """How a client stands with a bound: so many more at once, the next in so many seconds."""

    left: int
    wait: float


class Limits:
    """A token bucket for each kind of request and client."""

    def __init__(
        self, clock: Callable[[], float], rates: Mapping[str, Rate] = RATES, clients: int = CLIENTS
    ) -> None:
        self._clock, self._rates = clock, rates
        self._lock = threading.Lock()
        self._levels: LRUCache[tuple[str, str], tuple[float, float]] = LRUCache(clients)

    def take(self, kind: str, client: str) -> None:
        """Count one request of this kind. Raises TooMany; "" as client is not bounded."""
        self.count_here(kind, client)
        self.count(kind, client)

    def count(self, kind: str, client: str) -> None:
        """Count it with those of other processes, if there are any. It may wait for that."""

    @contextmanager
    def place(self, client: str) -> Iterator[bool]:
        """The one place to think that a client has in all processes; whether it was free."""
        yield True

    def count_here(self, kind: str, client: str) -> None:
        """Count it with those of this process alone; never waits. Raises TooMany."""
        if not client:
            return
        with self._lock:
            level, now = self._level(kind, client)
            enough = level >= 1
            self._levels[kind, client] = (level - 1 if enough else level, now)
        if not enough:
            raise TooMany

    def standing(self, kind: str, client: str) -> LimitStatus:
        """How a client stands, without counting anything."""
        with self._lock:
            level, _ = self._level(kind, client)
        return LimitStatus(int(level), (1 - level % 1) * self._rates[kind].seconds)

    def _level(self, kind: str, client: str) -> tuple[float, float]:
        """How many requests are left to a client, and the time now."""
        rate, now = self._rates[kind], self._clock()
        level, at = self._levels.get((kind, client), (float(rate.burst), now))
        return min(float(rate.burst), level + max(0.0, now - at) / rate.seconds), now
