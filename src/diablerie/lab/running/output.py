"""What the commands of the laboratory print: summaries to stdout, interruptions to stderr."""

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console, RenderableType

WIDTH = 140  # columns, where the output is no terminal


def print_summary(
    summary: Any, tables: Callable[[Any], RenderableType], as_json: bool = False
) -> None:
    """Print a summary as JSON, or as `tables` draws it."""
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(summary), indent=2).decode())
        return
    console = Console()
    console = console if console.is_terminal else Console(width=WIDTH)
    console.print(tables(summary))


def print_interruption(
    err: Console, early: object, file: Path | None, otherwise: str = "--file would have kept them"
) -> None:
    """Say that Ctrl-C came, and that the same command continues the file, or else `otherwise`."""
    again = f"the same command goes on with {file}" if file else otherwise
    err.print(f"{early}; {again}", highlight=False, markup=False, soft_wrap=True)


def command_line(
    command: str,
    game: str,
    options: Mapping[str, Any],
    repeated: Mapping[str, tuple[str, ...]] | None = None,
) -> str:
    """The command with these options as a person types it, without those that are not given."""
    words = [f"diablerie {command} {game}"]
    pairs = [(name, value) for name, value in options.items() if value not in (None, "")]
    pairs += [(name, value) for name, values in (repeated or {}).items() for value in values]
    return " ".join(words + [f"--{name} {shlex.quote(str(value))}" for name, value in pairs])
