"""Do all jobs that a file lacks, keep what comes, and stop in peace at Ctrl-C."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from time import perf_counter
from types import FrameType
from typing import Any

from diablerie.lab.kept import Kept
from diablerie.lab.workers import Work, new_halt, play

Progress = Callable[[int, int], None]  # called with games done, and games in all


def silent(done: int, of: int) -> None:
    """Show no progress."""


def never() -> bool:
    """Nothing ends the work early."""
    return False


def finish(
    kept: Kept[Any],
    make: Callable[[], Work[Any, Any]],
    workers: int = 1,
    progress: Progress = silent,
    enough: Callable[[], bool] = never,
) -> float | None:
    """Do the jobs that are missing, until Ctrl-C; games a second, where that can be told.

    What is still missing afterwards was left out by Ctrl-C, or because `enough`, asked before the
    first job and after each, said so. Raises as `workers.play`.
    """
    halt = new_halt(workers)
    with stopped_by_ctrl_c(halt):
        if enough() or not (missing := kept.missing):
            return None
        with closing(play(make, missing, workers, halt)) as played:
            return _keep(kept, played, progress, enough)


def _keep(
    kept: Kept[Any], played: Iterable[Any], progress: Progress, enough: Callable[[], bool]
) -> float | None:
    """Keep what comes; games a second after the first, which waits for the workers to start."""
    of, done = sum(map(kept.games, kept.jobs.values())), kept.done
    began, first = perf_counter(), 0
    progress(done, of)
    for row in played:
        kept.add(row)
        done += kept.games(kept.jobs[kept.of(row)])
        progress(done, of)
        if not first:
            began, first = perf_counter(), done
        if enough():
            break
    return (done - first) / (perf_counter() - began) if done > first > 0 else None


@contextmanager
def stopped_by_ctrl_c(halt: Any) -> Iterator[None]:
    """Ctrl-C sets the event, so that no line is left half written; a second one is an error."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        halt.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
