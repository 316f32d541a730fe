"""How far a tournament is: a bar in a terminal, now and then a line elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from diablerie.lab.tournament import Tell

EVERY = 10.0  # seconds between lines where there is no terminal


@contextmanager
def shown(console: Console) -> Iterator[Tell]:
    """A function to call after every game."""
    if not console.is_terminal:
        yield lines(console)
        return
    with Progress(
        TextColumn("games"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(), console=console, transient=True,
    ) as bar:  # fmt: skip
        task, clock = bar.add_task("games", total=None, rate=""), Clock()

        def tell(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of, rate=clock.rate(done))

        yield tell


def lines(console: Console) -> Tell:
    """The same as plain lines."""
    clock, last = Clock(), [monotonic()]

    def tell(done: int, of: int) -> None:
        rate = clock.rate(done)
        if monotonic() - last[0] >= EVERY:
            last[0] = monotonic()
            console.print(f"{done} of {of} games {rate}", highlight=False)

    return tell


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
