"""The terms of a tournament: all that fixes its results, and the first line of its file."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

import diablerie
from diablerie.bots.spec import parse
from diablerie.engine.game import Game
from diablerie.lab.pairing import rounded

FORMAT = 1
MOST = 1_000_000  # games
CONTINUES = re.compile(r"\w+=")


class BadTerms(ValueError):
    """A tournament that cannot be held; the message is one sentence."""


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is played, by whom and how often. Equal terms give equal games."""

    tournament: int  # the format of the file
    diablerie: str
    game: str
    version: int  # of the rules
    seats: int
    options: dict[str, str]
    players: tuple[str, ...]
    mixed: bool  # mixed tables, else every pairing
    games: int  # for each pairing, or in all at mixed tables
    seed: int

    @property
    def teams(self) -> tuple[int, ...]:
        """The side of each seat."""
        return game_of(self).teams(self.seats)

    @property
    def sides(self) -> int:
        """How many sides play against each other at a table."""
        return len(set(self.teams))


def game_of(terms: Terms) -> Game:
    """The game of a tournament."""
    game: Game = diablerie.game_named(terms.game)
    return game


def split(text: str) -> tuple[str, ...]:
    """The specs of a comma-separated list; `key=value` belongs to the spec before it."""
    found: list[str] = []
    for piece in (piece.strip() for piece in text.split(",")):
        if found and CONTINUES.match(piece):
            found[-1] += f",{piece}"
        elif piece:
            found.append(piece)
    return tuple(found)


def agreed(
    game: str,
    players: Sequence[str],
    *,
    games: int = 100,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 1,
    mixed: bool | None = None,
) -> Terms:
    """The terms, checked; `games` is rounded up until seats are balanced exactly.

    Raises BadTerms, BadOption or BadSpec (all of them ValueErrors).
    """
    chosen: Game = diablerie.game_named(game)
    count = chosen.seats[0] if seats is None else seats
    settled = chosen.settled(count, options or {})
    sides = len(set(chosen.teams(count)))
    mix = sides > 2 if mixed is None else mixed
    _check(players, games, seed)
    if not mix and sides != 2:
        raise BadTerms(f"pairings need two sides, this table has {sides}: play at mixed tables")
    return Terms(
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
        raise BadTerms("a tournament needs at least two players")
    twice = [name for name in players if players.count(name) > 1]
    if twice:
        raise BadTerms(f"the player “{twice[0]}” is named twice")
    if not 1 <= games <= MOST:
        raise BadTerms(f"a tournament has 1 to {MOST} games, not {games}")
    if not 0 <= seed < 2**63:
        raise BadTerms(f"a seed is a whole number from 0 to 2^63-1, not {seed}")
    for name in players:
        _check_player(name)


def _check_player(name: str) -> None:
    try:
        parse(name, imports=True)
    except ValueError:
        raise
    except Exception as error:  # whatever a module of one's own does when it is imported
        raise BadTerms(f"{name} cannot be read: {type(error).__name__}: {error}") from error
