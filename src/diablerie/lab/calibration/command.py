"""The command `diablerie calibrate`: progress to stderr, the result to stdout."""

from pathlib import Path

from rich.console import Console

from diablerie.lab.calibration.config import Sampling
from diablerie.lab.calibration.running import Interrupted, calibrate
from diablerie.lab.calibration.table import tables
from diablerie.lab.progress import reported
from diablerie.lab.telling import left_off, show


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
            show(early.calibration, tables, as_json)
        left_off(err, early, file)
        return False
    show(found, tables, as_json)
    return True
