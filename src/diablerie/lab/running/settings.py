"""Settings that the configs of all studies share: options of a game, bots by spec, seeds."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

import diablerie
from diablerie.bots.spec import parse_bot
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.games import ALL
from diablerie.lab.running.errors import BadConfig

CONTINUES = re.compile(r"\w+=")  # a piece that belongs to the spec before it


class StudyConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that fixes a study's results, and the first line of its file. Subclasses add more.

    A file is continued only by an equal config: it names the version that played the games.
    """

    diablerie: str
    game: str
    version: int  # of the rules

    @property
    def rules(self) -> Game:
        """The game."""
        return ALL[self.game]

    @property
    def specs(self) -> tuple[str, ...]:
        """The bots that play; a cluster needs the modules of those that a user wrote."""
        return getattr(self, "players", ())


def origin(game: Game) -> dict[str, Any]:
    """The fields of a `StudyConfig` for a game, played by this version of diablerie."""
    return {"diablerie": diablerie.__version__, "game": game.name, "version": game.version}


def option_texts(game: Game, seats: int, options: Mapping[str, Any]) -> dict[str, str]:
    """All options of a game as text, those that are left out too. Raises BadOption."""
    settled = game.settled(seats, options)
    return {option.name: option.format(settled[option.name]) for option in game.options}


def split_specs(text: str) -> tuple[str, ...]:
    """The specs of a comma-separated list; `key=value` belongs to the spec before it."""
    specs: list[str] = []
    for piece in (piece.strip() for piece in text.split(",")):
        if specs and CONTINUES.match(piece):
            specs[-1] += f",{piece}"
        elif piece:
            specs.append(piece)
    return tuple(specs)


def check_players(specs: Sequence[str]) -> None:
    """Raise BadSpec or BadConfig unless every text is the spec of a bot."""
    for spec in specs:
        try:
            parse_bot(spec, imports=True)
        except ValueError:
            raise
        except Exception as error:  # a user's module may raise anything when it is imported
            why = f"{type(error).__name__}: {error}"
            raise BadConfig(say("{name} cannot be read: {why}", name=spec, why=why)) from error


def check_games(games: int, most: int) -> None:
    """Raise BadConfig unless a study may have so many games."""
    if not 1 <= games <= most:
        raise BadConfig(say("1 to {most} games, not {games}", most=most, games=games))


def check_bounds(what: str, value: float, low: float, high: float) -> None:
    """Raise BadConfig unless a setting lies from low to high. what: its name."""
    if not low <= value <= high:
        raise BadConfig(
            say(
                "{what} is {low} to {high}, not {value}", what=what, low=low, high=high, value=value
            )
        )


def check_seed(seed: int) -> None:
    """Raise BadConfig unless a seed fits into 63 bits."""
    if not 0 <= seed < 2**63:
        raise BadConfig(say("a seed is a whole number from 0 to 2^63-1, not {seed}", seed=seed))


def seed_for(seed: int, *purpose: int | str) -> int:
    """The seed (64 bits) of one generator of a study: of a table's dice, of a seat in a game.

    It is the beginning of the SHA-256 of the study's seed and of the words that say what the
    generator is for, so generators for different purposes are independent.
    """
    words = " ".join(str(word) for word in (seed, *purpose))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")
