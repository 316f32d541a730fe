"""Files of what was learnt: read whole or refused with a reason, and those that come with a game."""

from collections.abc import Callable
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from diablerie.engine.game import Game

F = TypeVar("F", bound=msgspec.Struct)


def decode_file(path: Any, kind: type[F], fault: Callable[[F], str]) -> F:
    """The JSON of a file as a struct of this kind. fault: says what is wrong with it; "": nothing.

    Raises ValueError, whose text says what is wrong, and OSError.
    """
    try:
        file = msgspec.json.decode(path.read_bytes(), type=kind)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
    if wrong := fault(file):
        raise ValueError(wrong)
    return file


_bundled: dict[tuple[str, str], Any] = {}  # by the names of the game and of the file


def bundled_file(game: Game, name: str, read: Callable[[Any, Game], F]) -> F | None:
    """The file of this name beside a game's RULES.md, read once; None if there is none."""
    if (game.name, name) not in _bundled:
        file = files(game.home) / name
        _bundled[game.name, name] = read(file, game) if file.is_file() else None
    found: F | None = _bundled[game.name, name]
    return found
