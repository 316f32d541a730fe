"""The games: `ALL` is the one list of them, ours first, then those from outside by name.

A package offers its game, a `Game`, by an entry point of the group `diablerie.games`. Whatever is
wrong with it is that game's trouble alone: it is left out, with a warning that names it.
"""

import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple

from diablerie.engine.game import Game
from diablerie.engine.sources import GROUP
from diablerie.games import coals, kitchen, tails, underworld

log = logging.getLogger(__name__)
OURS = (coals.GAME, tails.GAME, underworld.GAME, kitchen.GAME)
NAME = re.compile(r"[a-z][a-z0-9_]*")  # names stand in addresses, ids and names of files


class Skipped(NamedTuple):
    """An entry point that gave no game, and why."""

    name: str
    why: str


class Games(Mapping[str, Game]):
    """All games by name. Those from outside are loaded when something is first looked up.

    Not earlier, since a package from outside may itself be what imports diablerie.
    """

    @cached_property
    def _loaded(self) -> tuple[dict[str, Game], list[Skipped]]:
        games = {game.name: game for game in OURS}
        skipped = []
        outside: dict[str, Game] = {}
        for point in sorted(entry_points(group=GROUP)):
            try:
                game = _load(point, {**games, **outside})
            except (Exception, SystemExit) as error:  # what others wrote may fail in any way
                why = " ".join(f"{type(error).__name__}: {error}".split())
                log.warning("the game %s (%s) is left out: %s", point.name, point.value, why)
                skipped.append(Skipped(point.name, why))
            else:
                outside[game.name] = game
        return games | dict(sorted(outside.items())), skipped

    @property
    def skipped(self) -> list[Skipped]:
        """The entry points that could not be used."""
        return self._loaded[1]

    @property
    def loaded(self) -> dict[str, Game]:
        """All games by name."""
        return self._loaded[0]

    def __getitem__(self, name: str) -> Game:
        return self.loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.loaded)

    def __len__(self) -> int:
        return len(self.loaded)


def _load(point: EntryPoint, known: Mapping[str, Game]) -> Game:
    """The game of an entry point. Raises ValueError, or whatever the package raises."""
    with redirect_stdout(sys.stderr):  # what it prints is no part of a command's data
        game = point.load()
    if not isinstance(game, Game):
        raise ValueError("it is no Game")
    if not NAME.fullmatch(game.name):
        raise ValueError(f"{game.name!r} is no name of small letters and digits")
    if game.name in known:
        raise ValueError(f"there is a game {game.name} already")
    return game


ALL = Games()
