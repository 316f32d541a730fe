"""Analysis of finished matches in the background: everyone's chances to win after every ply.

One thread makes a pass of one of the requested matches after the other, for clients in turn, and a
pool of threads plays games on from their positions (see `bots.analysis`). The database keeps the
analysis with the match, unless it was made in a hurry because many were waiting.
"""

import logging
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

import sqlalchemy as sa
from cachetools import LRUCache

from diablerie.bots.analysis.analyse import (
    ANALYSIS_SECONDS,
    Budget,
    Raw,
    analysis_passes,
    dump_analysis,
    load_analysis,
)
from diablerie.bots.analysis.findings import Analysis
from diablerie.bots.analysis.playouts import (
    ANALYSIS_THREADS,
    AnalysisStopped,
    PlayoutThreads,
)
from diablerie.runtime.background import Background
from diablerie.table.authority import Authority
from diablerie.table.errors import Unavailable
from diablerie.table.presence.fair_queue import FairQueue, Taken
from diablerie.table.state.table_state import DECIDERS, TableState
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict

log = logging.getLogger(__name__)
# matches of one client, at most: others come in as soon as these are done
MOST_ANALYSES_OF_CLIENT = 8
LOOKED_SECONDS = 15.0  # seconds since somebody has looked at an analysis, until it need not begin
ANALYSES_IN_MEMORY = 100  # analyses in memory
# the size of what has begun: of a client's matches it comes before those that wait
SIZE_OF_BEGUN = -1
WHOLE_PERCENT = 100  # of the progress: percent
NICE = 10
ANALYSIS_COMPILED_LOOK_SECONDS = 2.0  # seconds until the next look whether the rules are compiled


class AnalysisProgress(NamedTuple):
    """How far an analysis is: `done` of `of` percent, and the analysis `so_far`."""

    done: int
    of: int = WHOLE_PERCENT
    so_far: Analysis | None = None


class Failed(Exception):
    """A match could not be analysed; the log says why."""


class UnderWay:
    """An analysis that has begun, and the seconds of the processor that its passes have taken."""

    passes: Generator[None, None, None]

    def __init__(self, pool: PlayoutThreads) -> None:
        self._since = pool.worked()
        self._pool = pool
        self._spent = 0.0

    def clock(self) -> float:
        """The seconds by now, while a pass of it runs."""
        return self._spent + self._pool.worked() - self._since

    def step(self) -> tuple[bool, float]:
        """Make a pass; whether there may be more, and the seconds that it took."""
        self._since = self._pool.worked()
        going_on = any(True for _ in islice(self.passes, 1))
        took = self._pool.worked() - self._since
        self._spent += took
        self._since = self._pool.worked()
        return going_on, took


class Analyst:
    """Analyses finished matches, a pass of one after a pass of another, until `stop`."""

    def __init__(
        self,
        authority: Authority,
        games: int = 0,
        *,
        seconds: float = ANALYSIS_SECONDS,
    ) -> None:
        """Play `games` on from every position; 0: as many as there is time for.

        seconds: this time, of the processor, for a match.
        """
        self._authority = authority
        self.games = games
        self._seconds = seconds
        self._under_way: dict[str, UnderWay] = {}  # by table
        self._lock = threading.Lock()
        self._analyses: LRUCache[str, Analysis] = LRUCache(ANALYSES_IN_MEMORY)
        self._progress: dict[str, AnalysisProgress] = {}
        self._failed: set[str] = set()  # not tried again before a restart
        clock = authority.clock
        self._queue: FairQueue[TableState] = FairQueue(1, clock.monotonic)
        self._looked: dict[str, float] = {}  # when somebody last did, by table that waits
        nice = NICE if clock.threaded else 0
        self._pool = PlayoutThreads(ANALYSIS_THREADS if clock.threaded else 0, nice)
        self._background = Background("analyst", self._run, clock, cleanup=self._abandon)

    def start(self) -> None:
        """Begin to analyse what is asked for."""
        self._background.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End; a match that is being analysed is analysed anew when somebody asks again.

        Waits at most `timeout` seconds.
        """
        self._pool.close()
        self._background.stop(timeout)

    def look(self, live: TableState, client: str = "") -> Analysis | AnalysisProgress:
        """The analysis of a finished match, or how far it is: asking begins it.

        It begins when it is the `client`'s turn, if somebody has looked again by then.
        Raises Failed if the analysis has failed before.
        """
        with self._lock:
            if live.id in self._analyses:
                return self._analyses[live.id]
            if live.id in self._failed:
                raise Failed
            if live.id in self._progress:
                self._looked[live.id] = self._authority.clock.monotonic()
                return self._progress[live.id]
        stored = self._stored(live)
        return self._keep(live.id, stored) if stored else self._begun(live, client)

    def _begun(self, live: TableState, client: str) -> AnalysisProgress:
        with self._lock:
            full = bool(client) and self._queue.waiting(client) >= MOST_ANALYSES_OF_CLIENT
            if live.id not in self._progress and not full:
                self._progress[live.id] = AnalysisProgress(0)
                self._looked[live.id] = self._authority.clock.monotonic()
                self._queue.add(client, live, live.ply)
                self._background.wake()
            return self._progress.get(live.id, AnalysisProgress(0))

    def _stored(self, live: TableState) -> Analysis | None:
        row = self._authority.store.row(schema.analyses, "match", live.id)
        if row is None:
            return None
        try:
            raw = load_analysis(row.chances, live.ply)
        except ValueError:  # the match is analysed again
            log.warning("the analysis of table %s is damaged", live.id)
            return None
        return raw.analysis(live.game.temperature) if raw.movers else None

    def _keep(self, table: str, analysis: Analysis) -> Analysis:
        with self._lock:
            self._analyses[table] = analysis
        return analysis

    def _run(self) -> float | None:
        """Make a pass of an analysis for the client who has had least, if one waits."""
        with self._lock:
            turn, unready = self._next()
        if turn:
            self._go_on(turn)
            return 0.0
        return ANALYSIS_COMPILED_LOOK_SECONDS if unready else None

    def _go_on(self, turn: Taken[TableState]) -> None:
        """Begin an analysis, or make one more pass of it: the first at the usual priority."""
        first = turn.item.id not in self._under_way
        under_way = self._under_way.setdefault(turn.item.id, UnderWay(self._pool))
        if first:
            under_way.passes = self._passes(turn.item, under_way)
        self._pool.hurried = first
        going_on, seconds = under_way.step()
        with self._lock:
            if going_on:
                self._queue.done(turn.client, seconds)
                self._queue.add(turn.client, turn.item, SIZE_OF_BEGUN)
            else:
                del self._under_way[turn.item.id]
                self._forget(turn, seconds)

    def _abandon(self) -> None:
        """Leave what has begun: its place is free for another process."""
        for one in self._under_way.values():
            one.passes.close()

    def _next(self) -> tuple[Taken[TableState] | None, bool]:
        """The match to be analysed next, and whether there are some whose rules are not compiled."""
        unready = list[Taken[TableState]]()
        while turn := self._queue.take():
            begun = turn.item.id in self._under_way
            if not begun and self._unwatched(turn.item.id):
                self._forget(turn)
            elif self._authority.can_advise(turn.item):
                break
            else:
                unready.append(turn)
                self._queue.done(turn.client, 0.0)
        for client, live in unready:
            self._queue.add(client, live, live.ply)
        return turn, bool(unready)

    def _unwatched(self, table: str) -> bool:
        return self._authority.clock.monotonic() > self._looked[table] + LOOKED_SECONDS

    def _forget(self, turn: Taken[TableState], seconds: float = 0.0) -> None:
        self._queue.done(turn.client, seconds)
        self._progress.pop(turn.item.id, None)
        self._looked.pop(turn.item.id, None)

    def _passes(self, live: TableState, under_way: UnderWay) -> Generator[None, None, None]:
        """Analyse a match, and yield after each pass."""
        share = self._queue.time_share
        try:
            with self._authority.limits.place(f"match {live.id}") as free:
                for done, raw in (
                    self._analysed(live, share, under_way) if free else ()
                ):  # else another does it
                    self._publish(live, done, raw, kept=share == 1.0)
                    yield
        except AnalysisStopped:
            pass
        except Unavailable:
            log.warning("analysis of table %s: no answer from the database", live.id)
        except Exception:
            log.exception("analysis of table %s", live.id)
            self._failed.add(live.id)

    def _analysed(
        self, live: TableState, share: float, under_way: UnderWay
    ) -> Iterator[tuple[float, Raw]]:
        """The analysis of a match so far, pass after pass, in a `share` of the usual time.

        Raises AnalysisStopped.
        """
        assert live.match is not None
        budget = Budget(under_way.clock, self._seconds * share, self.games, share)
        people = [info.seat for info in live.seats if info.kind in DECIDERS]
        return analysis_passes(live.match, self._pool, budget, people)

    def _publish(self, live: TableState, done: float, raw: Raw, kept: bool) -> None:
        """Tell how far an analysis is, or keep it when it is done, for good if it is to be `kept`."""
        so_far = raw.analysis(live.game.temperature)
        if done == 1.0:
            if kept:
                self._write(live, raw)
            self._keep(live.id, so_far)
            return
        with self._lock:
            self._progress[live.id] = AnalysisProgress(int(WHOLE_PERCENT * done), so_far=so_far)

    def _write(self, live: TableState, raw: Raw) -> None:
        old = sa.delete(schema.analyses).where(schema.analyses.c.match == live.id)
        row = {"match": live.id, "games": min(raw.played), "chances": dump_analysis(raw)}
        # The table is gone, another process was first, or the match is analysed again some day.
        with suppress(Conflict, Unavailable):
            self._authority.store.commit(old, sa.insert(schema.analyses).values(row))
