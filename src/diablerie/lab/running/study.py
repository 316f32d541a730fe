"""One pipeline for all studies: config, jobs, results that resume, summary, page.

A tournament, a simulation, a data set and a calibration are subclasses of `Study`. Each
says what its jobs are, what its workers do and what its results mean; everything else is here.
"""

import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Generic, TypedDict, TypeVar

from rich.console import Console, RenderableType

from diablerie.engine.text import say
from diablerie.lab.running import cluster, processes
from diablerie.lab.running.batches import Worker
from diablerie.lab.running.errors import BotFailure, WithArtifact
from diablerie.lab.running.results_file import Config, ResumableResults, Row
from diablerie.lab.running.terminal import (
    GameRate,
    Progress,
    no_progress,
    print_interruption,
    print_summary,
    show_progress,
)

Summary = TypeVar("Summary")


class RunOptions(TypedDict, total=False):
    """How any study runs; none of this changes its results.

    file: the results file, which a later run continues. workers: how many run at once; left out,
    one process, or on a cluster one for each processor. on: the Ray cluster, "ray" or
    "ray://HOST:PORT"; left out, processes of this machine. progress: is called after every job with
    games done and games in all.
    """

    file: str | Path | None
    workers: int | None
    on: str
    progress: Progress


class Interrupted(Exception):
    """Ctrl-C ended a study early.

    summary: of the results so far; None if they say nothing yet.
    """

    def __init__(self, done: int, total: int, summary: Any = None) -> None:
        super().__init__(str(say("stopped after {done} of {of} games", done=done, of=total)))
        self.summary = summary


class Study(ResumableResults[Config, Row], Generic[Config, Row, Summary]):
    """A config, its jobs, the results so far and what they mean.

    `run` does the jobs that are missing. A subclass says, besides what `ResumableResults` asks for,
    what a worker does and what the results mean.
    """

    folder: Path | None = None  # where artifacts are written

    def worker(self) -> Callable[[], Worker[Any, Any]]:
        """A function without arguments that makes a worker; it must pickle."""
        raise NotImplementedError

    def summary(self, rate: float | None) -> Summary | None:
        """What the results so far mean; None if they say nothing yet.

        rate: games a second of this run, if that is known.
        """
        raise NotImplementedError

    def enough(self) -> bool:
        """Whether the results suffice although jobs are missing."""
        return False

    def status(self) -> str:
        """Text to show behind the counts of games while the study runs."""
        return ""

    # -- running -----------------------------------------------------------------------------------

    def run(
        self, workers: int | None = None, on: str = "", progress: Progress = no_progress
    ) -> Summary:
        """Do the jobs that are missing and return the summary.

        Raises Interrupted after Ctrl-C, BotFailure, WorkersLost, BadCluster and OSError.
        """
        rate = self._run_missing(workers, on, progress)
        if self.missing and not self.enough():
            raise Interrupted(self.done, self.total, self.summary(rate))
        summary = self.summary(rate)
        assert summary is not None
        return summary

    def _run_missing(self, workers: int | None, on: str, progress: Progress) -> float | None:
        """Run the missing jobs until Ctrl-C, or until `enough`; return games a second."""
        halt = threading.Event() if on else processes.stop_event(workers or 1)
        with stopped_by_ctrl_c(halt):
            if self.enough() or not self.missing:
                return None
            try:
                with closing(self._outcomes(workers, on, halt)) as outcomes:
                    return self._keep(outcomes, progress)
            except BotFailure as failure:
                raise self._saved(failure) from failure

    def _outcomes(self, workers: int | None, on: str, halt: Any) -> Generator[Any, None, None]:
        make, jobs = self.worker(), self.missing
        if on:
            on = cluster.check_address(on)
            return cluster.run_on_cluster(make, jobs, on, workers, halt, self.config.specs)
        return processes.run_in_processes(make, jobs, workers or 1, halt)

    def _keep(self, outcomes: Iterable[Any], progress: Progress) -> float | None:
        """Keep the results as they come."""
        total, done, rate = self.total, self.done, GameRate()
        for row in outcomes:
            if row is None:  # what was compiled until now is no part of the rate
                rate.count(done)
                progress(done, total)
                continue
            if isinstance(row, WithArtifact):
                row.artifact.save(self.folder)
                row = row.row
            self.add(row)
            done += self.games(self.jobs[self.number(row)])
            rate.count(done)
            progress(done, total)
            if self.enough():
                break
        return rate.per_second

    def _saved(self, failure: BotFailure) -> BotFailure:
        """The same failure, with its match written to a file that the sentence names."""
        if failure.artifact is None:
            return failure
        path = failure.artifact.save(self.folder)
        return BotFailure(say("{failure}; {file} ends there", failure=failure.line, file=path))

    @classmethod
    def conduct(
        cls,
        config: Config,
        *,
        more: Mapping[str, Any] | None = None,
        file: str | Path | None = None,
        workers: int | None = None,
        on: str = "",
        progress: Progress = no_progress,
    ) -> Summary:
        """Open the study, run it, close its file. more: keyword arguments of the constructor."""
        with cls(config, file, **(more or {})) as study:
            return study.run(workers, on, progress)

    def run_command(
        self,
        workers: int | None,
        on: str,
        tables: Callable[[Summary], RenderableType] | None = None,
        as_json: bool = False,
    ) -> Summary:
        """Run for the command line: progress to stderr, the summary to stdout.

        tables: draws the summary; None prints nothing. Ctrl-C exits with status 130.
        """
        err = Console(stderr=True)
        try:
            with self, show_progress(err, self.status) as progress:
                summary = self.run(workers, on, progress)
        except Interrupted as early:
            if early.summary is not None and tables:
                print_summary(early.summary, tables, as_json)
            print_interruption(err, early, self.file)
            sys.exit(130)
        if tables:
            print_summary(summary, tables, as_json)
        return summary


@contextmanager
def stopped_by_ctrl_c(halt: Any) -> Iterator[None]:
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
