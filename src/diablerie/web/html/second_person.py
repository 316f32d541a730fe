"""Sentences of a game's log, said to the reader whom they are about.

A game may have them as `ui.SECOND_PERSON`, by what the log says: "You win {gain}." for
"{who} wins {gain}.". What the second leaves out is the reader.
"""

from collections.abc import Mapping
from string import Formatter
from typing import Any

from diablerie.engine.game import Game
from diablerie.engine.text import Line, SeatRef


def said_to(seat: int, line: Line, game: Game) -> Line:
    """The sentence and all within it as they are said to a seat."""
    values = {name: _said_to(seat, value, game) for name, value in line.values.items()}
    line = line._replace(values=values)
    known: Mapping[str, Line] = getattr(game.ui, "SECOND_PERSON", {})
    second = known.get(line.text)
    if second and all(_is(seat, values[name]) for name in _left_out(line, second)):
        return line._replace(text=second.text, plural=second.plural)
    return line


def about(seat: int, line: Line) -> bool:
    """Whether a sentence tells of a seat."""
    return "{who}" in line.text and line.values.get("who") == seat


def _said_to(seat: int, value: Any, game: Game) -> Any:
    return said_to(seat, value, game) if isinstance(value, Line) else value


def _left_out(line: Line, second: Line) -> set[str]:
    return _fields(line.text) - _fields(second.text)


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _is(seat: int, value: Any) -> bool:
    """Whether a value is the seat, or names it."""
    if isinstance(value, Line):
        return any(_is(seat, inner) for inner in value.values.values())
    return isinstance(value, SeatRef) and value == seat
