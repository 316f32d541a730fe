"""Options that several commands share."""

import os
import shlex
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

import click
import msgspec

from diablerie.arguments import Numbers, all_of, read_pairs
from diablerie.lab.running.settings import Setting, settings_of, split_specs

Option = Callable[[Any], Any]

# Options that several commands have; each is spelled here and nowhere else.
FILE_PATH = click.Path(path_type=Path, dir_okay=False)
FOLDER_PATH = click.Path(path_type=Path, file_okay=False)
AT_LEAST_ONE = click.IntRange(min=1)
SHOW_DEFAULTS = {"show_default": True}  # in the help of every option
json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")


class DrawnPage(click.Path):
    """The page to be written, before anything is played.

    Raises OSError if it cannot be written, BadConfig without Matplotlib.
    """

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """See click."""
        from diablerie.lab.running.study import check_writable

        path = Path(str(super().convert(value, param, ctx)))
        # Both now: nobody wants to hear of it after hours of games.
        check_writable(path)
        if not find_spec("matplotlib"):
            from diablerie.engine import extras
            from diablerie.engine.text import say
            from diablerie.lab.running.errors import BadConfig

            needs = say(
                "A page with pictures needs Matplotlib, which is not installed: {command}",
                command=extras.install("report"),
            )
            raise BadConfig(needs)
        return path


report_option = click.option(
    "--report", type=DrawnPage(dir_okay=False), help="Write a page with pictures (HTML)."
)
seed_option = click.option("--seed", type=int, default=1, help="The seed of the dice and the bots.")


def file_option(what: str) -> Option:
    """The option `--file`, which names a results file."""
    return click.option(
        "--file", type=FILE_PATH, help=f"Save {what} here; the same command continues it."
    )


def settings_options(declared: type[msgspec.Struct]) -> Option:
    """An option for each setting that a struct declares, in their order.

    Tuples are written with commas, and mappings as NAME=VALUE, again and again.
    """
    return all_of(*map(_setting_option, settings_of(declared)))


def _setting_option(one: Setting) -> Option:
    required = one.default is msgspec.NODEFAULT
    given: dict[str, Any] = {"required": True} if required else {"default": one.default}
    kind = next((part for part in get_args(one.kind) if part is not NoneType), one.kind)
    if get_origin(one.kind) is tuple:
        given |= {"type": Listed(kind), "metavar": f"{one.name.upper()}[,…]"}
    elif get_origin(one.kind) is dict:
        given |= {"multiple": True, "metavar": "NAME=VALUE", "callback": read_pairs, "default": ()}
    elif kind is bool:
        given["is_flag"] = True
    else:
        ranges: dict[Any, Any] = {int: click.IntRange, float: Numbers}
        given["type"] = ranges[kind](one.low, one.high) if kind in ranges else kind
    flags = one.extra.get("flags", [f"--{one.name.replace('_', '-')}"])
    given |= {"help": one.help, **{k: v for k, v in one.extra.items() if k != "flags"}}
    return click.option(*flags, one.name, **given)


class Listed(click.ParamType):  # type: ignore[type-arg]
    """Values of a kind separated by commas; texts as `split_specs` cuts them."""

    name = "list"

    def __init__(self, kind: Callable[[str], object]) -> None:
        self.kind = kind

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[object, ...]:
        """See click."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(self.kind(part) for part in split_specs(str(value)))
        except ValueError:
            self.fail(f"{value!r} is no list of numbers", param, ctx)


def workers_option(help: str) -> Option:
    """The option `--workers`; if left out, all processors of this machine."""
    return click.option(
        "--workers",
        type=click.IntRange(1, 65536),
        default=os.cpu_count,
        show_default="all cores",
        help=help,
    )


# What says where a command runs and what it writes, rather than what comes out
NO_SETTINGS = {"file", "out", "keep", "report", "workers", "on", "as_json"}


def command_line() -> str:
    """The running command as a person types it, with the settings that fix its results."""
    context = click.get_current_context()
    known = [one for one in context.command.params if one.name not in NO_SETTINGS]
    arguments = [one for one in known if isinstance(one, click.Argument)]
    options = [one for one in known if isinstance(one, click.Option)]
    words = [f"diablerie {context.info_name}"]
    words += [shlex.quote(str(context.params[str(one.name)])) for one in arguments]
    for option in sorted(options, key=lambda one: one.multiple):
        for one in _words(context.params[str(option.name)], option.multiple):
            if isinstance(one, bool):
                words += (option.opts if one else option.secondary_opts)[:1]
            elif one not in (None, ""):
                words.append(f"{option.opts[0]} {shlex.quote(str(one))}")
    return " ".join(words)


def _words(value: object, multiple: bool) -> list[object]:
    """The words by which an option with this value is given."""
    if isinstance(value, Mapping):
        return [f"{name}={one}" for name, one in value.items()]
    if isinstance(value, tuple):
        return [*value] if multiple else [",".join(map(str, value))]
    return [value]
