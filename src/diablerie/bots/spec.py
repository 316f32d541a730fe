"""Bots by name: levels, styles, `sensible`, `search:ms=500`, `net:file=FILE`, your `module:Class`.

A spec is a kind, and after a colon its settings as `key=value`, separated by commas. Packages add
kinds of bots as entry points of the group `diablerie.bots`, each a `BotKind` with a single setting,
whose text follows the colon.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from diablerie.bots.basic import Bot, RandomBot, SensibleBot
from diablerie.bots.levels import LEVELS, STYLES
from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.noisy_one_ply import fallible
from diablerie.bots.searcher import SearchBot
from diablerie.engine.game import Game
from diablerie.engine.text import Line, UserError, say


class BadSpec(UserError):
    """Text that names no bot."""


@dataclass(frozen=True)
class BotKind:
    """A kind of bot.

    make: called with the game and the settings; title: its name for people; settings: for each
    setting the function that reads its text, or raises ValueError.
    """

    make: Callable[..., Bot]
    title: Line
    settings: Mapping[str, Callable[[str], object]] = field(default_factory=dict)


def number_setting(
    low: float, high: float, kind: type[int] | type[float] = float
) -> Callable[[str], object]:
    """A reader of numbers of type `kind` from low to high, which raises ValueError for others."""

    def read(text: str) -> object:
        number = kind(text)
        if not low <= number <= high:
            raise ValueError
        return number

    return read


SENSIBLE_SETTINGS = {"epsilon": number_setting(0.0, 1.0)}
SEARCH_SETTINGS: dict[str, Callable[[str], object]] = {
    "ms": number_setting(1, 100_000_000, int),
    "cpu": number_setting(1, 100_000_000, int),
    "tree": number_setting(0, 1, int),
    "n": number_setting(1, 100_000_000, int),
    "explore": number_setting(0.0, 1000.0),
    "widen": number_setting(0.0, 1000.0),
    "doubt": number_setting(0.0, 1000.0),
}

GUESSING_SETTINGS = {
    "guesses": number_setting(1, 1_000_000, int),
    "neglect": number_setting(0.0, 1.0),
    "habit": number_setting(0.0, 10.0),
    "memory": number_setting(0.0, 1.0),
    "temperature": number_setting(0.0, 1000.0),
}

NETWORK_SETTINGS: dict[str, Callable[[str], object]] = {
    "file": str,  # which is read only where code is
    "temperature": number_setting(0.0, 10.0),
    "n": number_setting(1, 100_000_000, int),
    "cpu": number_setting(1, 100_000_000, int),
    "decisions": number_setting(0, 1000, int),
    "advised": number_setting(0.0, 1.0),
    "doubt": number_setting(0.0, 1000.0),
}

KINDS: dict[str, BotKind] = {
    **{one.name: BotKind(one.make, one.title) for one in (*LEVELS, *STYLES)},
    "sensible": BotKind(SensibleBot, say("Sensible devil"), SENSIBLE_SETTINGS),
    "search": BotKind(SearchBot, say("Thinking devil"), SEARCH_SETTINGS),
    "net": BotKind(NetworkBot, say("Learnt devil"), NETWORK_SETTINGS),
    "fallible": BotKind(fallible, say("Fallible devil"), GUESSING_SETTINGS),
    "random": BotKind(RandomBot, say("Wild devil")),
}


@cache
def external_kind(name: str) -> BotKind | None:
    """The kind of bot that a package adds by an entry point of this name; None if there is none.

    Raises BadSpec if it cannot be imported.
    """
    for point in entry_points(group="diablerie.bots", name=name):
        try:
            kind: BotKind = point.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # another's code may fail in any way, or end the program
            raise _not_there(name, error) from error
        return kind
    return None


@dataclass(frozen=True)
class Spec:
    """A parsed spec: the kind (or `module:Class`) and its settings."""

    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def make(self, game: Game) -> Bot:
        """The bot, for a game. Raises BadSpec, or what its own class raises."""
        if self.kind in KINDS:
            return KINDS[self.kind].make(game, **self.settings)
        if external := external_kind(self.kind):
            return external.make(game, **self.settings)
        return _imported(self.kind)(game)


def parse_bot(text: str, *, imports: bool = False) -> Spec:
    """Read a spec. Raises BadSpec.

    `module:Class` runs code by name and the kinds of other packages may read files, so they are
    allowed only with `imports`: on a command line, never from a web page.
    """
    kind, _, rest = text.strip().partition(":")
    if kind in KINDS:
        settings = _settings(kind, rest)
        if file := settings.get("file"):
            if not imports:
                raise _no_value(file, "file", kind)
            if not Path(file).is_file():
                raise _no_file(file)
        return Spec(kind, settings)
    # Kinds of other packages, then classes by name: neither from a web page.
    if imports and (external := external_kind(kind)):
        ((key, read),) = external.settings.items()
        try:
            return Spec(kind, {key: read(rest)})
        except FileNotFoundError:
            raise _no_file(rest) from None
        except ValueError as error:
            raise _no_value(rest, key, kind) from error
    if imports and rest:
        _imported(text.strip())
        return Spec(text.strip())
    raise BadSpec(
        say("There is no bot “{text}”; there are {names}.", text=text[:60], names=", ".join(KINDS))
    )


def bot_title(text: str) -> Line:
    """The name of a spec's bot for people: its kind's title, or the name of its class."""
    kind, _, name = text.partition(":")
    return KINDS[kind].title if kind in KINDS else Line("{name}", {"name": name or kind})


def _settings(kind: str, rest: str) -> dict[str, Any]:
    known = KINDS[kind].settings
    settings = {}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise BadSpec(say("The bot {kind} has no setting “{key}”.", kind=kind, key=key[:60]))
        try:
            settings[key] = known[key](value)
        except ValueError as error:
            raise _no_value(value, key, kind) from error
    return settings


def _no_value(value: str, key: str, kind: str) -> BadSpec:
    return BadSpec(
        say("“{value}” is not a value for {key} of {kind}.", value=value[:60], key=key, kind=kind)
    )


def _no_file(path: str) -> BadSpec:
    return BadSpec(say("There is no file “{file}”.", file=path))


def _not_there(path: str, error: BaseException) -> BadSpec:
    what = f"{type(error).__name__}: {error}"
    return BadSpec(say("There is no bot “{path}”: {error}", path=path, error=what))


def _imported(path: str) -> Callable[[Game], Bot]:
    module, _, name = path.partition(":")
    try:
        factory: Callable[[Game], Bot] = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadSpec(say("There is no bot “{path}”: {error}", path=path, error=error)) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # another's code may fail in any way, or end the program
        raise _not_there(path, error) from error
    return factory
