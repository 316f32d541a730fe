"""The driver of bots: threads that look which bots are due and let them decide.

What is due follows from the tables alone, so a restart only has to look at those that run. Bots
get the redacted record of their seat and nothing else.
"""

import heapq
import itertools
import logging
import random
import threading
import time

from cachetools import LRUCache

from diablerie.bots.basic import Bot
from diablerie.bots.spec import parse
from diablerie.engine.asking import redacted
from diablerie.engine.game import Game
from diablerie.engine.rng import seeded
from diablerie.table.authority import Authority
from diablerie.table.errors import (
    Forbidden,
    NotFound,
    Preparing,
    Stale,
    Unavailable,
    Unplayable,
)  # fmt: skip
from diablerie.table.live import RUNNING, Live
from diablerie.table.turns import Turns

log = logging.getLogger(__name__)
TEMPO = 0.7  # seconds between two bots' actions, so that people can follow
TOGETHER = 4  # so many times faster where several decide at once, unseen
RETRY, LONGEST = 2.0, 300.0  # seconds after a failure, doubled after each further one
FALLBACK = "random"  # plays where a bot fails, so that nobody waits for ever
TOLD = 1000  # failures remembered, so that each is logged once
GONE = (NotFound, Preparing, Unplayable)  # nothing to do; who prepares pokes afterwards


class Helpless(Exception):
    """No bot could decide for a seat; the log says why."""


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
        self._seeds = random.Random(seed)
        self._bots: dict[tuple[str, str], Bot] = {}
        self._due: list[tuple[float, int, str]] = []
        self._queued: set[str] = set()
        self._turns = Turns(workers)
        self._glanced: set[str] = set()  # tables to look at, where perhaps no bot is due
        self._order = itertools.count()
        self._failures: LRUCache[str, int] = LRUCache(TOLD)  # in a row, by table
        self._told: LRUCache[tuple[str, str], bool] = LRUCache(TOLD)  # tables and bots
        self._news = threading.Condition()
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._work, name=f"bots-{i}", daemon=True)
            for i in range(workers)
        ]

    def start(self) -> None:
        """Begin, with all tables that run already."""
        self._authority.tables.listen(self.poke)
        self._authority.hub.welcome(self._glance)
        for thread in self._threads:
            thread.start()
        threading.Thread(target=self._resume, name="bots-resume", daemon=True).start()

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
                with self._news:
                    if self._news.wait_for(lambda: self._stopping, _pause(failures)):
                        return
        for table in tables:
            if self._stopping:
                return
            self._look(table)

    def poke(self, live: Live) -> None:
        """Look whether a bot is due at this table; from any thread, never waits."""
        if self._seat(live) is None or not self._wanted(live):
            return
        tempo = self._tempo if len(live.pending) == 1 else self._tempo / TOGETHER
        # At most the tempo: the last ply may be from a time when the clock was ahead.
        wait = min(tempo, live.changed + tempo - self._authority.clock())
        self._queue(live.id, max(0.0, wait))

    def _wanted(self, live: Live) -> bool:
        """Whether anybody plays there, or looks on: bots do not play for nobody."""
        return not all(info.driver for info in live.seats) or self._authority.hub.watched(live.id)

    def _glance(self, table: str) -> None:
        """Somebody looks at a table: perhaps its bots have waited for that."""
        with self._news:
            self._glanced.add(table)
            self._news.notify()

    @staticmethod
    def _seat(live: Live) -> int | None:
        return next((i for i in live.pending if live.seats[i].driver), None)

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
            failed = self._failed(table)
            with self._news:
                self._turns.done(client, time.monotonic() - began)
                self._queued.discard(table)
                self._news.notify()  # somebody may have waited for this client's thread
            if failed:
                self._queue(table, _pause(failed))
            else:
                self._look(table)

    def _failed(self, table: str) -> int:
        """Let a bot decide there; how often in a row that has failed by now."""
        try:
            self._play(table)
        except GONE:
            pass
        except Exception as error:
            failures = self._failures.get(table, 0) + 1
            self._failures[table] = failures
            if failures == 1:
                trace = not isinstance(error, Helpless | Unavailable)
                log.error("bots at table %s: %s", table, error or "none", exc_info=trace)
            return failures
        self._failures.pop(table, None)
        return 0

    def _look(self, table: str) -> None:
        try:
            self.poke(self._authority.live(table))
        except GONE:
            pass
        except Exception:  # told when it is tried again
            self._queue(table, RETRY)

    def _play(self, table: str) -> None:
        """One decision of the first bot that is due, if one still is. Raises Helpless."""
        live = self._authority.live(table)
        seat = self._seat(live)
        if seat is None or not self._wanted(live):
            return
        for spec in (live.seats[seat].driver, FALLBACK):
            try:
                text = self._choice(live, seat, self._bot(spec, live.game))
                self._authority.play.act_for(table, seat, live.ply, text)
            except (Stale, Forbidden):  # the table has moved on meanwhile
                return
            except (*GONE, Unavailable):
                raise
            except Exception:
                if not self._told.get((table, spec)):
                    self._told[table, spec] = True
                    log.exception("bot %s for seat %d of table %s", spec, seat, table)
            else:
                return
        raise Helpless(f"neither {live.seats[seat].driver} nor {FALLBACK} could decide")

    def _choice(self, live: Live, seat: int, bot: Bot) -> str:
        assert live.match is not None
        seen = redacted(live.match.state, seat)
        rng = seeded(self._seeds.getrandbits(64))
        return live.game.notation.format_action(seen, seat, bot.choose(seen, seat, rng))

    def _bot(self, spec: str, game: Game) -> Bot:
        place = spec, game.name
        if place not in self._bots:
            self._bots[place] = parse(spec, imports=True).make(game)
        return self._bots[place]


def _pause(failures: int) -> float:
    """How long to wait after so many failures in a row, in seconds."""
    return float(min(LONGEST, RETRY * 2 ** min(failures - 1, 30)))
