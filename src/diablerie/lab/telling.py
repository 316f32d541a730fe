"""How the commands of the laboratory tell what they found, and that they were stopped."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console, RenderableType

WIDE = 140  # columns where there is no terminal to ask


def show(found: Any, drawn: Callable[[Any], RenderableType], as_json: bool) -> None:
    """Print what was found, as JSON or as `drawn` draws it."""
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    else:
        put(drawn(found))


def put(shown: RenderableType) -> None:
    """Print it, as wide as the terminal is."""
    console = Console()
    console = console if console.is_terminal else Console(width=WIDE)
    console.print(shown)


def left_off(
    err: Console, early: object, file: Path | None, otherwise: str = "--file would have kept them"
) -> None:
    """Say that Ctrl-C came, and what goes on: the same command with a file, `otherwise` without."""
    again = f"the same command goes on with {file}" if file else otherwise
    err.print(f"{early}; {again}", highlight=False, markup=False, soft_wrap=True)


def spelled(
    command: str, game: str, given: dict[str, Any], repeated: dict[str, tuple[str, ...]]
) -> str:
    """A command with these options, as one types it."""
    words = [f"diablerie {command} {game}"]
    words += [f"--{name} {shlex.quote(str(value))}" for name, value in given.items() if value]
    words += [f"--{name} {shlex.quote(one)}" for name, found in repeated.items() for one in found]
    return " ".join(words)
