"""Options in forms: one that is several numbers has a field for each.

A game may say so in `ui.OPTION_PARTS`: what each number stands for, by the option's name.
"""

from collections.abc import Mapping, Sequence

from diablerie.engine.game import Game
from diablerie.engine.text import Line


def parts(game: Game) -> Mapping[str, Sequence[Line]]:
    """The labels of the fields of each option that has several."""
    found: Mapping[str, Sequence[Line]] = getattr(game.ui, "OPTION_PARTS", {})
    return found


def field_names(name: str, count: int) -> list[str]:
    """The fields of an option that has so many."""
    return [f"{name}-{number}" for number in range(count)]


def joined(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """The options that a form gives, by name: what it asks for in several fields is one text."""
    options = dict(given)
    for name, labels in parts(game).items():
        names = field_names(name, len(labels))
        numbers = [options.pop(field, "") for field in names]
        if any(numbers):
            options[name] = ",".join(numbers)
    return options
