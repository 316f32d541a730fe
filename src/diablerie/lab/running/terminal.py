"""What the commands of the laboratory print: summaries to stdout, progress to stderr."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import NoReturn, TypeVar

import msgspec
from rich import progress
from rich.console import Console, RenderableType

Summary = TypeVar("Summary")
Progress = Callable[[int, int], None]  # a run calls it with games done, and games in all
PLAIN_COLUMNS = 140  # columns, where the output is no terminal
LINE_SECONDS = 10.0  # between lines of progress where there is no terminal


def print_summary(
    summary: Summary, tables: Callable[[Summary], RenderableType], as_json: bool = False
) -> None:
    """Print a summary as JSON, or as `tables` draws it."""
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(summary), indent=2).decode())
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
        progress.TextColumn(counted),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TextColumn("{task.fields[more]}"),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=console, transient=True) as bar:
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
