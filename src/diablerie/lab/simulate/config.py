"""The config of a simulation: its settings, and the chunks of games that workers play."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import msgspec

import diablerie
from diablerie.bots.basic import RandomBot, SensibleBot
from diablerie.bots.spec import parse_bot
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.running.settings import (
    StudyConfig,
    check_games,
    check_players,
    check_seed,
    option_texts,
    origin,
    split_specs,
)

FORMAT = 1  # of the file
MAX_GAMES, MAX_SETTINGS = 100_000_000, 48
COMPILED_CHUNK = 500  # games of a chunk that one compiled loop plays


class SimulationSetting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a set of games has in common. players: one spec, or one for each side."""

    label: str  # the values that vary between settings, "" if nothing does
    seats: int
    options: dict[str, str]
    players: tuple[str, ...]


class SimulationConfig(StudyConfig, frozen=True):
    """Everything that fixes the results of a simulation: the first line of its file."""

    simulation: int  # the format of the file
    settings: tuple[SimulationSetting, ...]
    games: int  # of each setting
    seed: int

    @property
    def specs(self) -> tuple[str, ...]:
        """The players of all settings."""
        return tuple({name: None for setting in self.settings for name in setting.players})


class SimulationChunk(NamedTuple):
    """A job: the games of one setting from number `first` on."""

    number: int
    setting: int
    first: int
    games: int


def simulation_config(
    game: str,
    players: str = "sensible",
    *,
    games: int = 1000,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    vary: Mapping[str, Sequence[str]] | None = None,
    seed: int = 1,
) -> SimulationConfig:
    """A checked config; see `simulate` for the parameters.

    Raises BadConfig, BadOption or BadSpec (all of them ValueErrors).
    """
    chosen: Game = diablerie.game_named(game)
    check_games(games, MAX_GAMES)
    check_seed(seed)
    vary = vary or {}
    common = {"players": players, **(options or {})}
    if seats is not None:
        common["seats"] = str(seats)
    settings = tuple(
        _setting(chosen, common, dict(zip(vary, values, strict=True)))
        for values in product(*vary.values())
    )
    if not 1 <= len(settings) <= MAX_SETTINGS:
        raise BadConfig(say("1 to {most} settings, not {n}", most=MAX_SETTINGS, n=len(settings)))
    return SimulationConfig(
        **origin(chosen), simulation=FORMAT, settings=settings, games=games, seed=seed
    )


def _setting(game: Game, common: Mapping[str, str], varied: Mapping[str, str]) -> SimulationSetting:
    values = {**common, **varied}
    players = split_specs(values.pop("players"))
    text = values.pop("seats", str(game.seats[0]))
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise BadConfig(say("seats are a number, not “{text}”", text=text[:40]))
    seats = int(text)
    texts = option_texts(game, seats, values)
    sides = len(set(game.teams(seats)))
    if len(players) not in (1, sides):
        raise BadConfig(
            say(
                "name one player for all seats, or one for each of {sides} sides, not {n}",
                sides=sides,
                n=len(players),
            )
        )
    check_players(players)
    label = ", ".join(f"{name} {value}" for name, value in varied.items())
    return SimulationSetting(label, seats, texts, players)


def parse_variation(text: str) -> tuple[str, list[str]]:
    """The name and the values of `NAME=A,B,C`, or of `NAME=A|B|C`, where values have commas.

    Raises BadConfig for anything else.
    """
    name, equals, rest = text.partition("=")
    if name.strip() == "players" and "|" not in rest:
        values = list(split_specs(rest))
    else:
        values = [value.strip() for value in re.split(r"\|" if "|" in rest else ",", rest)]
    if not equals or len(values) < 2 or not all(values) or len(set(values)) < len(values):
        raise BadConfig(
            say(
                "what varies is written NAME=VALUE,VALUE,… with different values, not “{text}”",
                text=text[:80],
            )
        )
    return name.strip(), values


def simulation_chunks(config: SimulationConfig) -> Iterator[SimulationChunk]:
    """All jobs. The settings take turns, so that an interrupted run has as many games of each."""
    number = 0
    compiled = [epsilons_if_compiled(config, one) is not None for one in config.settings]
    sizes = [COMPILED_CHUNK if one else 1 for one in compiled]
    for start in range(0, config.games, COMPILED_CHUNK):
        for index, size in enumerate(sizes):
            for first in range(start, min(start + COMPILED_CHUNK, config.games), size):
                yield SimulationChunk(number, index, first, min(size, config.games - first))
                number += 1


def epsilons_if_compiled(
    config: SimulationConfig, setting: SimulationSetting
) -> list[float] | None:
    """The share of random decisions of each player; None if a player needs its own Python code.

    Players that follow the game's advice but for random decisions are played in a compiled loop.
    """
    epsilons = []
    for name in setting.players:
        bot = parse_bot(name, imports=True).make(config.rules)
        if type(bot) is RandomBot:
            epsilons.append(1.0)
        elif type(bot) is SensibleBot:
            epsilons.append(bot.epsilon)
        else:
            return None
    return epsilons


def is_reproducible(config: SimulationConfig) -> bool:
    """Whether no player thinks by the clock, as far as its spec shows."""
    clocks = {"ms", "cpu"}
    return not any(clocks & parse_bot(name, imports=True).settings.keys() for name in config.specs)
