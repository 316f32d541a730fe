"""A child process compiles the rules of games into Numba's cache on disk, one after the other.

`python -m diablerie.table.bots.compile_rules coals …` compiles and prints a line of JSON for each
step (without names: all games, on all cores). `RulesCompiler` runs that and knows which games are
ready. A marker file in the cache tells later starts that a game is compiled.
"""

import contextlib
import fcntl
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numba
import numpy as np

from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.bots.rollouts import Rollouts
from diablerie.bots.searcher import SearchBot
from diablerie.engine import verbs
from diablerie.engine.compile import PACKAGE, cache_folder
from diablerie.engine.game import Game, LevelParams
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.text import ENGLISH, Line, render_line
from diablerie.games import ALL
from diablerie.runtime.background import Background
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock

log = logging.getLogger(__name__)
STEPS = 11


@dataclass(frozen=True)
class CompileProgress:
    """How far a game's rules are compiled: `done` of `of` steps."""

    done: int = 0
    of: int = STEPS
    ready: bool = False


def compiled_marker(game: str) -> Path:
    """The file that says that this version of a game is in the cache."""
    return cache_folder() / f"{game}.ready"


def tour(game: Game) -> Iterator[None]:
    """Call every function of a game that tables use, so that Numba compiles it; yields STEPS times."""
    match = Match.new(game, seed=0)
    yield
    seat = match.actor or 0
    (action, *_), _ = match.actions(seat), verbs.forbids(match.state, seat, 0)
    yield
    seen, rng, out = redacted(match.state, seat), seeded(0), np.zeros(game.seats[-1])
    yield
    verbs.guess(seen, seat, rng)
    yield
    verbs.advise(seen, seat, rng)
    yield
    verbs.value(seen, out), verbs.returns(seen, out)
    yield
    _play(match)
    yield
    for viewer in (verbs.WATCHER, 0):
        match.log(viewer), game.ui.draw(match.view(viewer), match.legal(), _plain)
    yield
    for tree in (False, True):
        SearchBot(game, n=10, tree=tree).think(seen, seat, rng)
    yield
    for glance in (False, True):
        FallibleBot(game, LevelParams(1), glance=glance).choose(seen, seat, rng)
    yield
    Rollouts(game).chances(seen, rng, 1, seat, action)
    yield


def _plain(line: Line) -> str:
    return render_line(line, ENGLISH, lambda seat: f"player {seat + 1}")


def _play(match: Match, decisions: int = 60) -> None:
    rng = seeded(1)
    for _ in range(decisions):
        seat = match.actor
        if seat is None:
            return
        action = verbs.advise(match.seen_by(seat), seat, rng)
        match.play(match.game.notation.format_action(match.state, seat, action), seat)


class RulesCompiler:
    """Knows which games are compiled, and runs the child process that compiles the others."""

    def __init__(self, games: Mapping[str, Game] = ALL, clock: Clock = SYSTEM_CLOCK) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._background: Background | None = None
        compiled = not numba.config.DISABLE_JIT
        self._progress = {
            name: CompileProgress(STEPS, STEPS, True)
            if not compiled or compiled_marker(name).exists()
            else CompileProgress()
            for name in games
        }
        self._child: subprocess.Popen[str] | None = None
        self._wanted = ""  # the game that somebody waits for: it comes next
        self._stopping = False

    def ready(self, game: str) -> bool:
        """Whether a game's rules are compiled. If not, they are compiled next."""
        with self._lock:
            ready = self._progress[game].ready
            if not ready:
                self._wanted = game
        return ready

    def progress(self) -> dict[str, CompileProgress]:
        """How far each game is."""
        with self._lock:
            return dict(self._progress)

    def start(
        self,
        when_ready: Callable[[str], None],
        tell: Callable[[str, CompileProgress], None] = lambda *_: None,
    ) -> None:
        """Compile what is not ready, in the background.

        `when_ready` is called with each compiled game, at once for those that are; `tell` at each step.
        """
        self._background = Background(
            "warm", lambda: self._run(when_ready, tell), self._clock, once=True, failure="compiling"
        )
        self._background.start()

    def stop(self) -> None:
        """End the child process."""
        with self._lock:
            self._stopping = True
            if self._child:
                self._child.kill()
        if self._background:
            self._background.stop(0.0)

    def _run(
        self, when_ready: Callable[[str], None], tell: Callable[[str, CompileProgress], None]
    ) -> None:
        for name, progress in self.progress().items():
            if progress.ready:
                when_ready(name)
        while name := self._next():
            for progress in self._compiled(name):
                with self._lock:
                    self._progress[name] = progress
                tell(name, progress)
                if progress.ready:
                    when_ready(name)

    def _next(self) -> str:
        """The game to be compiled next: one that somebody waits for, else the first in the list."""
        with self._lock:
            waiting = [name for name, progress in self._progress.items() if not progress.ready]
            if self._stopping or not waiting:
                return ""
            return self._wanted if self._wanted in waiting else waiting[0]

    def _compiled(self, name: str) -> Iterator[CompileProgress]:
        """The child's steps. What the child fails to compile, the first match that needs it compiles."""
        last = CompileProgress()
        for line in self._lines(name):
            try:
                done = json.loads(line)["done"]
                last = CompileProgress(done, STEPS, done == STEPS)
                yield last
            except (ValueError, KeyError, TypeError):
                log.warning("compiling: %s", line.rstrip())
        if not self._stopping and not last.ready:
            log.error("the rules of %s could not be compiled beforehand", name)
            yield replace(last, ready=True)

    def _lines(self, name: str) -> Iterator[str]:
        paths = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        with self._lock:
            if self._stopping:
                return
            # In a session of its own, for Ctrl-C is the server's to handle.
            self._child = subprocess.Popen(
                [sys.executable, "-m", "diablerie.table.bots.compile_rules", name],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                start_new_session=True,
            )
        with self._child as child:
            assert child.stdout is not None
            yield from child.stdout


def every() -> None:
    """Compile all games, each in a child, as many at a time as there are cores."""
    child = [sys.executable, "-m", "diablerie.table.bots.compile_rules"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(lambda name: subprocess.run([*child, name], check=False), ALL):
            if done.returncode:
                raise SystemExit(done.returncode)


def main(names: Iterable[str]) -> None:
    """The child: compile these games, and print the steps."""
    os.nice(5)
    for name in names:
        with compile_lock(name):
            steps = range(STEPS) if compiled_marker(name).exists() else tour(ALL[name])
            for n, _ in enumerate(steps):
                print(json.dumps({"game": name, "done": n + 1}), flush=True)
            compiled_marker(name).touch()


@contextlib.contextmanager
def compile_lock(name: str) -> Iterator[None]:
    """Hold a lock while a game is compiled; other processes that want it wait for that."""
    path = compiled_marker(name).with_suffix(".lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        main(sys.argv[1:]) if sys.argv[1:] else every()
