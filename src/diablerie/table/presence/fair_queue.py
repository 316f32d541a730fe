"""Who is next where many clients want what takes long: who has had least lately and asks for least.

Bots' turns, hints, pictures and analyses of matches have a `FairQueue` each. A client is what the
rate limits count as one (`web/people/identity.py`); "" is one who is not known, without limits.
"""

import asyncio
import heapq
import itertools
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Generic, NamedTuple, TypeVar

from cachetools import LRUCache

from diablerie.engine.text import Line
from diablerie.table.errors import TooMany

HALF_LIFE = 60.0  # seconds after which half of what a client has had counts no more
CLIENTS_REMEMBERED = 10_000  # remembered
MOST_JOBS_OF_CLIENT = 4  # jobs of one client that wait for a place, at most
QUEUE_SECONDS = 20.0  # seconds that a job waits for a place
FIRST_JOB_SECONDS = 4.0  # seconds that count for one who has had nothing yet
LEAST_TIME_SHARE = 1 / 16  # of the usual time that a job has however many clients wait
Item = TypeVar("Item")


class Taken(NamedTuple, Generic[Item]):
    """A job whose turn it is, and the client on whose account it is done."""

    client: str
    item: Item


class FairQueue(Generic[Item]):
    """Jobs that wait, by client. For one thread at a time: whoever uses it has a lock.

    One client alone gets all places but one, so that another never waits for more than one job.
    """

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`places` is how many jobs are done at once; `clock` is monotonic, in seconds."""
        self._most = max(1, places - 1)
        self._order = itertools.count()
        self._clock = clock
        self._due: dict[str, list[tuple[int, int, Item]]] = {}  # heaps: size, order, job
        self._busy: Counter[str] = Counter()
        self._used: LRUCache[str, tuple[float, float]] = LRUCache(CLIENTS_REMEMBERED)

    def add(self, client: str, item: Item, size: int = 0) -> None:
        """Add a job; of a client's jobs the smallest come first."""
        heapq.heappush(self._due.setdefault(client, []), (size, next(self._order), item))

    def take(self) -> Taken[Item] | None:
        """The job of a client who may use another place; `done` gives the place back."""
        free = [c for c in self._due if not c or self._busy[c] < self._most]
        if not free:
            return None
        # Who has had least lately, times the jobs that wait: so one who asks for one thing now and
        # then passes those who ask without end
        client = min(
            free,
            key=lambda c: (
                (FIRST_JOB_SECONDS + self.used(c)) * min(self.waiting(c), MOST_JOBS_OF_CLIENT)
            ),
        )
        item = heapq.heappop(self._due[client])[2]
        if not self._due[client]:
            del self._due[client]
        self._busy[client] += 1
        return Taken(client, item)

    def done(self, client: str, seconds: float) -> None:
        """Note that a client's job has taken so long: it counts if another waits meanwhile."""
        self._busy -= Counter([client])
        if self._due.keys() - {client}:
            self._used[client] = self.used(client) + seconds, self._clock()

    def used(self, client: str) -> float:
        """The seconds that a client has had lately."""
        seconds, at = self._used.get(client, (0.0, 0.0))
        return seconds * math.exp2((at - self._clock()) / HALF_LIFE)

    def waiting(self, client: str) -> int:
        """How many jobs of a client wait."""
        return len(self._due.get(client, ()))

    def remove(self, client: str, item: Item) -> None:
        """Forget a job that waits."""
        left = [one for one in self._due.pop(client, ()) if one[2] is not item]
        if left:
            heapq.heapify(left)
            self._due[client] = left

    @property
    def time_share(self) -> float:
        """The share of its usual time that a job has, so that with many clients all go on."""
        return max(LEAST_TIME_SHARE, 1 / (1 + len(self._due)))


class FairPlaces:
    """Places for requests that take long, given to clients in fair order, in one event loop."""

    def __init__(
        self, places: int, busy: Line | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`busy` is what those are told who wait in vain."""
        self._free = places
        self._told = busy
        self._clock = clock
        self._fair: FairQueue[asyncio.Event] = FairQueue(places, clock)

    @property
    def time_share(self) -> float:
        """See FairQueue."""
        return self._fair.time_share

    @asynccontextmanager
    async def place(
        self, client: str, gone: Callable[[], Awaitable[bool]] | None = None
    ) -> AsyncIterator[None]:
        """A context with a place.

        Raises TooMany after QUEUE_SECONDS, if many of the client's wait already, and if the
        client is `gone` when the place is free.
        """
        if client and self._fair.waiting(client) >= MOST_JOBS_OF_CLIENT:
            raise TooMany(self._told)
        ticket = asyncio.Event()
        self._fair.add(client, ticket)
        self._call()
        try:
            await asyncio.wait_for(ticket.wait(), QUEUE_SECONDS)
            if gone and await gone():
                raise TooMany(self._told)
        except BaseException as error:
            # Who leaves the queue may have been called at the same moment: then the place is free.
            if ticket.is_set():
                self._done(client, 0.0)
            else:
                self._fair.remove(client, ticket)
            if isinstance(error, TimeoutError):
                raise TooMany(self._told) from None
            raise
        began = self._clock()
        try:
            yield
        finally:
            self._done(client, self._clock() - began)

    def _done(self, client: str, seconds: float) -> None:
        self._free += 1
        self._fair.done(client, seconds)
        self._call()

    def _call(self) -> None:
        """Give the free places to those whose turn it is."""
        while self._free and (turn := self._fair.take()):
            self._free -= 1
            turn.item.set()
