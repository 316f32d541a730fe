"""The command `diablerie dataset`: progress to stderr, one line to stdout."""

from pathlib import Path

from rich.console import Console

from diablerie.engine.text import says
from diablerie.lab.dataset.running import conduct
from diablerie.lab.progress import reported
from diablerie.lab.simulate.config import Study
from diablerie.lab.simulate.running import Interrupted
from diablerie.lab.telling import left_off


def run(study: Study, out: Path, file: Path | None, workers: int | None, on: str = "") -> bool:
    """Make a data set and say what is in it; False if Ctrl-C ended it early."""
    err = Console(stderr=True)
    try:
        with reported(err) as progress:
            rows = conduct(study, out, file=file, workers=workers, on=on, progress=progress)
    except Interrupted as early:
        left_off(err, early, file)
        return False
    print(says("{file}: {n} decision of {games} games", "{file}: {n} decisions of {games} games",
               rows, file=out, games=study.games))  # fmt: skip
    return True
