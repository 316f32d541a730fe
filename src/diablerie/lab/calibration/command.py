"""The command `diablerie calibrate`: progress to stderr, the result to stdout."""

from pathlib import Path

import msgspec
from rich.console import Console

from diablerie.lab.calibration.config import Sampling
from diablerie.lab.calibration.running import Calibration, Interrupted, calibrate
from diablerie.lab.calibration.table import tables
from diablerie.lab.command import WIDE
from diablerie.lab.progress import reported


def run(
    config: Sampling,
    temperature: float | None,
    *,
    file: Path | None,
    workers: int | None,
    on: str = "",
    as_json: bool,
) -> bool:
    """Conduct a calibration and say how it went; False if Ctrl-C ended it early."""
    err = Console(stderr=True)
    try:
        with reported(err) as progress:
            found = calibrate(config, file=file, workers=workers, on=on, progress=progress,
                              temperature=temperature)  # fmt: skip
    except Interrupted as early:
        if early.calibration:
            show(early.calibration, as_json)
        again = f"the same command goes on with {file}" if file else "--file would have kept them"
        err.print(f"{early}; {again}", highlight=False, markup=False, soft_wrap=True)
        return False
    show(found, as_json)
    return True


def show(found: Calibration, as_json: bool) -> None:
    """Print what was measured."""
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    console = Console()
    console = console if console.is_terminal else Console(width=WIDE)
    console.print(tables(found))
