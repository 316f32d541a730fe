"""Options that several commands share, and how a command runs a study."""

import os
import shlex
import sys
from collections.abc import Callable
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from diablerie.arguments import pairs

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Any], Any]

# Options that several commands have; each is spelled here and nowhere else.
FILE, FOLDER = (
    click.Path(path_type=Path, dir_okay=False),
    click.Path(path_type=Path, file_okay=False),
)
MANY, SOME = click.IntRange(min=1), click.IntRange(min=0)
SHOW_DEFAULTS = {"show_default": True}  # in the help of every option
game_options = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game; may be repeated.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")


def _drawable(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    """The page to be written, before anything is played.

    Raises OSError if it cannot be written, BadConfig without Matplotlib.
    """
    if path:
        from diablerie.lab.running.results_file import check_writable

        check_writable(path)
    if path and not find_spec("matplotlib"):
        from diablerie.engine import extras
        from diablerie.engine.text import say
        from diablerie.lab.running.errors import BadConfig

        command = extras.install("report")
        raise BadConfig(
            say("A page with pictures needs Matplotlib: {command} brings it", command=command)
        )
    return path


report_option = click.option(
    "--report", type=FILE, callback=_drawable, help="Write a page with pictures (HTML)."
)
seed_option = click.option("--seed", type=int, default=1, help="The seed of the dice and the bots.")


def players_option(help: str, **more: Any) -> Option:
    """The option `--players`, a list of bots."""
    return click.option("--players", metavar="SPEC[,SPEC…]", help=help, **more)


def games_option(default: int | None, help: str = "", **more: Any) -> Option:
    """The option `--games`."""
    return click.option("--games", type=MANY, default=default, help=help, **more)


def file_option(what: str) -> Option:
    """The option `--file`, which names a results file."""
    return click.option(
        "--file", type=FILE, help=f"Save {what} here; the same command continues it."
    )


def workers_option(help: str) -> Option:
    """The option `--workers`; if left out, all processors of this machine, or of a cluster."""
    return click.option(
        "--workers",
        type=click.IntRange(1, 65536),
        show_default="all cores",
        callback=_workers,
        help=help,
    )


def workers_options() -> Option:
    """The options `--on` and `--workers`."""
    on = click.option(
        "--on",
        default="",
        show_default=False,
        metavar="ray|ray://HOST:PORT",
        is_eager=True,
        callback=_address,
        help="Play on a Ray cluster (only in trusted networks) instead of in processes on this"
        " machine.",
    )
    workers = workers_option("How many games to play at once.")
    return lambda command: on(workers(command))


def _address(context: click.Context, option: click.Parameter, on: str) -> str:
    if on:
        from diablerie.lab.running.cluster import check_address

        return check_address(on)
    return on


def _workers(context: click.Context, option: click.Parameter, workers: int | None) -> int | None:
    return workers if workers or context.params.get("on") else os.cpu_count() or 1


def allow_own_bots() -> None:
    """Let specs name bots of modules in the current folder."""
    sys.path.append(str(Path.cwd()))


# What says where a command runs and what it writes, rather than what comes out
NO_SETTINGS = {"game", "file", "out", "keep", "parquet", "report", "workers", "on", "as_json"}


def command_line() -> str:
    """The running command as a person types it, with the settings that fix its results."""
    context = click.get_current_context()
    words = [f"diablerie {context.info_name} {context.params['game']}"]
    options = [one for one in context.command.params if one.name not in NO_SETTINGS]
    for option in sorted(options, key=lambda one: one.multiple):
        value = context.params[str(option.name)]
        for one in value if option.multiple else [value]:
            if isinstance(one, bool):
                words += (option.opts if one else option.secondary_opts)[:1]
            elif one not in (None, ""):
                words.append(f"{option.opts[0]} {shlex.quote(str(one))}")
    return " ".join(words)


class StudyRun(NamedTuple):
    """Where a command runs its study, and what it prints and writes of the summary."""

    file: Path | None
    workers: int | None
    on: str
    as_json: bool = False
    report: Path | None = None

    def __call__(self, study: Any, tables: Any = None, page: Callable[..., str] = str) -> Any:
        """Run the study and return its summary; print its tables, write its page."""
        summary = study.run_command(self.workers, self.on, tables, self.as_json)
        if self.report:
            self.report.write_text(page(summary, command_line()), "utf-8")
        return summary


def study_command(*options: Option) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command that runs a study, with these options and those of every study.

    The function is called with a `StudyRun`, the options of the game as a mapping, and the other
    options by name.
    """

    def made(function: Callable[..., None]) -> click.Command:
        @wraps(function)
        def command(*, options: tuple[str, ...], **given: Any) -> None:
            allow_own_bots()
            run = StudyRun(**{k: given.pop(k) for k in StudyRun._fields if k in given})
            function(run, options=pairs(options), **given)

        wanted: Any = command
        for option in reversed((*options, workers_options())):
            wanted = option(wanted)
        return click.command(context_settings=SHOW_DEFAULTS)(wanted)

    return made
