"""The driver of bots: threads that look which bots are due and let them decide.

What is due follows from the tables alone, so a restart only has to look at those that run. Bots
get the redacted record of their seat and nothing else.
"""

import contextlib
import heapq
import itertools
import logging
import random
import threading
import time

from diablerie.bots.basic import Bot
from diablerie.bots.spec import parse
from diablerie.engine.asking import redacted
from diablerie.engine.game import Game
from diablerie.engine.rng import seeded
from diablerie.table.authority import Authority
from diablerie.table.errors import Forbidden, NotFound, Preparing, Stale
from diablerie.table.live import RUNNING, Live

log = logging.getLogger(__name__)
TEMPO = 0.7  # seconds between two bots' actions, so that people can follow
TOGETHER = 4  # so many times faster where several decide at once, unseen
RETRY = 2.0  # seconds after a failure
FALLBACK = "random"  # plays where a bot fails, so that nobody waits for ever


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
        self._order = itertools.count()
        self._news = threading.Condition()
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._work, name=f"bots-{i}", daemon=True)
            for i in range(workers)
        ]

    def start(self) -> None:
        """Begin, with all tables that run already."""
        self._authority.tables.listen(self.poke)
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
        for table in self._authority.store.tables((RUNNING,)):
            if self._stopping:
                return
            self._look(table)

    def poke(self, live: Live) -> None:
        """Look whether a bot is due at this table; from any thread, never waits."""
        if self._seat(live) is None:
            return
        tempo = self._tempo if len(live.pending) == 1 else self._tempo / TOGETHER
        self._queue(live.id, max(0.0, live.changed + tempo - self._authority.clock()))

    @staticmethod
    def _seat(live: Live) -> int | None:
        return next((i for i in live.pending if live.seats[i].driver), None)

    def _queue(self, table: str, delay: float) -> None:
        with self._news:
            if table not in self._queued:
                self._queued.add(table)
                heapq.heappush(self._due, (time.monotonic() + delay, next(self._order), table))
                self._news.notify()

    def _next(self) -> str | None:
        """Wait for the next table that is due; None when stopping."""
        with self._news:
            while not self._stopping:
                wait = self._due[0][0] - time.monotonic() if self._due else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._due)[2]
                self._news.wait(wait)
        return None

    def _work(self) -> None:
        while (table := self._next()) is not None:
            try:
                fine = self._play(table)
            except (NotFound, Preparing):
                fine = True
            with self._news:
                self._queued.discard(table)
            if fine:
                self._look(table)
            else:
                self._queue(table, RETRY)

    def _look(self, table: str) -> None:
        with contextlib.suppress(NotFound, Preparing):  # who prepares pokes afterwards
            self.poke(self._authority.live(table))

    def _play(self, table: str) -> bool:
        """One decision of the first bot that is due, if one still is; False if it failed."""
        live = self._authority.live(table)
        seat = self._seat(live)
        if seat is None:
            return True
        for spec in (live.seats[seat].driver, FALLBACK):
            try:
                text = self._choice(live, seat, self._bot(spec, live.game))
                self._authority.play.act_for(table, seat, live.seq, text)
                return True
            except (NotFound, Stale, Forbidden):  # the table has moved on meanwhile
                return True
            except Exception:
                log.exception("bot %s for seat %d of table %s", spec, seat, table)
        return False

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
