"""Limits on how often one client may ask for something, so that none can fill disk or memory."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

from cachetools import LRUCache

from diablerie.table.errors import TooMany

CLIENTS_COUNTED = 10_000  # remembered; the longest quiet are forgotten first, and start anew


class Rate(NamedTuple):
    """A token bucket: `burst` requests at once, and then one more every `seconds`."""

    burst: int
    seconds: float


# Counted when a request arrives, by each process for itself; see `web/edges/limits.py`
ARRIVAL_RATES: Mapping[str, Rate] = {
    "connections": Rate(600, 0.02),
    "pages": Rate(40, 0.1),  # and every address where there is nothing
    "frames": Rate(200, 0.1),  # for scripts: a table's regions, its data, steps of a replay
    "streams": Rate(120, 0.25),
    "files": Rate(1500, 0.02),  # static ones
    "downloads": Rate(30, 2.0),  # of matches
    "health": Rate(60, 0.2),
    "forms": Rate(300, 0.1),  # of every kind, before they are read
    "programs": Rate(300, 0.05),  # requests to the API, before they are read
}
# Counted when it is known what is asked for, by all processes together
REQUEST_RATES: Mapping[str, Rate] = {
    "tables": Rate(30, 30.0),  # that are made: opened, rematches, matches played on from a step
    "chat": Rate(20, 1.0),
    "reports": Rate(5, 60.0),
    "hints": Rate(20, 1.0),
    "moves": Rate(60, 0.1),  # also in lessons and in the daily challenge
    "push": Rate(30, 300.0),  # browsers that ask to be notified
    "writes": Rate(150, 0.25),  # of any other kind
    "reads": Rate(120, 0.1),  # by programs
}
RATES: Mapping[str, Rate] = {**ARRIVAL_RATES, **REQUEST_RATES}


class Limits:
    """A token bucket for each kind of request and client, for the one thread that serves."""

    def __init__(
        self,
        clock: Callable[[], float],
        rates: Mapping[str, Rate] = RATES,
        clients: int = CLIENTS_COUNTED,
    ) -> None:
        self._clock = clock
        self._rates = rates
        self._levels: LRUCache[tuple[str, str], tuple[float, float]] = LRUCache(clients)

    def take(self, kind: str, client: str) -> None:
        """Count one request; "" as client is not limited. May wait for the database.

        Requests are counted in this process first, so that a flood of them does not reach the
        database. Raises TooMany, Unavailable.
        """
        self.count_here(kind, client)
        self.count(kind, client)

    def count(self, kind: str, client: str) -> None:
        """Count one request where all processes count together; see `SharedLimits`.

        May wait for the database. Raises TooMany, Unavailable.
        """

    def count_here(self, kind: str, client: str) -> None:
        """Count one request in this process alone; never waits. Raises TooMany."""
        if not client:
            return
        rate = self._rates[kind]
        now = self._clock()
        level, at = self._levels.get((kind, client), (float(rate.burst), now))
        level = min(float(rate.burst), level + max(0.0, now - at) / rate.seconds)
        enough = level >= 1
        self._levels[kind, client] = (level - 1 if enough else level, now)
        if not enough:
            raise TooMany

    def place(self, client: str) -> AbstractContextManager[bool]:
        """The one place to think that a client has in all processes; whether it was free.

        In a single process it is always free. Raises Unavailable.
        """
        return nullcontext(True)
