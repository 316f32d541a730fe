"""Analysis of finished matches: everyone's chances after every ply, found in the background.

One thread works through the matches that were asked for; what it finds is kept with the match.
"""

import json
import logging
import math
import os
import queue
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import sqlalchemy as sa
from cachetools import LRUCache

from diablerie.bots.rollouts import Rollouts
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import EVERYTHING
from diablerie.table import schema
from diablerie.table.authority import Authority
from diablerie.table.errors import TooMany, Unavailable
from diablerie.table.live import Live
from diablerie.table.store import Conflict, Write

log = logging.getLogger(__name__)
MOST, LEAST = 400, 200  # games played on from every position; 400 are good to 5 %
BUDGET = 45.0  # seconds that a match should take
TRIAL = 20  # games to find out how long one takes
WAITING = 50  # matches, at most
KEPT = 100  # analyses in memory
TURNS = 5  # turning points, at most
SHARP = 0.15  # what a turning point changes at least, and four standard errors
NICE = 10


class Turn(NamedTuple):
    """A turning point: the step (its ply, from 1) after which this seat's chance is another."""

    step: int
    seat: int
    before: float
    after: float


@dataclass(frozen=True)
class Analysis:
    """Every seat's chance to win after each ply, as the share of so many games played on."""

    games: int
    chances: tuple[tuple[float, ...], ...]

    @cached_property
    def turns(self) -> list[Turn]:
        """The plies that changed most, in their order."""
        turns = [_turn(i + 2, pair) for i, pair in enumerate(pairwise(self.chances))]
        least = max(SHARP, 4 * math.sqrt(0.5 / self.games))
        sharp = [turn for turn in turns if _change(turn) >= least]
        return sorted(sorted(sharp, key=_change, reverse=True)[:TURNS])


def _affordable(live: Live, rollouts: Rollouts) -> int:
    """How many games can be played on from every position of a match."""
    assert live.match is not None
    first = live.match.at(1).state
    before = time.monotonic()
    rollouts.chances(first, seeded(1), TRIAL)
    one = (time.monotonic() - before) / TRIAL / 2  # games from the middle are half as long
    return min(max(int(BUDGET / live.ply / max(one, 1e-9)), LEAST), MOST)


def _turn(step: int, pair: tuple[Sequence[float], Sequence[float]]) -> Turn:
    before, after = pair
    seat = max(range(len(after)), key=lambda i: abs(after[i] - before[i]))
    return Turn(step, seat, before[seat], after[seat])


def _change(turn: Turn) -> float:
    return abs(turn.after - turn.before)


class Progress(NamedTuple):
    """How far an analysis is: `done` of `of` plies, and what was found of those."""

    done: int
    of: int
    found: Analysis | None = None


class Failed(Exception):
    """A match could not be analysed; the log says why."""


class Analyst:
    """Analyses finished matches, one after the other, until `stop`."""

    def __init__(self, authority: Authority, games: int = 0) -> None:
        """`games` are played on from every position; 0: as many as there is time for."""
        self._authority, self.games = authority, games
        self._lock = threading.Lock()
        self._found: LRUCache[str, Analysis] = LRUCache(KEPT)
        self._progress: dict[str, Progress] = {}
        self._failed: set[str] = set()  # not tried again before a restart
        self._queue: queue.SimpleQueue[Live | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="analyst", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End; what is half done is lost, and begins anew when it is asked for again."""
        self._stopping.set()
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout)

    def look(self, live: Live) -> Analysis | Progress:
        """The analysis of a finished match, or how far it is: asking begins it.

        Raises TooMany if too many others are waiting, Failed if it cannot be had.
        """
        with self._lock:
            if live.id in self._found:
                return self._found[live.id]
            if live.id in self._failed:
                raise Failed
            if live.id in self._progress:
                return self._progress[live.id]
        stored = self._stored(live.id)
        return self._keep(live.id, stored) if stored else self._begun(live)

    def _begun(self, live: Live) -> Progress:
        with self._lock:
            if live.id not in self._progress:
                if len(self._progress) >= WAITING:
                    raise TooMany
                self._progress[live.id] = Progress(0, live.ply)
                self._queue.put(live)
            return self._progress[live.id]

    def _stored(self, table: str) -> Analysis | None:
        row = self._authority.store.row(schema.analyses, "match", table)
        if row is None:
            return None
        try:
            return Analysis(row.games, tuple(tuple(map(float, x)) for x in json.loads(row.chances)))
        except (ValueError, TypeError):  # damaged: it can be found out again
            log.warning("the analysis of table %s is damaged", table)
            return None

    def _keep(self, table: str, found: Analysis) -> Analysis:
        with self._lock:
            self._found[table] = found
        return found

    def _work(self) -> None:
        with suppress(AttributeError, OSError):  # where threads have a priority of their own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        while (live := self._queue.get()) is not None and not self._stopping.is_set():
            try:
                with self._authority.tables.limits.place(f"match {live.id}") as free:
                    found = self._analysed(live) if free else None  # else another process does
                if found:
                    self._write(live.id, found)
            except Unavailable:
                log.warning("analysis of table %s: no answer from the database", live.id)
            except Exception:
                log.exception("analysis of table %s", live.id)
                self._failed.add(live.id)
            finally:
                with self._lock:
                    self._progress.pop(live.id, None)

    def _analysed(self, live: Live) -> Analysis | None:
        """Every position, played on; None when stopped."""
        assert live.match is not None
        rollouts, rng = Rollouts(live.game), seeded(live.ply)
        games = self.games or _affordable(live, rollouts)
        chances = []
        for step in live.match.steps(EVERYTHING):
            if self._stopping.is_set():
                return None
            found = rollouts.chances(step.state, rng, games)
            chances.append(tuple(round(x, 3) for x in found))
            with self._lock:
                so_far = Analysis(games, tuple(chances))
                self._progress[live.id] = Progress(len(chances), live.ply, so_far)
        return Analysis(games, tuple(chances))

    def _write(self, table: str, found: Analysis) -> None:
        row = {"match": table, "games": found.games, "chances": json.dumps(found.chances)}
        # the table is gone, another process was first, or it is found out again some day
        with suppress(Conflict, Unavailable):
            self._authority.store.commit([Write(sa.insert(schema.analyses), [row])])
        self._keep(table, found)
