"""Sentences that can be shown in any language: a message with named values, rendered last.

`say` and `says` mark messages for translation (the extractor knows them by name), so every word
a game shows a person is written once, in English, where the rule is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class SeatRef(int):
    """A seat inside a sentence: rendered as its player's name."""


class Line(NamedTuple):
    """A message in English, its values by name, and the clause it rests on ("" if none)."""

    text: str
    values: Mapping[str, Any]
    plural: str = ""
    clause: str = ""

    def __str__(self) -> str:
        return render_line(self, ENGLISH, lambda seat: f"player {seat + 1}")


def say(text: str, /, clause: str = "", **values: object) -> Line:
    """A sentence; `values` fill its {names}: numbers, text, seats or other lines.

    The number `who` is a seat; any other seat is given as a SeatRef.
    """
    return Line(text, _seated(values), "", clause)


def says(singular: str, plural: str, n: int, /, clause: str = "", **values: object) -> Line:
    """A sentence whose form depends on the number `n`, which is also its {n}."""
    return Line(singular, {"n": n, **_seated(values)}, plural, clause)


def _seated(values: dict[str, object]) -> dict[str, object]:
    who = values.get("who")
    # `SupportsIndex` says the same, but takes a hundred times as long.
    whole = hasattr(who, "__index__")
    return values | {"who": SeatRef(who)} if whole else values  # type: ignore[call-overload]


def listed(lines: Sequence[Line]) -> Line:
    """The lines as one, with commas between them. Raises ValueError if there are none."""
    first, *rest = lines
    return say("{first}, {rest}", first=first, rest=listed(rest)) if rest else first


def nameless(names: Iterable[str]) -> Line:
    """That a name is missing where there are these."""
    return say("The name is missing; there are {names}.", names=", ".join(names))


class Section(NamedTuple):
    """A part of a position described in sentences: a heading, and what stands below it."""

    title: Line
    lines: Sequence[Line]


class Translations(Protocol):
    """What a language must answer: the two functions of gettext."""

    def gettext(self, message: str) -> str:
        """The message in this language."""

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        """The form of the message for the number n."""


class _English:
    def gettext(self, message: str) -> str:
        return message

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return singular if n == 1 else plural


ENGLISH: Translations = _English()


def render_line(line: Line, language: Translations, name: Callable[[SeatRef], str]) -> str:
    """The sentence in `language`, with `name` giving the text of each seat in it."""

    def shown(value: object) -> str:
        if isinstance(value, Line):
            return render_line(value, language, name)
        return name(value) if isinstance(value, SeatRef) else str(value)

    if line.plural:
        text = language.ngettext(line.text, line.plural, line.values["n"])
    else:
        text = language.gettext(line.text)
    return text.format(**{key: shown(value) for key, value in line.values.items()})


class UserError(ValueError):
    """Something is refused, for a reason in one sentence: `line`, by `clause` ("" if by none).

    All that people, programs and commands are refused is an error of this class.
    """

    def __init__(self, line: Line) -> None:
        super().__init__(f"{line} [{line.clause}]" if line.clause else str(line))
        self.line = line
        self.clause = line.clause
