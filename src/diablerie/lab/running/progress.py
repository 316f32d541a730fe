"""Progress of a run: a bar in a terminal, a line now and then elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich import progress
from rich.console import Console

Progress = Callable[[int, int], None]  # a run calls it with games done, and games in all
LINE_SECONDS = 10.0  # between lines where there is no terminal


def no_progress(done: int, total: int) -> None:
    """Show no progress."""


@contextmanager
def show_progress(
    console: Console, status: Callable[[], str] = str, what: str = "games"
) -> Iterator[Progress]:
    """Give a function that shows progress when it is called.

    status: gives text to show behind the counts; what: the things that are counted.
    """
    if not console.is_terminal:
        yield _lines(console, status, what)
        return
    columns = (
        progress.TextColumn(what),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TextColumn("{task.fields[more]}"),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=console, transient=True) as bar:
        task, rate = bar.add_task(what, total=None, rate="", more=""), JobRate()

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, rate=rate.text(done), more=status())

        yield report


def _lines(console: Console, status: Callable[[], str], what: str) -> Progress:
    rate, last = JobRate(), monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        speed = rate.text(done)
        if monotonic() - last >= LINE_SECONDS:
            last = monotonic()
            line = f"{done} of {total} {what} {speed} {status()}"
            console.print(line.rstrip(), highlight=False, markup=False)

    return report


class JobRate:
    """Counts games a second, from the end of the first: that one waits for workers to start."""

    def __init__(self) -> None:
        self.began, self.first = monotonic(), -1

    def text(self, done: int) -> str:
        """The rate so far, "" while nothing is known."""
        if self.first < 0:
            self.first = done + 1
        if done <= self.first:
            self.began = monotonic()
        seconds = monotonic() - self.began
        return f"{(done - self.first) / seconds:.1f}/s" if seconds > 1 and done > self.first else ""
