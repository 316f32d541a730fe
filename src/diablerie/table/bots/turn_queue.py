"""Which bot thinks next: of all turns that are due, one of the client who has had least.

A client is an address, as far as it is known who looks at a table.

`LocalTurns` are for a process that has its database alone. Of several processes, those that play
for bots have `cluster.claimed_turns.ClaimedTurns`.
"""

import heapq
import itertools
import threading
from collections.abc import Callable
from typing import NamedTuple, Protocol

from diablerie.runtime.background import Background
from diablerie.table.bots.bot_player import FIRST_BOT_RETRY_SECONDS, UNPLAYABLE, due, retry_pause
from diablerie.table.errors import Unavailable
from diablerie.table.presence.fair_queue import FairQueue
from diablerie.table.state.table_state import RUNNING, TableState
from diablerie.table.tables import Tables

BOT_SECONDS = 0.4  # seconds between two bots' actions, so that people can follow
SPEED_TOGETHER = 4  # so many times faster where several decide at once, unseen


class Turn(NamedTuple):
    """A table where a bot may decide now, and the client on whose account it thinks.

    `holder` is who has claimed it and `ply` where the table stood, for `ClaimedTurns`.
    """

    table: str
    client: str
    holder: str = ""
    ply: int | None = None


class TurnQueue(Protocol):
    """Where the `Driver` takes turns from."""

    def start(self, wake: Callable[[float], None]) -> None:
        """Begin to call `wake` with the seconds within which a turn may be due."""

    def stop(self, timeout: float) -> None:
        """End; waits at most `timeout` seconds."""

    def wanted(self, live: TableState) -> bool:
        """Whether bots are to play at a table now."""

    def take(self) -> Turn | None:
        """The turn that comes next, if one is due; `finish` gives it back. Raises Unavailable."""

    def pause(self) -> float | None:
        """Seconds until a turn may be due; None: not before `wake` is called."""

    def finish(self, turn: Turn, seconds: float, again: float) -> None:
        """Note that a bot has thought for so long; with `again` the turn is due after that pause.

        Raises Unavailable.
        """


class LocalTurns:
    """The turns that are due, kept in memory: a restart looks at the tables that run.

    Where only bots play, they play while somebody looks on.
    """

    def __init__(self, tables: Tables, tempo: float = BOT_SECONDS, threads: int = 2) -> None:
        """`tempo` is how many seconds a bot waits after a change; `threads` is the driver's."""
        self._tables = tables
        self._tempo = tempo
        self._clock = tables.clock
        self._fair: FairQueue[str] = FairQueue(threads, self._clock.monotonic)
        self._later: list[tuple[float, int, str]] = []  # a heap: when, order, table
        self._order = itertools.count()
        self._queued: set[str] = set()  # tables that wait, or where a bot thinks
        self._glanced: set[str] = set()  # tables to look at, where perhaps no bot is due
        self._lock = threading.Lock()
        self._wake: Callable[[float], None] = lambda _: None
        self._resuming = Background(
            "bots-resume",
            self._resume,
            self._clock,
            once=True,
            backoff=lambda failures, error: retry_pause(
                1 if isinstance(error, Unavailable) else failures
            ),
            expected=Exception,
            failure="the tables that run cannot be found",
        )

    def start(self, wake: Callable[[float], None]) -> None:
        """Begin to call `wake`, with all tables that run already."""
        self._wake = wake
        self._tables.listen(self.on_change)
        self._tables.hub.on_look.append(self._glance)
        self._resuming.start()

    def stop(self, timeout: float) -> None:
        """End; waits at most `timeout` seconds."""
        self._resuming.stop(timeout)

    def _resume(self) -> None:
        for table in self._tables.store.tables((RUNNING,)):
            if self._resuming.stopping:
                return
            self._look(table)

    def on_change(self, live: TableState) -> None:
        """Queue a table if a bot is due there; from any thread, never waits."""
        if due(live) is None or not self.wanted(live):
            return
        tempo = self._tempo if len(live.pending) == 1 else self._tempo / SPEED_TOGETHER
        # At most the tempo: the last ply may be from a time when the clock was ahead.
        self._queue(live.id, max(0.0, min(tempo, live.changed + tempo - self._clock())))

    def wanted(self, live: TableState) -> bool:
        """Whether a person plays there, or somebody looks on."""
        return not all(info.driver for info in live.seats) or self._tables.hub.watched(live.id)

    def _glance(self, table: str) -> None:
        """Somebody looks at a table: perhaps its bots have waited for that."""
        with self._lock:
            self._glanced.add(table)
        self._wake(0.0)

    def _queue(self, table: str, delay: float) -> None:
        with self._lock:
            if table in self._queued:
                return
            self._queued.add(table)
            heapq.heappush(self._later, (self._clock.monotonic() + delay, next(self._order), table))
        self._wake(delay)

    def take(self) -> Turn | None:
        """The turn that comes next, if one is due."""
        while self._glanced:
            self._look(self._glanced.pop())
        with self._lock:
            while self._later and self._later[0][0] <= self._clock.monotonic():
                table = heapq.heappop(self._later)[2]
                self._fair.add(self._tables.hub.client(table), table)
            turn = self._fair.take()
        return turn and Turn(turn.item, turn.client)

    def pause(self) -> float | None:
        """Seconds until a turn is due; None: not before `wake` is called."""
        with self._lock:
            return max(0.0, self._later[0][0] - self._clock.monotonic()) if self._later else None

    def finish(self, turn: Turn, seconds: float, again: float) -> None:
        """Give a turn back, and queue its table if a bot is due there still."""
        with self._lock:
            self._fair.done(turn.client, seconds)
            self._queued.discard(turn.table)
        self._wake(0.0)  # another table of this client may have waited for the thread
        if again:
            self._queue(turn.table, again)
        else:
            self._look(turn.table)

    def _look(self, table: str) -> None:
        try:
            self.on_change(self._tables.live(table))
        except UNPLAYABLE:
            pass
        except Exception:  # the bot's player logs it when the table is tried again
            self._queue(table, FIRST_BOT_RETRY_SECONDS)
