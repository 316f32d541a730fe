"""Timing: the median of a few repetitions, and rows that say what was measured."""

import os
import platform
import statistics
import time
from collections.abc import Callable

from rich.console import Console

console = Console(highlight=False, soft_wrap=True)
REPETITIONS = 5


def median(job: Callable[[], float], repetitions: int = REPETITIONS) -> tuple[float, float, float]:
    """The median, minimum and maximum of what `job` returns."""
    figures = [job() for _ in range(repetitions)]
    return statistics.median(figures), min(figures), max(figures)


def seconds(job: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def row(what: str, figures: tuple[float, float, float], unit: str) -> None:
    """Print one figure: median (minimum to maximum)."""
    middle, low, high = figures
    console.print(f"  {what:<58}{middle:>10.4g} {unit:<14} ({low:.4g} – {high:.4g})", markup=False)


def note(text: str) -> None:
    """Print a remark."""
    console.print(f"  {text}", markup=False)


def title(text: str) -> None:
    """Print a heading."""
    console.print(f"\n[bold]{text}[/bold]")


def machine() -> str:
    """The machine in a few words."""
    return (
        f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, "
        f"{REPETITIONS} repetitions, median (minimum – maximum)"
    )
