"""Each unit is compiled in a fork of one process that has imported everything.

To import Numba and the games takes longer than to compile most units, so the fork server of the
standard library does it once, and while the server starts. It has the lowest priority, and its forks
with it.
"""

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from diablerie.engine.sources import cache_folder
from diablerie.runtime.child_processes import ctrl_c_blocked, exit_with_parent

Work = Callable[[str, str], Iterator[int]]  # compiles a unit of a game, yields the steps done
FORKS = multiprocessing.get_context("forkserver")
# The latter is what the script imports that has started the server: every fork runs that again.
FORKS.set_forkserver_preload(["diablerie.compiling.preloaded", "diablerie.cli"])
_starting = threading.Lock()
_wanted = threading.Event()  # set while compiling has the fork server running; others may, too


def all_marker() -> Path:
    """The file that says that what all games are played with is in the cache."""
    return cache_folder() / "all.ready"


def prepare_forks() -> None:
    """Have the fork server import, unless everything is compiled. Waits for nothing."""
    if not all_marker().exists():
        _wanted.set()
        with ctrl_c_blocked():
            forkserver.ensure_running()


def dismiss() -> None:
    """End the fork server, which takes some 70 MB, until it is needed again.

    One that was not started here stays: others of this process start theirs by it.
    """
    with _starting, suppress(OSError):  # at the end of this process its folder is gone
        if _wanted.is_set():
            _wanted.clear()
            forkserver._forkserver._stop()  # type: ignore[attr-defined]  # nothing public does it


class Compilation:
    """One unit being compiled. Another thread may `interrupt` it."""

    def __init__(self) -> None:
        self.interrupted = False
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None

    def steps(self, work: Work, game: str, unit: str) -> Iterator[int]:
        """Compile it in a fork, and yield how many of its steps are done until that ends."""
        reader, writer = FORKS.Pipe(duplex=False)
        process = FORKS.Process(target=_fork, args=(work, game, unit, writer), daemon=True)
        with reader, suppress(EOFError, OSError):  # it has ended, or could not be started
            with writer, _starting, ctrl_c_blocked():
                _wanted.set()
                process.start()
            self._begun(process)
            while True:
                yield reader.recv()
        self._begun(None)

    def interrupt(self) -> None:
        """End it; `steps` ends, too. The functions compiled by then are in the cache."""
        with self._lock:
            self.interrupted = True
            self._kill()

    def _begun(self, process: BaseProcess | None) -> None:
        with self._lock:
            self._process = process
            if self.interrupted:
                self._kill()

    def _kill(self) -> None:
        if self._process:
            self._process.kill()


def _fork(work: Work, game: str, unit: str, writer: Connection) -> None:
    exit_with_parent()
    for done in work(game, unit):
        writer.send(done)
