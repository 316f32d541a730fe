"""What compile processes of tests do instead of compiling: each has the arguments of `compile_unit`."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from diablerie.compiling.units import UNITS, mark_unit

FIRST = "coals", "moves"


def tell(_: str, unit: str) -> Iterator[int]:
    """Tell all steps."""
    yield from range(1, UNITS[unit].steps + 1)


def mark(folder: Path, game: str, unit: str) -> Iterator[int]:
    """Tell all steps, and leave the mark in a folder of caches."""
    os.environ["DIABLERIE_CACHE"] = str(folder)
    mark_unit(game, unit)
    yield from tell(game, unit)


def weigh(log: Path, game: str, unit: str) -> Iterator[int]:
    """Log the priorities of this process and of its parent, and tell all steps."""
    with log.open("a") as file:
        for process in (os.getpid(), os.getppid()):
            print(os.getpriority(os.PRIO_PROCESS, process), file=file)
    yield from tell(game, unit)


def fail(_: str, unit: str) -> Iterator[int]:
    """Tell nothing."""
    raise RuntimeError(f"no room for {unit}")


def stick(log: Path, game: str, unit: str) -> Iterator[int]:
    """Log the unit and tell all steps; what is first of all is done only when it comes again."""
    with log.open("a+") as file:
        first = (game, unit) == FIRST and not file.tell()
        print(f"{game}:{unit} {os.getpid()}", file=file)
    if first:
        time.sleep(600)
    yield from tell(game, unit)
