"""The command `diablerie tournament`: progress to stderr, the result to stdout."""

import shlex
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from diablerie.lab.config import Config
from diablerie.lab.progress import reported
from diablerie.lab.report import report as summary
from diablerie.lab.sequential import Watch
from diablerie.lab.sprt import Sprt
from diablerie.lab.standings import Standings
from diablerie.lab.tournament import Interrupted, hold

WIDE = 140  # columns where there is no terminal to ask


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
        tables(early.standings, as_json)
        again = f"the same command goes on with {file}" if file else "--file would have kept them"
        err.print(f"{early}; {again}", highlight=False, markup=False, soft_wrap=True)
        return False
    tables(found, as_json)
    if report:
        from diablerie.lab.page import page

        report.write_text(page(found, words), "utf-8")
    return True


def tables(found: Standings, as_json: bool) -> None:
    """Print a summary."""
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        console = Console()
        if not console.is_terminal:
            console = Console(width=WIDE)
        console.print(summary(found))


def spelled(
    command: str, game: str, given: dict[str, Any], repeated: dict[str, tuple[str, ...]]
) -> str:
    """A command with these options, as one types it."""
    words = [f"diablerie {command} {game}"]
    words += [f"--{name} {shlex.quote(str(value))}" for name, value in given.items() if value]
    words += [f"--{name} {shlex.quote(one)}" for name, found in repeated.items() for one in found]
    return " ".join(words)
