"""The driver of bots: threads that look which bots are due and let them decide.

What is due follows from the tables alone, so a restart only has to look at those that run. Bots
get the redacted record of their seat and nothing else.
"""

import heapq
import itertools
import logging
import threading
import time

from diablerie.table.authority import Authority
from diablerie.table.bots.bot_player import GONE, RETRY, BotPlayer, due, retry_pause
from diablerie.table.bots.fair_queue import FairQueue
from diablerie.table.errors import Unavailable
from diablerie.table.state.table_state import RUNNING, TableState

log = logging.getLogger(__name__)
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
        self._turns = FairQueue(workers)
        self._glanced: set[str] = set()  # tables to look at, where perhaps no bot is due
        self._order = itertools.count()
        self._news = threading.Condition()
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._work, name=f"bots-{i}", daemon=True)
            for i in range(workers)
        ]
        self._threads.append(threading.Thread(target=self._resume, name="bots-resume", daemon=True))

    def start(self) -> None:
        """Begin, with all tables that run already."""
        self._authority.listen(self.poke)
        self._authority.hub.welcome(self._glance)
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End; a bot that is thinking is not waited for longer than `timeout`."""
        with self._news:
            self._stopping = True
            self._news.notify_all()
        for thread in self._threads:
            thread.join(timeout)

    def _resume(self) -> None:
        for failures in itertools.count(1):
            try:
                tables = self._authority.store.tables((RUNNING,))
                break
            except Exception as error:
                if failures == 1:
                    log.error("the tables that run cannot be found: %s", error)
                wait = retry_pause(1 if isinstance(error, Unavailable) else failures)
                with self._news:
                    if self._news.wait_for(lambda: self._stopping, wait):
                        return
        for table in tables:
            if self._stopping:
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
        with self._news:
            self._glanced.add(table)
            self._news.notify()

    def _queue(self, table: str, delay: float) -> None:
        with self._news:
            if table not in self._queued:
                self._queued.add(table)
                heapq.heappush(self._due, (time.monotonic() + delay, next(self._order), table))
                self._news.notify()

    def _next(self) -> tuple[str, str | None] | None:
        """Wait for the next table; its client if a bot is due there. None when stopping."""
        with self._news:
            while not self._stopping:
                if self._glanced:
                    return self._glanced.pop(), None
                wait = self._ripen()
                if turn := self._turns.take():
                    return turn[1], turn[0]
                self._news.wait(wait)
        return None

    def _ripen(self) -> float | None:
        """Have what is due by now take turns; the seconds until more is, None if nothing waits."""
        while self._due:
            wait = self._due[0][0] - time.monotonic()
            if wait > 0:
                return wait
            table = heapq.heappop(self._due)[2]
            self._turns.add(self._authority.hub.client(table), table)
        return None

    def _work(self) -> None:
        while (found := self._next()) is not None:
            table, client = found
            if client is None:
                self._look(table)
                continue
            began = time.monotonic()
            again = self._thinker.play_due_turn(table)
            with self._news:
                self._turns.done(client, time.monotonic() - began)
                self._queued.discard(table)
                self._news.notify()  # somebody may have waited for this client's thread
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
