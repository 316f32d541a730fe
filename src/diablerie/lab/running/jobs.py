"""Run the jobs that a results file lacks, keep the results, and stop cleanly at Ctrl-C."""

import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any

from diablerie.engine.text import say
from diablerie.lab.running import cluster, processes
from diablerie.lab.running.artifacts import WithArtifact
from diablerie.lab.running.batches import Worker
from diablerie.lab.running.errors import BotFailure
from diablerie.lab.running.progress import Progress, no_progress
from diablerie.lab.running.results_file import ResumableResults


def run_jobs(
    results: ResumableResults[Any, Any],
    make: Callable[[], Worker[Any, Any]],
    workers: int | None = None,
    progress: Progress = no_progress,
    enough: Callable[[], bool] = lambda: False,
    *,
    on: str = "",
    folder: Path | None = None,
) -> float | None:
    """Run the missing jobs until Ctrl-C; return games a second, or None if too few were played.

    What is still missing afterwards was left out because of Ctrl-C, or because `enough`, which is
    asked before the first job and after each, said so. make: makes a worker, anew in every process.
    workers: how many run at once; None is one process here, or on a cluster one for each processor.
    on: the Ray cluster that runs the jobs (see `cluster`), "" for processes of this machine.
    folder: where artifacts are written.

    Raises BotFailure, WorkersLost and BadCluster.
    """
    halt = threading.Event() if on else processes.stop_event(workers or 1)
    with _stopped_by_ctrl_c(halt):
        if enough() or not (missing := results.missing):
            return None
        try:
            with closing(_outcomes(results, make, missing, workers, halt, on)) as outcomes:
                return _keep(results, outcomes, progress, enough, folder)
        except BotFailure as failure:
            raise _saved(failure, folder) from failure


def _outcomes(
    results: ResumableResults[Any, Any],
    make: Callable[[], Any],
    jobs: list[Any],
    workers: int | None,
    halt: Any,
    on: str,
) -> Generator[Any, None, None]:
    if on:
        on = cluster.check_address(on)
        return cluster.run_on_cluster(make, jobs, on, workers, halt, results.specs)
    return processes.run_in_processes(make, jobs, workers or 1, halt)


def _keep(
    results: ResumableResults[Any, Any],
    outcomes: Iterable[Any],
    progress: Progress,
    enough: Callable[[], bool],
    folder: Path | None,
) -> float | None:
    """Keep the results; games a second after the first, which waits for the workers to start."""
    total, done = results.total, results.done
    began, first = perf_counter(), 0
    progress(done, total)
    for row in outcomes:
        if isinstance(row, WithArtifact):
            row.artifact.save(folder)
            row = row.row
        results.add(row)
        done += results.games(results.jobs[results.number(row)])
        progress(done, total)
        if not first:
            began, first = perf_counter(), done
        if enough():
            break
    return (done - first) / (perf_counter() - began) if done > first > 0 else None


def _saved(failure: BotFailure, folder: Path | None) -> BotFailure:
    """The same failure, with its match written to a file that the sentence names."""
    if failure.artifact is None:
        return failure
    path = failure.artifact.save(folder)
    return BotFailure(say("{failure}; {file} ends there", failure=failure.line, file=path))


@contextmanager
def _stopped_by_ctrl_c(halt: Any) -> Iterator[None]:
    """Ctrl-C sets the event, so that no line is left half written; a second Ctrl-C raises."""
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
