"""Runs a study: does the jobs that are missing, keeps their results as they come, sums up.

Also what the commands of the laboratory print: summaries to stdout, progress to stderr.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any, NoReturn, TextIO, TypedDict

import msgspec
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar

from diablerie.engine.text import say
from diablerie.lab.running import cluster, processes
from diablerie.lab.running.errors import BotFailure, JobStopped, WithArtifact
from diablerie.lab.running.processes import Halt, Work
from diablerie.lab.running.study import AnyResults, Results, Summary

Progress = Callable[[int, int], None]  # a run calls it with games done, and games in all
PLAIN_COLUMNS = 140  # columns, where the output is no terminal
LINE_SECONDS = 10.0  # between lines of progress where there is no terminal


# -- what the commands print -----------------------------------------------------------------------


@contextmanager
def data_output(as_json: bool) -> Iterator[TextIO | None]:
    """Where a command writes its data, if it prints JSON: then standard output is for data alone.

    What prints besides goes to standard error meanwhile: bots do, here and in worker processes,
    which share the descriptor.
    """
    if not as_json:
        yield None
        return
    stdout = sys.stdout
    redirected = stdout is not sys.__stdout__
    if redirected:  # somebody else reads what is printed
        yield stdout
        return
    kept = os.dup(1)
    with os.fdopen(kept, "w", encoding=stdout.encoding, errors="replace") as data:
        stdout.flush()
        os.dup2(2, 1)
        try:
            yield data
        finally:
            stdout.flush()
            os.dup2(kept, 1)


def print_summary(
    summary: Summary,
    tables: Callable[[Summary], RenderableType],
    data: TextIO | None = None,
) -> None:
    """Print a summary as JSON to `data`, or else as `tables` draws it."""
    if data:
        print(msgspec.json.format(msgspec.json.encode(summary), indent=2).decode(), file=data)
        return
    console = Console()
    console = console if console.is_terminal else Console(width=PLAIN_COLUMNS)
    console.print(tables(summary))


def end_early(err: Console, early: object, file: Path | None, kept_by: str = "--file") -> NoReturn:
    """Say that Ctrl-C came, and that the same command continues the file, or that there is none.

    kept_by: the option that would have kept the results. The status is 130.
    """
    again = f"the same command goes on with {file}" if file else f"{kept_by} would have kept them"
    err.print(f"{early}; {again}", highlight=False, markup=False, soft_wrap=True)
    sys.exit(130)


def no_progress(done: int, total: int) -> None:
    """Show no progress."""


@contextmanager
def show_progress(
    console: Console, status: Callable[[], str] = str, counted: str = "games"
) -> Iterator[Progress]:
    """Give a function that shows progress when it is called: a bar in a terminal, else lines.

    status: gives text to show behind the counts; counted: the things that are counted.
    """
    rate = GameRate()
    # A bar would fill a log with control characters.
    if not console.is_terminal:
        yield _lines(console, rate, status, counted)
        return
    columns = (
        TextColumn(counted),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[more]}"),
        TimeRemainingColumn(),
    )
    with ProgressBar(*columns, console=console, transient=True) as bar:
        task = bar.add_task(counted, total=None, rate="", more="")

        def report(done: int, total: int) -> None:
            rate.count(done)
            bar.update(task, completed=done, total=total, rate=str(rate), more=status())

        yield report


def _lines(console: Console, rate: "GameRate", status: Callable[[], str], counted: str) -> Progress:
    last = monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        rate.count(done)
        if monotonic() - last >= LINE_SECONDS:
            last = monotonic()
            line = f"{done} of {total} {counted} {rate} {status()}"
            console.print(line.rstrip(), highlight=False, markup=False)

    return report


class GameRate:
    """Measures games a second, from the end of the first game: that one waits for the workers.

    seconds: since that end.
    """

    def __init__(self) -> None:
        self.first = -1
        self.done = 0
        self.seconds = 0.0

    def count(self, done: int) -> None:
        """Count the games that are done; the first call says how many were done before."""
        if self.first < 0:
            self.first = done + 1
        if done <= self.first:
            self._began = monotonic()
        self.seconds = monotonic() - self._began
        self.done = done

    @property
    def per_second(self) -> float | None:
        """The rate so far; None if too few games were played."""
        games = self.done - self.first
        return games / self.seconds if games > 0 and self.seconds else None

    def __str__(self) -> str:
        """The rate for a line of progress, "" in the first second."""
        return f"{self.per_second:.1f}/s" if self.seconds > 1 and self.per_second else ""


# -- running ---------------------------------------------------------------------------------------


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


def run_options(given: dict[str, Any]) -> dict[str, Any]:
    """Take these options out of what a function is given; the others are settings."""
    return {name: given.pop(name) for name in RunOptions.__annotations__.keys() & given.keys()}


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a study early.

    summary: of the results so far; None if they say nothing yet; counted: what `done` of `total`
    are.
    """

    counted = "games"

    def __init__(self, done: int, total: int, summary: Any = None) -> None:
        what = say(
            "stopped after {done} of {of} {counted}", done=done, of=total, counted=self.counted
        )
        super().__init__(str(what))
        self.summary = summary


def run_study(
    begin: Callable[[str | Path | None], Results[Any, Any, Summary]],
    file: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = no_progress,
) -> Summary:
    """Run a study and return its summary; see `RunOptions`. begin: opens the results of a file.

    Raises Interrupted after Ctrl-C, BadFile, BotFailure, WorkersLost, BadCluster and OSError.
    """
    with begin(file) as results:
        return finish(results, workers, on, progress)


def finish(
    results: Results[Any, Any, Summary],
    workers: int | None = None,
    on: str = "",
    progress: Progress = no_progress,
) -> Summary:
    """Play what is missing of results that are open; otherwise as `run_study`."""
    rate = _play_missing(results, workers, on, progress)
    summary = results.summary(rate)
    if results.missing and not results.study.enough(results):
        raise Interrupted(results.done, results.total, summary)
    assert summary is not None
    return summary


def _play_missing(
    results: AnyResults, workers: int | None, on: str, progress: Progress
) -> float | None:
    """Play the missing jobs until Ctrl-C, or until there are enough; return games a second."""
    study = results.study
    config = results.config
    halt = processes.stop_event() if not on and workers and workers > 1 else threading.Event()
    with stopped_by_ctrl_c(halt):
        if study.enough(results) or not results.missing:
            return None
        work = Work(partial(study.warm, config), partial(study.play, config))
        try:
            outcomes = played(work, results.missing, workers, on, halt, config.specs)
            with closing(outcomes):
                return _keep(results, outcomes, progress)
        except BotFailure as failure:
            raise _saved(failure, study.folder) from failure


def played(
    work: Work,
    jobs: Iterable[object],
    workers: int | None,
    on: str,
    halt: Halt,
    specs: Sequence[str] = (),
) -> Generator[object, None, None]:
    """Yield the results of the jobs as they come, until `halt` is set: an event.

    None comes first where this machine plays, once what the jobs need is compiled. Raises
    BotFailure after the results that are there already, WorkersLost, BadCluster.
    """
    if on:
        address = cluster.check_address(on)
        return cluster.run_on_cluster(work, jobs, address, workers, halt, specs)
    if workers and workers > 1:
        return processes.ProcessPool(work, workers, halt).run(iter(jobs))
    return _played_here(work, jobs, halt)


def _played_here(work: Work, jobs: Iterable[object], halt: Halt) -> Generator[object, None, None]:
    work.warm()
    yield None
    with suppress(JobStopped):
        for job in jobs:
            yield work.play(job, halt.is_set)


def _keep(results: AnyResults, outcomes: Iterable[object], progress: Progress) -> float | None:
    """Keep the results as they come."""
    total = results.total
    done = results.done
    rate = GameRate()
    for row in outcomes:
        if isinstance(row, WithArtifact):
            row.artifact.save(results.study.folder)
            row = row.row
        if row is not None:  # what was compiled until then is no part of the rate
            done += results.add(row)
        rate.count(done)
        progress(done, total)
        if row is not None and results.study.enough(results):
            break
    return rate.per_second


def _saved(failure: BotFailure, folder: Path | None) -> BotFailure:
    """The same failure, with its match written to a file that the sentence names."""
    if failure.artifact is None:
        return failure
    path = failure.artifact.save(folder)
    return BotFailure(say("{failure}; {file} ends there", failure=failure.line, file=path))


@contextmanager
def stopped_by_ctrl_c(halt: Halt) -> Iterator[None]:
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
