"""Bots by name: `random`, `sensible`, `search:ms=500`, or `module:Class` of one's own.

A spec is a kind, and after a colon its settings as `key=value`, separated by commas.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from diablerie.bots import levels
from diablerie.bots.basic import Bot, RandomBot, SensibleBot
from diablerie.bots.searcher import SearchBot
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say


class BadSpec(ValueError):
    """Text that names no bot; the sentence is `line`."""

    def __init__(self, line: Line) -> None:
        super().__init__(str(line))
        self.line = line


@dataclass(frozen=True)
class Kind:
    """A kind of bot: how it is made, its name for people, and what settings it takes.

    `make` is called with the game and the settings, each read by its entry in `settings`.
    """

    make: Callable[..., Bot]
    title: Line
    settings: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)


def _share(text: str) -> float:
    return _between(float(text), 0.0, 1.0)


def _positive(text: str) -> float:
    return _between(float(text), 0.0, 1000.0)


def _count(text: str) -> int:
    return int(_between(int(text), 1, 100_000_000))


def _spots(text: str) -> int:
    return int(_between(int(text), 100, 1 << 22))


def _between(x: float, low: float, high: float) -> float:
    if not low <= x <= high:
        raise ValueError
    return x


SEARCH = {"ms": _count, "n": _count, "explore": _positive, "widen": _positive, "bias": _positive,
          "doubt": _positive, "spots": _spots, "slips": _share}  # fmt: skip

KINDS: dict[str, Kind] = {
    "imp": Kind(levels.imp, say("Imp")),
    "devil": Kind(levels.devil, say("Devil")),
    "archdevil": Kind(levels.archdevil, say("Archdevil")),
    "oberteufel": Kind(levels.oberteufel, say("Oberteufel")),
    "sensible": Kind(SensibleBot, say("Sensible devil"), {"slips": _share}),
    "search": Kind(SearchBot, say("Thinking devil"), SEARCH),
    "random": Kind(RandomBot, say("Wild devil")),
}


@dataclass(frozen=True)
class Spec:
    """A spec, read: the kind (or the dotted class of one's own) and its settings."""

    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def make(self, game: Game) -> Bot:
        """The bot, for a game."""
        if self.kind in KINDS:
            return KINDS[self.kind].make(game, **self.settings)
        bot: Bot = _imported(self.kind)(game)
        return bot


def parse(text: str, *, imports: bool = False) -> Spec:
    """Read a spec. Raises BadSpec.

    `module:Class` runs code by name, so it is read only with `imports`: on a command line, never
    from a web page.
    """
    kind, _, rest = text.strip().partition(":")
    if kind in KINDS:
        return Spec(kind, _settings(kind, rest))
    if imports and rest:
        _imported(text.strip())
        return Spec(text.strip())
    raise BadSpec(
        say("There is no bot “{text}”; there are {names}.", text=text[:60], names=", ".join(KINDS))
    )


def title(text: str) -> Line:
    """What people call the bot of a spec: its kind's title, or the name of one's own class."""
    kind, _, name = text.partition(":")
    return KINDS[kind].title if kind in KINDS else Line("{name}", {"name": name or kind})


def _settings(kind: str, rest: str) -> dict[str, Any]:
    known = KINDS[kind].settings
    found = {}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise BadSpec(say("The bot {kind} has no setting “{key}”.", kind=kind, key=key[:60]))
        try:
            found[key] = known[key](value)
        except ValueError as error:
            raise BadSpec(
                say("“{value}” is no value for {key} of {kind}.", value=value[:60], key=key,
                    kind=kind)
            ) from error  # fmt: skip
    return found


def _imported(path: str) -> Callable[[Game], Bot]:
    module, _, name = path.partition(":")
    try:
        made: Callable[[Game], Bot] = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadSpec(say("There is no bot “{path}”: {error}", path=path, error=error)) from error
    return made
