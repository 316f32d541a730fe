"""The config of a simulation: its settings, and the chunks of games they are played in."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import msgspec

import diablerie
from diablerie.bots.basic import RandomBot, SensibleBot
from diablerie.bots.spec import parse
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.lab.config import check_player, split_specs
from diablerie.lab.errors import BadConfig

FORMAT = 1  # of the file
MOST_GAMES, MOST_SETTINGS = 100_000_000, 48
FAST = 500  # games of a chunk that is played in one compiled loop


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one set of games has in common. `players` has one spec, or one for each side."""

    label: str  # what is varied, "" if nothing is
    seats: int
    options: dict[str, str]
    players: tuple[str, ...]


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that fixes the results of a simulation: the first line of its file."""

    simulation: int  # the format of the file
    diablerie: str
    game: str
    version: int  # of the rules
    settings: tuple[Setting, ...]
    games: int  # of each setting
    seed: int

    @property
    def specs(self) -> tuple[str, ...]:
        """All players."""
        return tuple({name: None for setting in self.settings for name in setting.players})

    @property
    def rules(self) -> Game:
        """The game."""
        found: Game = diablerie.game_named(self.game)
        return found


class Chunk(NamedTuple):
    """A job: the games from `first` on, of one setting."""

    number: int
    setting: int
    first: int
    games: int


def study(
    game: str,
    players: str,
    *,
    games: int,
    seats: int | None = None,
    options: Mapping[str, str],
    vary: Mapping[str, Sequence[str]],
    seed: int = 1,
) -> Study:
    """A config, checked. Raises BadConfig, BadOption or BadSpec (all of them ValueErrors)."""
    chosen: Game = diablerie.game_named(game)
    if not 1 <= games <= MOST_GAMES:
        raise BadConfig(say("1 to {most} games, not {games}", most=MOST_GAMES, games=games))
    if not 0 <= seed < 2**63:
        raise BadConfig(say("a seed is a whole number from 0 to 2^63-1, not {seed}", seed=seed))
    common = {"players": players, **options}
    if seats is not None:
        common["seats"] = str(seats)
    settings = tuple(
        _setting(chosen, common, dict(zip(vary, values, strict=True)))
        for values in product(*vary.values())
    )
    if not 1 <= len(settings) <= MOST_SETTINGS:
        raise BadConfig(say("1 to {most} settings, not {n}", most=MOST_SETTINGS, n=len(settings)))
    return Study(FORMAT, diablerie.__version__, game, chosen.version, settings, games, seed)


def _setting(game: Game, common: Mapping[str, str], varied: Mapping[str, str]) -> Setting:
    values = {**common, **varied}
    players = split_specs(values.pop("players"))
    text = values.pop("seats", str(game.seats[0]))
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise BadConfig(say("seats are a number, not “{text}”", text=text[:40]))
    seats = int(text)
    settled = game.settled(seats, values)
    sides = len(set(game.teams(seats)))
    if len(players) not in (1, sides):
        raise BadConfig(
            say("name one player for all seats, or one for each of {sides} sides, not {n}",
                sides=sides, n=len(players))
        )  # fmt: skip
    for name in players:
        check_player(name)
    label = ", ".join(f"{name} {value}" for name, value in varied.items())
    return Setting(label, seats, {o.name: o.format(settled[o.name]) for o in game.options}, players)


def values_of(text: str) -> tuple[str, list[str]]:
    """`NAME=A,B,C` as its name and values; with a `|` in it, that separates them instead.

    Raises BadConfig for anything else.
    """
    name, equals, rest = text.partition("=")
    if name.strip() == "players" and "|" not in rest:
        values = list(split_specs(rest))
    else:
        values = [value.strip() for value in re.split(r"\|" if "|" in rest else ",", rest)]
    if not equals or len(values) < 2 or not all(values) or len(set(values)) < len(values):
        raise BadConfig(
            say("what varies is written NAME=VALUE,VALUE,… with different values, not “{text}”",
                text=text[:80])
        )  # fmt: skip
    return name.strip(), values


def chunks(study: Study) -> Iterator[Chunk]:
    """All jobs, the settings taking turns, so that they stop at about the same game."""
    number = 0
    sizes = [1 if careless(study, setting) is None else FAST for setting in study.settings]
    for start in range(0, study.games, FAST):
        for index, size in enumerate(sizes):
            for first in range(start, min(start + FAST, study.games), size):
                yield Chunk(number, index, first, min(size, study.games - first))
                number += 1


def careless(study: Study, setting: Setting) -> list[float] | None:
    """The share of random decisions of each player, if none of them does more than that.

    Such players follow the game's advice otherwise, and are played in a compiled loop.
    """
    found = []
    for name in setting.players:
        bot = parse(name, imports=True).make(study.rules)
        if type(bot) is RandomBot:
            found.append(1.0)
        elif type(bot) is SensibleBot:
            found.append(bot.epsilon)
        else:
            return None
    return found


def reproducible(study: Study) -> bool:
    """Whether no player thinks by the clock, as far as that can be told from its spec."""
    clocks = {"ms", "cpu"}
    return not any(clocks & parse(name, imports=True).settings.keys() for name in study.specs)
