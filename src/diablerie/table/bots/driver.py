"""The driver of bots: threads that look which bots are due and let them decide.

What is due follows from the tables alone, so a restart only has to look at those that run. Bots
get the redacted record of their seat and nothing else.
"""

import heapq
import itertools
import threading

from diablerie.runtime.background import Background
from diablerie.table.authority import Authority
from diablerie.table.bots.bot_player import GONE, RETRY, BotPlayer, due, retry_pause
from diablerie.table.bots.fair_queue import FairQueue
from diablerie.table.errors import Unavailable
from diablerie.table.state.table_state import RUNNING, TableState

TEMPO = 0.7  # seconds between two bots' actions, so that people can follow
TOGETHER = 4  # so many times faster where several decide at once, unseen


class Driver:
    """Lets the bots of all running tables play, in `workers` threads, until `stop`."""

    def __init__(
        self,
        authority: Authority,
        *,
        tempo: float = TEMPO,
        workers: int = 2,
        seed: int | None = None,
    ) -> None:
        self._authority, self._tempo = authority, tempo
        self._thinker = BotPlayer(authority, self._wanted, seed)
        self._due: list[tuple[float, int, str]] = []
        self._queued: set[str] = set()
        clock = authority.clock
        self._turns = FairQueue(workers, clock.monotonic)
        self._glanced: set[str] = set()  # tables to look at, where perhaps no bot is due
        self._order = itertools.count()
        self._lock = threading.Lock()
        self._playing = Background("bots", self._play, clock, threads=workers)
        self._resuming = Background(
            "bots-resume",
            self._resume,
            clock,
            once=True,
            backoff=lambda failures, error: retry_pause(
                1 if isinstance(error, Unavailable) else failures
            ),
            expected=Exception,
            failure="the tables that run cannot be found",
        )

    def start(self) -> None:
        """Begin, with all tables that run already."""
        self._authority.listen(self.poke)
        self._authority.hub.welcome(self._glance)
        self._playing.start()
        self._resuming.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End; a bot that is thinking is not waited for longer than `timeout`."""
        self._resuming.stop(0.0)
        self._playing.stop(timeout)
        self._resuming.join(timeout)

    def _resume(self) -> None:
        for table in self._authority.store.tables((RUNNING,)):
            if self._resuming.stopping:
                return
            self._look(table)

    def poke(self, live: TableState) -> None:
        """Look whether a bot is due at this table; from any thread, never waits."""
        if due(live) is None or not self._wanted(live):
            return
        tempo = self._tempo if len(live.pending) == 1 else self._tempo / TOGETHER
        # At most the tempo: the last ply may be from a time when the clock was ahead.
        wait = min(tempo, live.changed + tempo - self._authority.clock())
        self._queue(live.id, max(0.0, wait))

    def _wanted(self, live: TableState) -> bool:
        """Whether anybody plays there, or looks on: bots do not play for nobody."""
        return not all(info.driver for info in live.seats) or self._authority.hub.watched(live.id)

    def _glance(self, table: str) -> None:
        """Somebody looks at a table: perhaps its bots have waited for that."""
        with self._lock:
            self._glanced.add(table)
        self._playing.wake()

    def _queue(self, table: str, delay: float) -> None:
        with self._lock:
            if table in self._queued:
                return
            self._queued.add(table)
            due = self._authority.clock.monotonic() + delay
            heapq.heappush(self._due, (due, next(self._order), table))
        self._playing.wake(max(0.0, delay))

    def _play(self) -> float | None:
        """Look at one table, or let one bot decide; the seconds until another may be due."""
        with self._lock:
            if self._glanced:
                table, client = self._glanced.pop(), None
            else:
                wait = self._ripen()
                if not (turn := self._turns.take()):
                    return wait
                client, table = turn
        if client is None:
            self._look(table)
        else:
            self._decide(client, table)
        return 0.0

    def _ripen(self) -> float | None:
        """Have what is due by now take turns; the seconds until more is, None if nothing waits."""
        while self._due:
            wait = self._due[0][0] - self._authority.clock.monotonic()
            if wait > 0:
                return wait
            table = heapq.heappop(self._due)[2]
            self._turns.add(self._authority.hub.client(table), table)
        return None

    def _decide(self, client: str, table: str) -> None:
        """Let a bot decide at a table, and look whether another one is due there."""
        began = self._authority.clock.monotonic()
        again = self._thinker.play_due_turn(table)
        with self._lock:
            self._turns.done(client, self._authority.clock.monotonic() - began)
            self._queued.discard(table)
        self._playing.wake()  # somebody may have waited for this client's thread
        if again:
            self._queue(table, again)
        else:
            self._look(table)

    def _look(self, table: str) -> None:
        try:
            self.poke(self._authority.live(table))
        except GONE:
            pass
        except Exception:  # told when it is tried again
            self._queue(table, RETRY)
