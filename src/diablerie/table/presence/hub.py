"""The hub tells the streams in this process that a table has changed, but not what has.

A stream waits for news like this:

    async with hub.subscribe(table, visitor, client) as news:   # TooMany if the client has many
        while not news.closing:
            live = authority.live(table)  # the stream reads the table: several changes are one
            ...
            await news.wait()             # at once if something happened since the last wait

Who has a stream is present: `Attendance` says which browsers have a table's page open, and when
each was last seen.
"""

import asyncio
import contextlib
import math
import threading
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import chain

from cachetools import LRUCache

from diablerie.engine.text import say
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.errors import TooMany
from diablerie.table.state.table_state import DECIDERS, TableSeat, TableState
from diablerie.table.state.visitors import Visitor

# browsers at tables remembered; the longest unseen are forgotten first
ATTENDANTS_REMEMBERED = 20_000
AWAY_SECONDS = 45.0  # seconds after which the others may let a bot play
PAGE_LOOK_SECONDS = 30.0  # seconds that a page without a stream counts as looked at
# pages that one client may keep open, in all processes: thirty browsers have two
MOST_STREAMS_OF_CLIENT = 60
MOST_LISTENERS = 12_000  # in all, of some 50 kB each
CALLERS_REMEMBERED = 20_000  # tables whose last client is remembered


class OtherPages:
    """Which pages are open in other processes: none, where there are no others."""

    def opened(self, table: str, visitor: Visitor | None, client: str, pages: int) -> None:
        """Tell the others that so many pages were opened here (below zero: closed; 0: loaded)."""

    def here(self, table: str, visitor: Visitor) -> bool:
        """Whether a visitor has a page of a table open there."""
        return False

    def seen(self, table: str, visitor: Visitor) -> float:
        """When a visitor was last seen at a table there (Unix time); 0.0 if never."""
        return 0.0

    def watched(self, table: str) -> bool:
        """Whether somebody looks at a table there."""
        return False

    def pages(self, client: str) -> int:
        """How many pages a client has open there."""
        return 0


@dataclass(frozen=True)
class Presence:
    """A seat's person: `here` (a page is open), or for how many seconds `away`.

    `due` (Unix time) is when the others may give the seat to a bot; None if that cannot be.
    """

    here: bool
    away: float
    due: float | None


class Attendance:
    """Who has pages open in this process, which is kept in memory only.

    After a restart everybody counts as seen at the start.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        away_after: float = AWAY_SECONDS,
        others: OtherPages | None = None,
    ) -> None:
        self.others = others or OtherPages()
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()
        self._open: defaultdict[tuple[str, Visitor], int] = defaultdict(int)
        self._seen: LRUCache[tuple[str, Visitor], float] = LRUCache(ATTENDANTS_REMEMBERED)
        self._ahead: LRUCache[tuple[str, str], tuple[float, float]] = LRUCache(
            ATTENDANTS_REMEMBERED
        )  # see `_noticed`
        # Called, and must not wait, when a visitor looks at tables
        self.on_visit: list[Callable[[Visitor], None]] = []
        self.away_after = away_after

    def visit(self, visitor: Visitor) -> None:
        """A visitor looks at a table, or at the list of them: tell the listeners."""
        for listener in self.on_visit:
            listener(visitor)

    def enter(self, table: str, visitor: Visitor | None) -> bool:
        """A visitor opens a page; whether that makes the visitor present."""
        if visitor is None:
            return False
        self.visit(visitor)
        with self._lock:
            self._open[table, visitor] += 1
            return self._open[table, visitor] == 1

    def leave(self, table: str, visitor: Visitor | None) -> bool:
        """A visitor closes a page, and has looked at it; whether it was the last at the table."""
        if visitor is None:
            return False
        self.visit(visitor)  # a notification may have come while it was open
        with self._lock:
            self._seen[table, visitor] = self._clock()
            self._open[table, visitor] -= 1
            if self._open[table, visitor] > 0:
                return False
            del self._open[table, visitor]
            return True

    def touch(self, table: str, visitor: Visitor) -> None:
        """A visitor was at a table for a moment, by a page without a stream."""
        self.visit(visitor)
        self.others.opened(table, visitor, "", 0)
        with self._lock:
            self._seen[table, visitor] = self._clock()

    def of(self, live: TableState) -> list[Presence]:
        """Who is here, by seat."""
        return [self._of(live, info) for info in live.seats]

    def _of(self, live: TableState, info: TableSeat) -> Presence:
        if info.owner is None:
            return Presence(False, 0.0, None)
        with self._lock:
            here = self._open.get((live.id, info.owner), 0) > 0
            seen = self._seen.get((live.id, info.owner), self._started)
        if here or self.others.here(live.id, info.owner):
            return Presence(True, 0.0, None)
        elsewhere = self.others.seen(live.id, info.owner)
        seen = self._noticed(live.id, info.owner, seen)
        seen = max(seen, self._noticed(live.id, f"{info.owner} elsewhere", elsewhere))
        since = max(seen, self._noticed(live.id, "", live.created))
        given = info.kind not in DECIDERS or bool(info.stand_in)
        due = None if given else since + self.away_after
        return Presence(False, max(0.0, self._clock() - since), due)

    def _noticed(self, table: str, what: str, at: float) -> float:
        """A time that was noted; one that a clock ahead of this one has noted counts from now on."""
        now = self._clock()
        key = (table, what)
        with self._lock:
            noted, noticed = self._ahead.get(key, (0.0, 0.0))
            if noted == at and noticed <= now:
                return noticed
            if at > now:
                self._ahead[key] = at, now
        return min(at, now)


# -- hub ---------------------------------------------------------------------------------------


class Subscription:
    """One stream's subscription to a table; made in its event loop."""

    def __init__(self, clock: Clock = SYSTEM_CLOCK) -> None:
        self.closing = False
        self.event = asyncio.Event()
        self._clock = clock
        self.loop = asyncio.get_running_loop()

    async def wait(self, timeout: float | None = None) -> bool:
        """Wait for news; False if none came in `timeout` seconds."""
        if not await self._clock.wait_async(self.event, timeout):
            return False
        self.event.clear()
        return True

    def wake(self) -> None:
        """Tell the stream that there are news; from any thread, never waits."""
        wake_all([self])


def wake_all(news: Sequence[Subscription]) -> None:
    """Tell streams of one event loop that there are news, with one signal to it; see `wake`."""
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
        news[0].loop.call_soon_threadsafe(_set, [*news])


def _set(news: list[Subscription]) -> None:
    """Wake one stream after the other: between two of them the event loop does what is ready."""
    news.pop().event.set()
    if news:
        asyncio.get_running_loop().call_soon(_set, news)


class Hub:
    """The subscriptions to each table. A visitor who has one is present."""

    def __init__(self, attendance: Attendance, clock: Clock = SYSTEM_CLOCK) -> None:
        self._attendance = attendance
        self._others = attendance.others
        self._clock = clock
        self._lock = threading.Lock()
        # By table, in the order in which they are told: that of a set differs from run to run.
        self._listeners: defaultdict[str, dict[Subscription, None]] = defaultdict(dict)
        self._clients: Counter[str] = Counter()
        self._closing = False
        self._callers: LRUCache[str, str] = LRUCache(
            CALLERS_REMEMBERED
        )  # the last client, by table
        self._glances: LRUCache[str, float] = LRUCache(MOST_LISTENERS)  # the last one's time
        # Called, and must not wait, when somebody looks at a table
        self.on_look: list[Callable[[str], None]] = []

    def glance(self, table: str, client: str = "") -> None:
        """Note that somebody looks at a table's page without a stream."""
        with self._lock:
            self._glances[table] = self._clock.monotonic()
            if client:
                self._callers[table] = client
        self._others.opened(table, None, client, 0)
        self._looked_at(table)

    def client(self, table: str) -> str:
        """The client who looked at a table last; "" if it is not known."""
        with self._lock:
            return self._callers.get(table, "")

    def watched(self, table: str) -> bool:
        """Whether somebody looks at a table now."""
        with self._lock:
            glanced = (
                self._clock.monotonic() - self._glances.get(table, -math.inf) < PAGE_LOOK_SECONDS
            )
            here = glanced or bool(self._listeners.get(table))
        return here or self._others.watched(table)

    def tables(self) -> list[str]:
        """The tables that somebody listens to in this process."""
        with self._lock:
            return list(self._listeners)

    def _looked_at(self, table: str) -> None:
        for listener in self.on_look:
            listener(table)

    @asynccontextmanager
    async def subscribe(
        self, table: str, visitor: Visitor | None = None, client: str = ""
    ) -> AsyncIterator[Subscription]:
        """Subscribe to a table; the visitor is present there until the context ends.

        Raises TooMany.
        """
        news = Subscription(self._clock)
        self._enter(table, client, news)
        self._others.opened(table, visitor, client, 1)
        try:
            self._looked_at(table)
            if self._attendance.enter(table, visitor):
                self.publish(table)
            yield news
        finally:
            self._leave(table, client, news)
            self._others.opened(table, visitor, client, -1)
            if self._attendance.leave(table, visitor):
                self.publish(table)

    def publish(self, table: str) -> None:
        """Wake the subscriptions to a table; from any thread, never waits."""
        with self._lock:
            listeners = list(self._listeners.get(table, ()))
        if listeners:
            wake_all(listeners)

    def close(self) -> None:
        """Wake every subscription with `closing` set; later ones are closing from the start."""
        with self._lock:
            self._closing = True
            listeners = list(chain.from_iterable(self._listeners.values()))
        for news in listeners:
            news.closing = True
            news.wake()

    def listeners(self, table: str = "") -> int:
        """How many subscriptions there are to a table, or in all."""
        with self._lock:
            groups = [self._listeners.get(table, {})] if table else self._listeners.values()
            return sum(len(group) for group in groups)

    def _enter(self, table: str, client: str, news: Subscription) -> None:
        others = self._others.pages(client)
        with self._lock:
            news.closing = self._closing
            full = sum(self._clients.values()) >= MOST_LISTENERS
            if full or (client and self._clients[client] + others >= MOST_STREAMS_OF_CLIENT):
                raise TooMany(say("Too many pages are open: close some, then reload."))
            self._clients[client] += 1
            self._listeners[table][news] = None
            if client:
                self._callers[table] = client

    def _leave(self, table: str, client: str, news: Subscription) -> None:
        with self._lock:
            self._listeners[table].pop(news, None)
            if not self._listeners[table]:
                del self._listeners[table]
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]
