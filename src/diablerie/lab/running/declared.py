"""The settings of studies of many games: each once, with its bounds and its help.

This module imports no game, so that a command's help does not either.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from diablerie.lab.running.settings import GameOptions, Seats, Seed, read_variations

SPECS = {"metavar": "SPEC[,SPEC…]"}


class DatasetSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Games of one setting. players: a spec for all seats, or one for each side."""

    seats: Seats = None
    options: GameOptions = {}
    players: Annotated[
        str, Meta(description="One bot for all seats, or one for each side.", extra=SPECS)
    ] = "sensible"
    games: Annotated[int, Meta(ge=1, le=100_000_000, description="Games for each setting.")] = 1000
    seed: Seed = 1


class SimulationSettings(DatasetSettings, frozen=True, kw_only=True):
    """Games of one setting, or of several that are compared with the first.

    players: several take turns in the seats. vary: the values that "players", "seats" or an option
    takes; every combination is a setting of `games` games.
    """

    vary: Annotated[
        dict[str, list[str]],
        Meta(
            description="Compare values of an option, of players or of seats; may be repeated.",
            extra={"metavar": "NAME=A,B,…", "callback": read_variations},
        ),
    ] = {}


class TournamentSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays, and how often.

    players: specs such as "search:ms=200" or "my_module:MyBot". games: rounded up until every player
    has every seat equally often. mixed: the default where more than two sides play.
    """

    seats: Seats = None
    options: GameOptions = {}
    players: Annotated[
        tuple[str, ...],
        Meta(
            description="Bots: random, sensible, … or module:Class of your own.",
            extra=SPECS,
        ),
    ]
    games: Annotated[
        int,
        Meta(ge=1, le=1_000_000, description="Games for each pairing; at mixed tables, in total."),
    ] = 100
    seed: Seed = 1
    mixed: Annotated[
        bool | None,
        Meta(
            description="Play at mixed tables, or every pairing; the game decides if left out.",
            extra={"flags": ["--mixed/--pairings"]},
        ),
    ] = None


class CalibrationSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which games are played and which positions are examined."""

    seats: Annotated[
        int | None, Meta(description="Number of players; every number in turn if left out.")
    ] = None
    options: GameOptions = {}
    players: Annotated[
        tuple[str, ...], Meta(description="Bots; they sit in random seats.", extra=SPECS)
    ] = ("sensible", "search:n=300")
    games: Annotated[int, Meta(ge=1, le=1_000_000, description="How many games to play.")] = 1000
    positions: Annotated[
        int, Meta(ge=1, le=1000, description="How many positions of each game to check.")
    ] = 4
    playouts: Annotated[
        int,
        Meta(ge=1, le=100_000, description="How many games to play on from each position."),
    ] = 100
    seed: Seed = 1
