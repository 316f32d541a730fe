"""Do all jobs that a file lacks, keep what comes, and stop in peace at Ctrl-C."""

import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any

from diablerie.engine.text import say
from diablerie.lab import cluster
from diablerie.lab import workers as processes
from diablerie.lab.batches import Work
from diablerie.lab.errors import BotFailure
from diablerie.lab.filed import Filed
from diablerie.lab.kept import Kept

Progress = Callable[[int, int], None]  # called with games done, and games in all


def silent(done: int, of: int) -> None:
    """Show no progress."""


def never() -> bool:
    """Nothing ends the work early."""
    return False


def finish(
    kept: Kept[Any],
    make: Callable[[], Work[Any, Any]],
    workers: int | None = None,
    progress: Progress = silent,
    enough: Callable[[], bool] = never,
    *,
    on: str = "",
    folder: Path | None = None,
) -> float | None:
    """Do the jobs that are missing, until Ctrl-C; games a second, where that can be told.

    What is still missing afterwards was left out by Ctrl-C, or because `enough`, asked before the
    first job and after each, said so. on: the Ray cluster where they are done (see `cluster`), ""
    for processes of this machine. workers: how many at once; None is one process here, and there
    as many as the cluster has processors. folder: where files go that come with the results, or
    with a failure. Raises as `workers.play` or `cluster.play`.
    """
    halt = threading.Event() if on else processes.new_halt(workers or 1)
    with stopped_by_ctrl_c(halt):
        if enough() or not (missing := kept.missing):
            return None
        try:
            with closing(_played(kept, make, missing, workers, halt, on)) as played:
                return _keep(kept, played, progress, enough, folder)
        except BotFailure as failure:
            raise shown(failure, folder) from failure


def _played(
    kept: Kept[Any], make: Callable[[], Any], jobs: list[Any], workers: int | None, halt: Any,
    on: str,
) -> Generator[Any, None, None]:  # fmt: skip
    if on:
        return cluster.play(make, jobs, cluster.checked(on), workers, halt, kept.specs)
    return processes.play(make, jobs, workers or 1, halt)


def _keep(
    kept: Kept[Any], played: Iterable[Any], progress: Progress, enough: Callable[[], bool],
    folder: Path | None,
) -> float | None:  # fmt: skip
    """Keep what comes; games a second after the first, which waits for the workers to start."""
    of, done = sum(map(kept.games, kept.jobs.values())), kept.done
    began, first = perf_counter(), 0
    progress(done, of)
    for row in played:
        if isinstance(row, Filed):
            row.file.save(folder)
            row = row.row
        kept.add(row)
        done += kept.games(kept.jobs[kept.of(row)])
        progress(done, of)
        if not first:
            began, first = perf_counter(), done
        if enough():
            break
    return (done - first) / (perf_counter() - began) if done > first > 0 else None


def shown(failure: BotFailure, folder: Path | None) -> BotFailure:
    """The same failure, with its file written and named."""
    if failure.file is None:
        return failure
    path = failure.file.save(folder)
    return BotFailure(say("{failure}; {file} ends there", failure=failure.line, file=path))


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
