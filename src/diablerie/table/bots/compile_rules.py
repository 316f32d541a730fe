"""Child processes compile the rules of games into Numba's cache on disk, as many as there are cores.

`python -m diablerie.table.bots.compile_rules coals:moves …` compiles units and prints a line of
JSON for each step (`coals`: all units of a game; `-`: those named on standard input; without
names: all games, on all cores). `RulesCompiler` runs that, first for the game that somebody waits
for, and knows what is ready. A marker file in the cache tells later starts what is compiled.
"""

import contextlib
import fcntl
import json
import logging
import math
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numba

from diablerie.engine.compile_notice import NOTICE
from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.runtime.background import Background
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock
from diablerie.table.bots import compile_units
from diablerie.table.bots.compile_process import EVERY_GAME, Compilation, CompileProcess, serve
from diablerie.table.bots.compile_units import STEPS, UNITS, needed
from diablerie.table.tables import BOTS
from diablerie.table.tables import TABLE_RULES as TABLE

log = logging.getLogger(__name__)
LANES = 4  # child processes at most
LOOK = 0.1  # seconds between two looks whether there is something to compile
TELLING = 2.0  # seconds of a unit, at least, to say something about this machine
WORTH = 3.0  # seconds that a unit must have left, at least, to be interrupted by a wish
SLOWEST = 20.0  # the estimate of the seconds left assumes no machine that is slower, in times


@dataclass(frozen=True)
class CompileProgress:
    """How far a game is until its matches can begin: `done` of `of` steps, `seconds` left."""

    done: int = 0
    of: int = STEPS
    ready: bool = False
    seconds: int = 0


class Job(NamedTuple):
    """A unit of a game."""

    game: str
    unit: str


class RulesCompiler:
    """Knows what of each game is compiled, and runs the child processes that compile the rest."""

    def __init__(
        self,
        games: Mapping[str, Game] = ALL,
        clock: Clock = SYSTEM_CLOCK,
        process: CompileProcess | None = None,
    ) -> None:
        """process: the child, if it has been started already."""
        self._clock, self._lock = clock, threading.RLock()
        self._process = process or CompileProcess()
        self._games = tuple(games)
        compiled = numba.config.DISABLE_JIT
        self._steps = {
            Job(game, name): unit.steps if compiled or compile_units.is_compiled(game, name) else 0
            for game in games
            for name, unit in UNITS.items()
        }
        self._finished = {job for job, done in self._steps.items() if done}
        self._running: dict[Job, Compilation] = {}
        self._wanted: list[Job] = []  # what somebody waits for
        # Of this machine, now: seconds for a second of `Unit.seconds`
        self._slowness = 1.0 + os.getloadavg()[0] / (os.cpu_count() or 1)
        self._began: dict[Job, float] = {}  # when what is running was begun
        self._stopping = False
        self._background: Background | None = None

    def ready(self, game: str) -> bool:
        """Whether matches of a game can begin. If not, what they need is compiled next."""
        return self.can(game, TABLE)

    def all_ready(self) -> bool:
        """Whether matches of all games can begin. Nothing is compiled sooner for this question."""
        with self._lock:
            return all(Job(game, TABLE) in self._finished for game in self._games)

    def can(self, game: str, unit: str) -> bool:
        """Whether a unit of a game is compiled. If not, it comes next, with what play needs."""
        with self._lock:
            if Job(game, unit) in self._finished:
                return True
            self._want(Job(game, BOTS if unit == TABLE else unit))
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

    def progress(self) -> dict[str, CompileProgress]:
        """How far each game is until its matches can begin."""
        with self._lock:
            return {game: self._progress(game) for game in self._games}

    def _progress(self, game: str) -> CompileProgress:
        if Job(game, TABLE) in self._finished:
            return CompileProgress(STEPS, STEPS, True)
        done = sum(self._steps[Job(game, unit)] for unit in needed(TABLE))
        return CompileProgress(done, STEPS, False, self._seconds(game))

    def _seconds(self, game: str) -> int:
        """An estimate of the seconds until matches of a game can begin."""
        before = 0.0
        for job in self._order():
            if job.game == game and job.unit not in needed(TABLE):
                continue
            before += self._left(job)
            if job == (game, TABLE):
                break
        return max(1, math.ceil(before / _lanes()))

    def _needs(self, job: Job) -> float:
        """The seconds that a unit takes from now with all that it builds on."""
        built_on = (Job(job.game, unit) for unit in needed(job.unit))
        return sum(self._left(one) for one in built_on if one not in self._finished)

    def _left(self, job: Job) -> float:
        """The seconds that a unit will take from now: some, even if it takes longer than usual."""
        whole = UNITS[job.unit].seconds * self._slowness
        spent = self._clock.monotonic() - self._began[job] if job in self._began else 0.0
        return max(whole / 10, whole - spent)

    def start(
        self,
        when_ready: Callable[[str], None],
        tell: Callable[[str, CompileProgress], None] = lambda *_: None,
    ) -> None:
        """Compile what is not ready, in the background.

        `when_ready` is called with a game when its matches can begin, at once for those that can,
        and again when more of its bots can play; `tell` at each step until then.
        """
        for game in self._games:
            if Job(game, TABLE) in self._finished:
                when_ready(game)
        self._background = Background(
            "warm",
            lambda: self._run(when_ready, tell),
            self._clock,
            threads=_lanes(),
            once=True,
            failure="compiling",
        )
        self._background.start()

    def stop(self) -> None:
        """End the child processes."""
        with self._lock:
            self._stopping = True
        self._process.close()
        if self._background:
            self._background.stop(0.0)

    def _run(
        self, when_ready: Callable[[str], None], tell: Callable[[str, CompileProgress], None]
    ) -> None:
        """One lane: compile units until none is left."""
        while not self._stopping and len(self._finished) < len(self._steps):
            if job := self._take():
                self._compile(job, when_ready, tell)
            else:  # what is left builds on what other lanes compile just now
                self._clock.sleep(LOOK)
        if not self._stopping:
            compile_units.compiled_marker(EVERY_GAME).touch()
        self._process.close()

    def _compile(
        self,
        job: Job,
        when_ready: Callable[[str], None],
        tell: Callable[[str, CompileProgress], None],
    ) -> None:
        for done in self._compiled(job):
            with self._lock:
                self._steps[job] = max(self._steps[job], done)
            if job.unit in needed(TABLE):
                tell(job.game, self.progress()[job.game])
        if self._finish(job):
            if job.unit == TABLE:
                tell(job.game, self.progress()[job.game])
            if Job(job.game, TABLE) in self._finished:
                when_ready(job.game)

    def _take(self) -> Job | None:
        """The unit to be compiled next, which is then running; None if none can be now."""
        with self._lock:
            for job in self._order():
                built_on = all(
                    Job(job.game, name) in self._finished for name in UNITS[job.unit].after
                )
                if built_on and job not in self._running and not self._stopping:
                    self._running[job] = Compilation()
                    self._began[job] = self._clock.monotonic()
                    return job
        return None

    def _order(self) -> list[Job]:
        """All that is not compiled: what somebody waits for, the shortest first; what play needs."""
        wishes = sorted(self._wanted, key=self._needs)
        jobs = [Job(want.game, unit) for want in wishes for unit in needed(want.unit)]
        jobs += [Job(game, unit) for game in self._games for unit in needed(BOTS)]
        jobs += [Job(game, unit) for unit in UNITS for game in self._games]
        return [job for job in dict.fromkeys(jobs) if job not in self._finished]

    def _finish(self, job: Job) -> bool:
        """Give a unit back; whether it is compiled. What fails is compiled when it is needed."""
        with self._lock:
            compilation = self._running.pop(job)
            seconds = self._clock.monotonic() - self._began.pop(job)
            whole = self._steps[job] == UNITS[job.unit].steps
            if self._stopping or (not whole and compilation.interrupted):
                return False
            if whole and UNITS[job.unit].seconds >= TELLING:
                factor = min(SLOWEST, max(0.2, seconds / UNITS[job.unit].seconds))
                self._slowness = (self._slowness + factor) / 2
            elif not whole:
                log.error("the rules of %s could not be compiled beforehand", job.game)
                self._steps[job] = UNITS[job.unit].steps
            self._finished.add(job)
        return True

    def _compiled(self, job: Job) -> Iterator[int]:
        """The steps that the child tells."""
        for line in self._lines(job):
            try:
                yield int(json.loads(line)["done"])
            except (ValueError, KeyError, TypeError):
                log.warning("compiling: %s", line.rstrip())

    def _lines(self, job: Job) -> Iterator[str]:
        return self._running[job].lines(self._process, ":".join(job))


def _lanes() -> int:
    return max(1, min(LANES, os.cpu_count() or 1))


def every(names: Iterable[str] = ALL) -> None:
    """Compile the games that are not compiled, each in a child, as many at a time as there are cores."""
    names = list(names)
    games = [game for game in names if not compile_units.compiled_marker(game).exists()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (game, failed) in enumerate(zip(games, pool.map(_whole, games), strict=True)):
            if failed:
                raise SystemExit(failed)
            print(f"compiled the rules of {game} ({number + 1} of {len(games)})", flush=True)
    if set(names) == set(ALL):
        compile_units.compiled_marker(EVERY_GAME).touch()


def _whole(game: str) -> int:
    """Compile all of a game in a child; its status."""
    child = [sys.executable, "-m", "diablerie.table.bots.compile_rules", game]
    return subprocess.run(child, check=False, stdout=subprocess.DEVNULL).returncode


def main(names: Sequence[str]) -> None:
    """The child: compile these units or whole games, and print the steps."""
    os.nice(5)
    NOTICE.quiet = True  # the steps are printed
    if names == ["-"]:
        numba.njit(lambda: 0).compile(())  # what Numba makes at its first use, no fork has to make
        serve(lambda unit: compile_unit(*unit.split(":")))
        return
    for name in names:
        game, _, unit = name.partition(":")
        for each in [unit] if unit else UNITS:
            compile_unit(game, each)
        if not unit:
            compile_units.compiled_marker(game).touch()


def compile_unit(game: str, name: str) -> None:
    """Compile a unit of a game, print its steps, and leave its mark."""
    unit = UNITS[name]
    with compile_lock(game, name):
        marked = compile_units.is_compiled(game, name)
        for n, _ in enumerate(range(unit.steps) if marked else unit.work(ALL[game])):
            print(json.dumps({"game": game, "unit": name, "done": n + 1}), flush=True)
        compile_units.unit_marker(game, name).touch()


@contextlib.contextmanager
def compile_lock(game: str, unit: str) -> Iterator[None]:
    """Hold a lock while a unit is compiled; other processes that want it wait for that."""
    path = compile_units.unit_marker(game, unit).with_suffix(f".{unit}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        main(sys.argv[1:]) if sys.argv[1:] else every()
