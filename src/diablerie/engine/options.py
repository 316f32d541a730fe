"""The options of a game: named, typed, with a default, refused in a sentence when wrong."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from diablerie.engine.text import Line, UserError, nameless, say


class BadOption(UserError):
    """An option or number of seats that the game does not have."""


OptionValues = Mapping[str, Any]  # the values of a game's options by their names
Settled = dict[str, Any]  # of all of them


@dataclass(frozen=True)
class Option:
    """One option: `parse` reads a value from text (raising BadOption), `format` writes it.

    `values` lists the choices a form can offer (empty: typed in); `samples` are values that tests
    play through, the default not needed among them. `later`: the game got it when matches had been
    played without it, so that files leave it out where it has its default.
    """

    name: str
    label: Line
    help: Line
    default: object
    parse: Callable[[str], object]
    format: Callable[[Any], str] = str
    values: tuple[tuple[str, Line], ...] = ()
    samples: tuple[object, ...] = field(default=(), compare=False)
    later: bool = False


def choice_option(name: str, label: Line, help: Line, values: Sequence[tuple[str, Line]]) -> Option:
    """An option that is one of some words; the first is the default. Reading raises BadOption."""
    words = [word for word, _ in values]

    def parse(text: str) -> str:
        if text not in words:
            raise BadOption(
                say(
                    "Option {name} must be one of {words}, not “{text}”.",
                    name=name,
                    words=", ".join(words),
                    text=text,
                )
            )
        return text

    return Option(name, label, help, words[0], parse, str, tuple(values), tuple(words[1:]))


def number_option(
    name: str, label: Line, help: Line, low: int, high: int, default: int, samples: Sequence[int]
) -> Option:
    """An option that is a whole number from `low` to `high`. Reading raises BadOption."""

    def parse(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= 9
        if not digits or not low <= int(text) <= high:
            raise BadOption(
                say(
                    "Option {name} must be a whole number from {low} to {high}, not “{text}”.",
                    name=name,
                    low=low,
                    high=high,
                    text=text,
                )
            )
        return int(text)

    return Option(name, label, help, default, parse, str, (), tuple(samples))


def flag_option(name: str, label: Line, help: Line) -> Option:
    """An option that is off unless said otherwise."""
    words = (("no", say("no")), ("yes", say("yes")))
    choice = choice_option(name, label, help, words)

    def parse(text: str) -> bool:
        return bool(choice.parse(text) == "yes")

    return Option(name, label, help, False, parse, lambda on: "yes" if on else "no", words, (True,))


def in_files(options: Sequence[Option], values: Mapping[str, object]) -> dict[str, str]:
    """The options as files name them and as digests bind them, by name: see `Option.later`."""
    return {
        option.name: option.format(values[option.name])
        for option in options
        if not (option.later and values[option.name] == option.default)
    }


def settle(options: Sequence[Option], given: Mapping[str, object]) -> Settled:
    """All options with their values: `given` (values or their text) over the defaults.

    Raises BadOption for an unknown name or a wrong value.
    """
    known = {option.name: option for option in options}
    for name in given:
        if not name.strip():
            raise BadOption(nameless(known))
        if name not in known:
            raise BadOption(
                say(
                    "There is no option “{name}”; this game has {names}.",
                    name=name,
                    names=", ".join(known) or say("none"),
                )
            )
    return {o.name: _value(o, given.get(o.name, o.default)) for o in options}


def _value(option: Option, given: object) -> object:
    return option.parse(given if isinstance(given, str) else option.format(given))
