"""How far a tournament is: a bar in a terminal, now and then a line elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich import progress
from rich.console import Console

from diablerie.lab.jobs import Progress

EVERY = 10.0  # seconds between lines where there is no terminal


@contextmanager
def reported(
    console: Console, more: Callable[[], str] = str, what: str = "games"
) -> Iterator[Progress]:
    """A function to call after every game. `more`: what else there is to tell each time.

    what: is counted, if not games.
    """
    if not console.is_terminal:
        yield lines(console, more, what)
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
        task, clock = bar.add_task(what, total=None, rate="", more=""), Clock()

        def report(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of, rate=clock.rate(done), more=more())

        yield report


def lines(console: Console, more: Callable[[], str] = str, what: str = "games") -> Progress:
    """The same as plain lines."""
    clock, last = Clock(), [monotonic()]

    def report(done: int, of: int) -> None:
        rate = clock.rate(done)
        if monotonic() - last[0] >= EVERY:
            last[0] = monotonic()
            told = f"{done} of {of} {what} {rate} {more()}"
            console.print(told.rstrip(), highlight=False, markup=False)

    return report


class Clock:
    """Games a second since the first one ended, which waits for the workers to start."""

    def __init__(self) -> None:
        self.began, self.first = monotonic(), -1

    def rate(self, done: int) -> str:
        """So far, as text."""
        if self.first < 0:
            self.first = done + 1
        if done <= self.first:
            self.began = monotonic()
        seconds = monotonic() - self.began
        return f"{(done - self.first) / seconds:.1f}/s" if seconds > 1 and done > self.first else ""
