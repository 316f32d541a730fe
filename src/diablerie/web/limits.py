"""Limits per client: token buckets for what costs memory or disk, and a count of open streams."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from starlette.requests import Request

from diablerie.engine.text import say
from diablerie.web.errors import Refused

REMEMBERED = 10_000  # clients; the longest silent are forgotten, their buckets are full again


class Rate(NamedTuple):
    """So many at once, and so many a second in the long run."""

    burst: float
    refill: float


RATES = {
    "table": Rate(20, 1 / 20),
    "chat": Rate(10, 1 / 2),
    "post": Rate(120, 10),
    "claim": Rate(30, 1 / 2),
    "stream": Rate(60, 2),
}
STREAMS = 48  # open at once for one client address; a household may share one


@dataclass
class Limits:
    """What each client has left."""

    rates: dict[str, Rate] = field(default_factory=lambda: dict(RATES))
    streams: int = STREAMS
    clock: Callable[[], float] = time.monotonic
    _left: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    _open: Counter[str] = field(default_factory=Counter)

    def spend(self, request: Request, kind: str) -> None:
        """Count one `kind` of this client. Raises Refused if it has none left."""
        rate, key, now = self.rates[kind], (client(request), kind), self.clock()
        left, since = self._left.pop(key, (rate.burst, now))
        left = min(rate.burst, left + (now - since) * rate.refill)
        self._left[key] = (max(left - 1, 0), now) if left >= 1 else (left, now)
        self._forget()
        if left < 1:
            raise Refused(429, say("That was too often. Wait a moment and try again."))

    def _forget(self) -> None:
        while len(self._left) > REMEMBERED:
            del self._left[next(iter(self._left))]

    @contextmanager
    def stream(self, request: Request) -> Iterator[None]:
        """Hold one of the client's streams. Raises Refused if too many are open."""
        who = client(request)
        if self._open[who] >= self.streams:
            raise Refused(429, say("Too many pages are open here. Close one of them."))
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


def client(request: Request) -> str:
    """Who is counted: the network address."""
    return request.client.host if request.client else ""
