"""Options and arguments that several commands share."""

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., object])


class Numbers(click.FloatRange):
    """A number in a range; click's own type takes NaN for one."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number, where it is one."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


def pairs(options: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` words as a mapping. Raises ValueError for a word without `=`."""
    chosen = {}
    for word in options:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"an option is written NAME=VALUE, not “{word}”")
        chosen[name] = value
    return chosen


def read_pairs(_: object, __: object, words: tuple[str, ...]) -> dict[str, str]:
    """The same, as click asks for it."""
    return pairs(words)


def allow_own_bots() -> None:
    """Let specs name bots of modules in the current folder."""
    sys.path.append(str(Path.cwd()))


def all_of(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """One decorator that gives a command several options, listed in this order by `--help`."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


game_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game; may be repeated.",
)
about_a_game = all_of(
    click.argument("game"),
    click.option("--seats", type=int, help="Number of players; the fewest if left out."),
    game_option,
)
"""The arguments of a command about one game: its name, number of players and options."""
