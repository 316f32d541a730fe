"""What several commands take and read from their arguments."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def pairs(options: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` words as a mapping. Raises ValueError for a word without `=`."""
    chosen = {}
    for word in options:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"an option is written NAME=VALUE, not “{word}”")
        chosen[name] = value
    return chosen


def about_a_game(command: Command) -> Command:
    """Give a command the arguments that name a game, its seats and its options."""
    for add in (
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
                     help="An option of the game; may be repeated."),
        click.option("--seats", type=int, help="Number of players; the fewest if left out."),
        click.argument("game"),
    ):  # fmt: skip
        command = add(command)
    return command
