"""Compiles the rules of games into Numba's cache on disk, and knows what is ready.

As many units are compiled at a time as there are cores, those first that somebody waits for. A
marker file in the cache tells later starts what is compiled.
"""

import logging
import math
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

import numba

from diablerie.compiling.units import (
    BOTS_UNIT,
    TABLE_STEPS,
    TABLE_UNIT,
    UNITS,
    USUAL_SECONDS,
    compile_unit,
    compiled_units,
    needed,
    units_of_play,
)
from diablerie.engine.game import Game
from diablerie.engine.sources import compile_seconds
from diablerie.games import ALL
from diablerie.runtime.background import Background, Failures
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock

if TYPE_CHECKING:  # in a browser there is no multiprocessing
    from diablerie.compiling.forks import Compilation, Work

log = logging.getLogger(__name__)
LANES = 4  # units that are compiled at a time, at most
COMPILED_LOOK_SECONDS = 0.1  # seconds between two looks whether what others compile is finished
TELLING = 2.0  # seconds of a unit, at least, to say something about this machine
WORTH = 3.0  # seconds that a unit must have left, at least, to be interrupted by a wish
SLOWEST = 20.0  # the estimate of the seconds left assumes no machine that is slower, in times


@dataclass(frozen=True)
class CompileProgress:
    """How far a game is until its matches can begin: `done` of `of` steps, `seconds` left."""

    done: int = 0
    of: int = TABLE_STEPS
    ready: bool = False
    seconds: int = 0


class Job(NamedTuple):
    """A unit of a game."""

    game: str
    unit: str

    @property
    def seconds(self) -> float:
        """How long it takes on an idle core of 2024."""
        return UNITS[self.unit].seconds * compile_seconds(self.game) / USUAL_SECONDS


class RulesCompiler:
    """Knows what of each game is compiled, and has the rest compiled in other processes."""

    def __init__(
        self,
        games: Mapping[str, Game] = ALL,
        clock: Clock = SYSTEM_CLOCK,
        work: "Work" = compile_unit,
    ) -> None:
        """work: compiles a unit, in another process."""
        self._lock = threading.RLock()
        self._clock = clock
        self._work = work
        self._games = tuple(games)
        play = {name: units_of_play(game) for name, game in games.items()}
        self._unasked = [Job(name, unit) for unit in UNITS for name in games if unit in play[name]]
        jobs = {Job(game, unit) for game in games for unit in UNITS}
        there = jobs if numba.config.DISABLE_JIT else compiled_units(games)
        self._steps = {job: UNITS[job.unit].steps if job in there else 0 for job in jobs}
        self._finished = {job for job, done in self._steps.items() if done}
        self._running: dict[Job, Compilation] = {}
        self._wanted: list[Job] = []  # what somebody waits for
        # Of this machine, now: seconds for a second of `Unit.seconds`
        self._slowness = 1.0 + os.getloadavg()[0] / (os.cpu_count() or 1)
        self._began: dict[Job, float] = {}  # when what is running was begun
        self._when_ready: Callable[[str], None] = lambda _: None
        self._on_step: Callable[[str, CompileProgress], None] = lambda *_: None
        self._lanes = Background(
            "compile", self._run, clock, threads=_cores(), failures=Failures(said="compiling")
        )

    def ready(self, game: str) -> bool:
        """Whether matches of a game can begin. If not, what they need is compiled next."""
        return self.can(game, TABLE_UNIT)

    def all_ready(self) -> bool:
        """Whether matches of all games can begin. Nothing is compiled sooner for this question."""
        with self._lock:
            return all(Job(game, TABLE_UNIT) in self._finished for game in self._games)

    def can(self, game: str, unit: str) -> bool:
        """Whether a unit of a game is compiled. If not, it comes next, with what play needs."""
        with self._lock:
            if Job(game, unit) in self._finished:
                return True
            self._want(Job(game, BOTS_UNIT if unit == TABLE_UNIT else unit))
        return False

    def _want(self, job: Job) -> None:
        """Note a wish that is a new one, and make room for it.

        What others wait for is not interrupted, nor what is nearly done.
        """
        if job in self._wanted:
            return
        self._wanted.append(job)
        wished = {Job(want.game, unit) for want in self._wanted for unit in needed(want.unit)}
        for other, compilation in self._running.items():
            spent = self._clock.monotonic() - self._began[other]
            if other not in wished and self._left(other) > max(WORTH, spent):
                compilation.interrupt()
        self._lanes.wake()

    def progress(self) -> dict[str, CompileProgress]:
        """How far each game is until its matches can begin."""
        with self._lock:
            return {game: self._progress(game) for game in self._games}

    def _progress(self, game: str) -> CompileProgress:
        if Job(game, TABLE_UNIT) in self._finished:
            return CompileProgress(TABLE_STEPS, TABLE_STEPS, True)
        done = sum(self._steps[Job(game, unit)] for unit in needed(TABLE_UNIT))
        return CompileProgress(done, TABLE_STEPS, False, self._seconds(game))

    def _seconds(self, game: str) -> int:
        """An estimate of the seconds until matches of a game can begin."""
        before = 0.0
        for job in self._order():
            if job.game == game and job.unit not in needed(TABLE_UNIT):
                continue
            before += self._left(job)
            if job == (game, TABLE_UNIT):
                break
        return max(1, math.ceil(before / _cores()))

    def _needs(self, job: Job) -> float:
        """The seconds that a unit takes from now with all that it builds on."""
        built_on = (Job(job.game, unit) for unit in needed(job.unit))
        return sum(self._left(one) for one in built_on if one not in self._finished)

    def _left(self, job: Job) -> float:
        """The seconds that a unit will take from now: some, even if it takes longer than usual."""
        whole = job.seconds * self._slowness
        spent = self._clock.monotonic() - self._began[job] if job in self._began else 0.0
        return max(whole / 10, whole - spent)

    def start(
        self,
        when_ready: Callable[[str], None] = lambda _: None,
        on_step: Callable[[str, CompileProgress], None] = lambda *_: None,
    ) -> None:
        """Compile what play needs and is not ready, in the background.

        `when_ready` is called with a game when its matches can begin, at once for those that can,
        and again when more of its bots can play; `on_step` at each step until then.
        """
        self._when_ready = when_ready
        self._on_step = on_step
        for game in self._games:
            if Job(game, TABLE_UNIT) in self._finished:
                when_ready(game)
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
            self._compile(job)
        with self._lock:
            if self._order() and not self._lanes.stopping:
                return COMPILED_LOOK_SECONDS  # what is left builds on what other lanes compile just now
            whole = set(self._games) == set(ALL) and self._finished.issuperset(self._unasked)
        if whole:
            forks.all_marker().touch()
        forks.dismiss()
        return None

    def _take(self, begun: "type[Compilation]") -> Job | None:
        """The unit to be compiled next, which is then running; None if none can be now."""
        with self._lock:
            for job in [] if self._lanes.stopping else self._order():
                built_on = all(
                    Job(job.game, name) in self._finished for name in UNITS[job.unit].after
                )
                if built_on and job not in self._running:
                    self._running[job] = begun()
                    self._began[job] = self._clock.monotonic()
                    return job
        return None

    def _order(self) -> list[Job]:
        """All that is not compiled: what somebody waits for, the shortest first; what play needs."""
        wishes = sorted(self._wanted, key=self._needs)
        jobs = [Job(want.game, unit) for want in wishes for unit in needed(want.unit)]
        jobs += [Job(game, unit) for game in self._games for unit in needed(BOTS_UNIT)]
        return [job for job in dict.fromkeys(jobs + self._unasked) if job not in self._finished]

    def _compile(self, job: Job) -> None:
        for done in self._running[job].steps(self._work, *job):
            with self._lock:
                self._steps[job] = max(self._steps[job], done)
            if job.unit in needed(TABLE_UNIT):
                self._on_step(job.game, self.progress()[job.game])
        if self._finish(job):
            if job.unit == TABLE_UNIT:
                self._on_step(job.game, self.progress()[job.game])
            if Job(job.game, TABLE_UNIT) in self._finished:
                self._when_ready(job.game)

    def _finish(self, job: Job) -> bool:
        """Give a unit back; whether it is compiled. What fails is compiled when it is needed."""
        with self._lock:
            compilation = self._running.pop(job)
            seconds = self._clock.monotonic() - self._began.pop(job)
            whole = self._steps[job] == UNITS[job.unit].steps
            if self._lanes.stopping or (not whole and compilation.interrupted):
                return False
            if whole and job.seconds >= TELLING:
                factor = min(SLOWEST, max(0.2, seconds / job.seconds))
                self._slowness = (self._slowness + factor) / 2
            elif not whole:
                log.error("the rules of %s could not be compiled beforehand", job.game)
                self._steps[job] = UNITS[job.unit].steps
            self._finished.add(job)
        return True


def _cores() -> int:
    return max(1, min(LANES, os.cpu_count() or 1))


def compile_games(names: Iterable[str] = ALL) -> None:
    """Compile all units of these games, and print which is done. Raises SystemExit if one fails."""
    jobs = [Job(game, unit) for game in names for unit in UNITS]
    compiler = RulesCompiler({job.game: ALL[job.game] for job in jobs})
    news = SimpleQueue[str]()
    left = {job.game for job in jobs if not compiler.can(*job)}  # wishes for all of them
    compiler.start(news.put)
    try:
        while left:
            game = news.get()
            if game in left and all(compiler.can(game, unit) for unit in UNITS):
                left.remove(game)
                print(f"compiled the rules of {game}", flush=True)
    finally:
        compiler.stop()
    if not numba.config.DISABLE_JIT and not compiled_units({job.game for job in jobs}).issuperset(
        jobs
    ):
        raise SystemExit(1)  # the log has said why
