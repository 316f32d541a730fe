"""Compiles the rules of games into Numba's cache on disk, and has this process take them over.

As many units are compiled at a time as there are cores, at the lowest priority: what people play
meanwhile is interpreted. Marker files in the cache tell later starts what is compiled.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import numba

from diablerie.compiling.beside import leave_to_others
from diablerie.compiling.units import (
    BOTS_UNIT,
    UNITS,
    compile_unit,
    compiled_units,
    load_unit,
    needed,
    take_over_play,
    units_of_play,
)
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.runtime.background import Background, Failures
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock

if TYPE_CHECKING:  # in a browser there is no multiprocessing
    from diablerie.compiling.forks import Compilation, Work

log = logging.getLogger(__name__)
LANES = 4  # units that are compiled at a time, at most
COMPILED_LOOK_SECONDS = 0.1  # seconds between two looks whether what others compile is finished


class Job(NamedTuple):
    """A unit of a game."""

    game: str
    unit: str


class RulesCompiler:
    """Knows what of each game is compiled, and has the rest compiled in other processes."""

    def __init__(
        self,
        games: Mapping[str, Game] = ALL,
        clock: Clock = SYSTEM_CLOCK,
        work: "Work" = compile_unit,
        takes_over: bool = True,
    ) -> None:
        """work: compiles a unit, in another process; takes_over: whether this process plays."""
        leave_to_others()
        self._lock = threading.RLock()
        self._work = work
        self._games = games
        self._takes_over = takes_over
        play = {name: units_of_play(game) for name, game in games.items()}
        first = [Job(name, unit) for name in games for unit in needed(BOTS_UNIT)]
        then = [Job(name, unit) for unit in UNITS for name in games if unit in play[name]]
        self._jobs = list(dict.fromkeys(first + then))
        every = {Job(name, unit) for name in games for unit in UNITS}
        self._compiled = every if numba.config.DISABLE_JIT else _found(games)
        self._usable = set(self._compiled)  # by this process
        if takes_over and not numba.config.DISABLE_JIT:
            self._interpret()
        self._failed = set[Job]()
        self._running: dict[Job, Compilation] = {}
        self._on_unit: Callable[[str], None] = lambda _: None
        self._lanes = Background(
            "compile", self._run, clock, threads=_cores(), failures=Failures(said="compiling")
        )

    def _interpret(self) -> None:
        """Have the games interpreted that are not compiled whole, whatever their marks say."""
        for name, game in self._games.items():
            if not all(Job(name, unit) in self._compiled for unit in needed(BOTS_UNIT)):
                verbs.interpret(game.state)
            if verbs.is_interpreted(game.state):  # perhaps another process was just done
                self._usable = {job for job in self._usable if job.game != name}

    def can(self, game: str, unit: str) -> bool:
        """Whether a unit of a game is compiled, and loaded. If not, that follows some time."""
        with self._lock:
            job = Job(game, unit)
            if job not in self._usable and job not in self._jobs:
                self._jobs += [Job(game, one) for one in needed(unit)]
                self._lanes.wake()
            return job in self._usable

    def compiled(self) -> dict[str, bool]:
        """Of each game, whether matches and usual bots are played by compiled rules."""
        with self._lock:
            return {game: Job(game, BOTS_UNIT) in self._usable for game in self._games}

    @property
    def failed(self) -> bool:
        """Whether a unit could not be compiled."""
        return bool(self._failed)

    def start(self, on_unit: Callable[[str], None] = lambda _: None) -> None:
        """Compile what is not compiled, in the background; `on_unit` is told each unit's game."""
        self._on_unit = on_unit
        self._lanes.start()

    def stop(self) -> None:
        """End what is being compiled, and compile no more. Waits for nothing."""
        self._lanes.stop(0.0)
        with self._lock:
            for compilation in self._running.values():
                compilation.interrupt()

    def _run(self) -> float | None:
        """One lane: compile units until none can be begun; the seconds until it looks again."""
        from diablerie.compiling import forks

        while job := self._take(forks.Compilation):
            self._do(job)
        with self._lock:
            if self._left() and not self._lanes.stopping:
                return COMPILED_LOOK_SECONDS  # what is left builds on what other lanes compile just now
            whole = set(self._games) == set(ALL) and self._compiled.issuperset(self._jobs)
        if whole:
            forks.all_marker().touch()
        forks.dismiss()
        return None

    def _take(self, begun: "type[Compilation]") -> Job | None:
        """The unit to be compiled next, which is then running; None if none can be now."""
        with self._lock:
            for job in [] if self._lanes.stopping else self._left():
                after = UNITS[job.unit].after
                built_on = all(Job(job.game, name) in self._usable for name in after)
                if built_on and job not in self._running:
                    self._running[job] = begun()
                    return job
        return None

    def _left(self) -> list[Job]:
        """All that is not to be used yet, in order, but for what failed and what builds on that."""
        return [
            job
            for job in self._jobs
            if job not in self._usable
            and not any(Job(job.game, unit) in self._failed for unit in needed(job.unit))
        ]

    def _do(self, job: Job) -> None:
        """Compile a unit, and load it. What fails is interpreted until the next start."""
        steps = UNITS[job.unit].steps
        told = self._running[job].steps(self._work, *job) if job not in self._compiled else [steps]
        whole = max(told, default=0) == steps
        try:
            if whole and self._takes_over:
                self._load(job)
        except Exception:  # files that are damaged, or gone
            log.exception("the compiled rules of %s could not be loaded", job.game)
            whole = False
        if self._finish(job, whole):
            self._on_unit(job.game)

    def _load(self, job: Job) -> None:
        if job.unit == BOTS_UNIT:
            take_over_play(self._games[job.game])
        elif job.unit not in needed(BOTS_UNIT):
            load_unit(*job)

    def _finish(self, job: Job, whole: bool) -> bool:
        """Give a unit back; whether nothing more is done about it."""
        with self._lock:
            self._running.pop(job)
            if self._lanes.stopping:
                return False
            if whole:
                self._compiled.add(job)
                self._usable.add(job)
            else:
                log.error("the rules of %s could not be compiled: %s", job.game, job.unit)
                self._failed.add(job)
        return True


def _found(games: Mapping[str, Game]) -> set[Job]:
    return {Job(*one) for one in compiled_units(games)}


def _cores() -> int:
    return max(1, min(LANES, os.cpu_count() or 1))


def compile_games(names: Iterable[str] = ALL) -> None:
    """Compile all units of these games, and print which is done. Raises SystemExit if one fails."""
    games = {name: ALL[name] for name in names}
    jobs = {Job(game, unit) for game in games for unit in UNITS}
    compiler = RulesCompiler(games, takes_over=False)
    news = SimpleQueue[str]()
    left = {job for job in jobs if not compiler.can(*job)}
    compiler.start(news.put)
    try:
        while left and not compiler.failed:
            game = news.get()
            done = {job for job in left if compiler.can(*job)}
            left -= done
            if done and game not in {job.game for job in left}:
                print(f"compiled the rules of {game}", flush=True)
    finally:
        compiler.stop()
    if not numba.config.DISABLE_JIT and not _found(games).issuperset(jobs):
        raise SystemExit(1)  # the log has said why
