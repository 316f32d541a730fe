"""Analysis of finished matches in the background: everyone's chances to win after every ply.

One thread takes the requested matches one after the other, and a pool of threads plays games on
from their positions (see `bots.analysis`). The database keeps the analysis with the match.
"""

import logging
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import sqlalchemy as sa
from cachetools import LRUCache

from diablerie.bots.analysis.analyse import (
    SECONDS,
    Budget,
    Raw,
    analysis_passes,
    dump_analysis,
    load_analysis,
)
from diablerie.bots.analysis.findings import Analysis
from diablerie.bots.analysis.thread_pool import (
    THREADS,
    AnalysisStopped,
    PlayoutThreads,
    polite,
)
from diablerie.runtime.background import Background
from diablerie.table.authority import Authority
from diablerie.table.errors import TooMany, Unavailable
from diablerie.table.state.table_state import PLAYERS, TableState
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Write
from diablerie.table.tables import CHANCES

log = logging.getLogger(__name__)
WAITING = 50  # matches, at most
KEPT = 100  # analyses in memory
WHOLE = 100  # of the progress: percent
NICE = 10
PREPARING = 2.0  # seconds until the next look whether the rules are compiled


class AnalysisProgress(NamedTuple):
    """How far an analysis is: `done` of `of` percent, and the analysis `so_far`."""

    done: int
    of: int = WHOLE
    so_far: Analysis | None = None


class Failed(Exception):
    """A match could not be analysed; the log says why."""


class Analyst:
    """Analyses finished matches, one after the other, until `stop`."""

    def __init__(
        self,
        authority: Authority,
        games: int = 0,
        *,
        seconds: float = SECONDS,
        in_passes: bool = False,
    ) -> None:
        """Play `games` on from every position; 0: as many as there is time for.

        seconds: this time, of the processor, for a match. in_passes: a step of the background work
        is one pass of the analysis, so that in one thread others have their turn in between.
        """
        self._authority, self.games = authority, games
        self._seconds, self._in_passes = seconds, in_passes
        self._under_way: Iterator[None] = iter(())
        self._lock = threading.Lock()
        self._analyses: LRUCache[str, Analysis] = LRUCache(KEPT)
        self._progress: dict[str, AnalysisProgress] = {}
        self._failed: set[str] = set()  # not tried again before a restart
        self._queue: deque[TableState] = deque()
        clock = authority.clock
        nice = NICE if clock.threaded else 0
        self._pool = PlayoutThreads(THREADS if clock.threaded else 0, nice)
        self._background = Background("analyst", self._run, clock, setup=lambda: polite(nice))

    def start(self) -> None:
        """Begin to analyse what is asked for."""
        self._background.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End; a match that is being analysed is analysed anew when somebody asks again.

        Waits at most `timeout` seconds.
        """
        self._pool.close()
        self._background.stop(timeout)

    def look(self, live: TableState) -> Analysis | AnalysisProgress:
        """The analysis of a finished match, or how far it is: asking begins it.

        Raises TooMany if too many others are waiting, Failed if the analysis has failed before.
        """
        with self._lock:
            if live.id in self._analyses:
                return self._analyses[live.id]
            if live.id in self._failed:
                raise Failed
            if live.id in self._progress:
                return self._progress[live.id]
        stored = self._stored(live)
        return self._keep(live.id, stored) if stored else self._begun(live)

    def _begun(self, live: TableState) -> AnalysisProgress:
        with self._lock:
            if live.id not in self._progress:
                if len(self._progress) >= WAITING:
                    raise TooMany
                self._progress[live.id] = AnalysisProgress(0)
                self._queue.append(live)
                self._background.wake()
            return self._progress[live.id]

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
        """Analyse the match that was asked for first, if there is one, or go on with it."""
        for _ in self._under_way:
            if self._in_passes:
                return 0.0
        if not self._queue:
            return None
        live = self._queue.popleft()
        if not self._authority.can(live.game.name, CHANCES):
            self._queue.append(live)
            return PREPARING
        self._under_way = self._passes(live)
        return 0.0

    def _passes(self, live: TableState) -> Iterator[None]:
        """Analyse a match, and yield after each pass."""
        try:
            with self._authority.limits.place(f"match {live.id}") as free:
                for done, raw in self._analysed(live) if free else ():  # else another does it
                    self._publish(live, done, raw)
                    yield
        except AnalysisStopped:
            pass
        except Unavailable:
            log.warning("analysis of table %s: no answer from the database", live.id)
        except Exception:
            log.exception("analysis of table %s", live.id)
            self._failed.add(live.id)
        finally:
            with self._lock:
                self._progress.pop(live.id, None)

    def _analysed(self, live: TableState) -> Iterator[tuple[float, Raw]]:
        """The analysis of a match so far, pass after pass. Raises AnalysisStopped."""
        assert live.match is not None
        budget = Budget(self._pool.worked, self._seconds, self.games)
        people = [info.seat for info in live.seats if info.kind in PLAYERS]
        return analysis_passes(live.match, self._pool, budget, people)

    def _publish(self, live: TableState, done: float, raw: Raw) -> None:
        """Tell how far an analysis is, or write it when it is done."""
        if done == 1.0:
            self._write(live, raw)
            return
        so_far = raw.analysis(live.game.temperature)
        with self._lock:
            self._progress[live.id] = AnalysisProgress(int(WHOLE * done), so_far=so_far)

    def _write(self, live: TableState, raw: Raw) -> None:
        old = sa.delete(schema.analyses).where(schema.analyses.c.match == live.id)
        row = {"match": live.id, "games": min(raw.played), "chances": dump_analysis(raw)}
        # The table is gone, another process was first, or the match is analysed again some day.
        with suppress(Conflict, Unavailable):
            writes = [Write(old), Write(sa.insert(schema.analyses), [row])]
            self._authority.store.commit(writes)
        self._keep(live.id, raw.analysis(live.game.temperature))
