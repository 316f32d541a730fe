"""The config of a tournament: all that fixes its results, and the first line of its file."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

import diablerie
from diablerie.bots.spec import parse
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.lab.errors import BadConfig
from diablerie.lab.pairing import rounded

FORMAT = 2  # of the file; 1, of 0.1, had dice of its own instead of a match's
MOST = 1_000_000  # games
CONTINUES = re.compile(r"\w+=")


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is played, by whom and how often. Equal configs give equal games."""

    tournament: int  # the format of the file
    diablerie: str
    game: str
    version: int  # of the rules
    seats: int
    options: dict[str, str]
    players: tuple[str, ...]
    mixed: bool  # mixed tables, else every pair of players
    games: int  # for each pair, or in all at mixed tables
    seed: int

    @property
    def teams(self) -> tuple[int, ...]:
        """The side of each seat."""
        return game_of(self).teams(self.seats)

    @property
    def sides(self) -> int:
        """How many sides play against each other at a table."""
        return len(set(self.teams))


def game_of(config: Config) -> Game:
    """The game of a tournament."""
    game: Game = diablerie.game_named(config.game)
    return game


def split_specs(text: str) -> tuple[str, ...]:
    """The specs of a comma-separated list; `key=value` belongs to the spec before it."""
    found: list[str] = []
    for piece in (piece.strip() for piece in text.split(",")):
        if found and CONTINUES.match(piece):
            found[-1] += f",{piece}"
        elif piece:
            found.append(piece)
    return tuple(found)


def configured(
    game: str,
    players: Sequence[str],
    *,
    games: int = 100,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    mixed: bool | None = None,
) -> Config:
    """A config, checked; `games` is rounded up until seats are balanced exactly.

    Raises BadConfig, BadOption or BadSpec (all of them ValueErrors).
    """
    chosen: Game = diablerie.game_named(game)
    count = chosen.seats[0] if seats is None else seats
    settled = chosen.settled(count, options or {})
    sides = len(set(chosen.teams(count)))
    mix = sides > 2 if mixed is None else mixed
    _check(players, games, seed)
    if not mix and sides != 2:
        raise BadConfig(
            say("pairings need two sides, this table has {sides}: play at mixed tables",
                sides=sides)
        )  # fmt: skip
    return Config(
        tournament=FORMAT,
        diablerie=diablerie.__version__,
        game=game,
        version=chosen.version,
        seats=count,
        options={o.name: o.format(settled[o.name]) for o in chosen.options},
        players=tuple(players),
        mixed=mix,
        games=rounded(games, len(players), sides, mix),
        seed=seed,
    )


def _check(players: Sequence[str], games: int, seed: int) -> None:
    if len(players) < 2:
        raise BadConfig(say("a tournament needs at least two players"))
    twice = [name for name in players if players.count(name) > 1]
    if twice:
        raise BadConfig(say("the player “{name}” is named twice", name=twice[0]))
    if not 1 <= games <= MOST:
        raise BadConfig(
            say("a tournament has 1 to {most} games, not {games}", most=MOST, games=games)
        )
    if not 0 <= seed < 2**63:
        raise BadConfig(say("a seed is a whole number from 0 to 2^63-1, not {seed}", seed=seed))
    for name in players:
        check_player(name)


def check_player(name: str) -> None:
    """Raise BadSpec or BadConfig unless this is the spec of a player."""
    try:
        parse(name, imports=True)
    except ValueError:
        raise
    except Exception as error:  # whatever a module of one's own does when it is imported
        why = f"{type(error).__name__}: {error}"
        raise BadConfig(say("{name} cannot be read: {why}", name=name, why=why)) from error
