"""The command `diablerie tournament`: progress to stderr, the result to stdout."""

from pathlib import Path

import msgspec
from rich.console import Console

from diablerie.lab.config import Config
from diablerie.lab.progress import reported
from diablerie.lab.report import report
from diablerie.lab.standings import Standings
from diablerie.lab.tournament import Interrupted, hold

WIDE = 140  # columns where there is no terminal to ask


def run(config: Config, file: Path | None, keep: Path | None, workers: int, as_json: bool) -> bool:
    """Hold a tournament and print how it went; False if Ctrl-C ended it early."""
    err = Console(stderr=True)
    try:
        with reported(err) as progress:
            found = hold(config, file=file, keep=keep, workers=workers, progress=progress)
    except Interrupted as early:
        tables(early.standings, as_json)
        again = f"the same command goes on with {file}" if file else "--file would have kept them"
        err.print(f"{early}; {again}", highlight=False, markup=False, soft_wrap=True)
        return False
    tables(found, as_json)
    return True


def tables(found: Standings, as_json: bool) -> None:
    """Print a summary."""
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        console = Console()
        if not console.is_terminal:
            console = Console(width=WIDE)
        console.print(report(found))
