"""The command `diablerie simulate`: progress to stderr, the result to stdout."""

from pathlib import Path

from rich.console import Console

from diablerie.lab.progress import reported
from diablerie.lab.simulate.config import Study
from diablerie.lab.simulate.running import Interrupted, conduct
from diablerie.lab.simulate.table import tables
from diablerie.lab.telling import left_off, show


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
            show(early.summary, tables, as_json)
        left_off(err, early, file)
        return False
    show(found, tables, as_json)
    if report:
        from diablerie.lab.simulate.page import page

        report.write_text(page(found, words), "utf-8")
    return True
