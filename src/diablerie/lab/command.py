"""The command `diablerie tournament`: progress to stderr, the result to stdout."""

from pathlib import Path

from rich.console import Console

from diablerie.lab.config import Config
from diablerie.lab.progress import reported
from diablerie.lab.report import report as summary
from diablerie.lab.sequential import Watch
from diablerie.lab.sprt import Sprt
from diablerie.lab.telling import left_off, show
from diablerie.lab.tournament import Interrupted, hold


def run(
    config: Config,
    *,
    file: Path | None,
    keep: Path | None,
    workers: int | None,
    on: str = "",
    as_json: bool,
    test: Sprt | None = None,
    report: Path | None = None,
    words: str = "",
) -> bool:
    """Hold a tournament and print how it went; False if Ctrl-C ended it early.

    words: the command that was given, for the report.
    """
    err, watch = Console(stderr=True), Watch(test) if test else None
    more = watch.sequential.__str__ if watch else str
    try:
        with reported(err, more) as progress:
            found = hold(
                config, file=file, keep=keep, workers=workers, on=on, progress=progress, watch=watch
            )
    except Interrupted as early:
        show(early.standings, summary, as_json)
        left_off(err, early, file)
        return False
    show(found, summary, as_json)
    if report:
        from diablerie.lab.page import page

        report.write_text(page(found, words), "utf-8")
    return True
