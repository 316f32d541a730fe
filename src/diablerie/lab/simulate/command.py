"""The command `diablerie simulate`: progress to stderr, the result to stdout."""

from pathlib import Path

import msgspec
from rich.console import Console

from diablerie.lab.command import WIDE
from diablerie.lab.progress import reported
from diablerie.lab.simulate.config import Study
from diablerie.lab.simulate.running import Interrupted, conduct
from diablerie.lab.simulate.summary import Summary
from diablerie.lab.simulate.table import tables


def run(
    study: Study,
    *,
    file: Path | None,
    workers: int | None,
    on: str = "",
    as_json: bool,
    parquet: Path | None,
    report: Path | None,
    words: str,
) -> bool:
    """Conduct a simulation and say how it went; False if Ctrl-C ended it early.

    words: the command that was given, for the report.
    """
    if parquet:
        from diablerie.lab.simulate.parquet import library

        library()  # refuse now what could not be written in the end
    err = Console(stderr=True)
    try:
        with reported(err) as progress:
            found = conduct(
                study, file=file, parquet=parquet, workers=workers, on=on, progress=progress
            )
    except Interrupted as early:
        if early.summary:
            show(early.summary, as_json)
        again = f"the same command goes on with {file}" if file else "--file would have kept them"
        err.print(f"{early}; {again}", highlight=False, markup=False, soft_wrap=True)
        return False
    show(found, as_json)
    if report:
        from diablerie.lab.simulate.page import page

        report.write_text(page(found, words), "utf-8")
    return True


def show(found: Summary, as_json: bool) -> None:
    """Print a summary."""
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    console = Console()
    console = console if console.is_terminal else Console(width=WIDE)
    console.print(tables(found))
