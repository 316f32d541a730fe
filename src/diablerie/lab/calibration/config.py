"""The config of a calibration, which fixes its results: the first line of its file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

import diablerie
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.games import ALL
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.running.settings import check_players, check_seed, option_texts

FORMAT = 1  # of the file
MAX_GAMES = 1_000_000


class CalibrationConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which games are played and which positions are examined. Equal configs give equal results."""

    calibration: int  # the format of the file
    diablerie: str
    game: str
    version: int  # of the rules
    seats: tuple[int, ...]  # numbers of players, one after the other
    options: dict[str, str]
    players: tuple[str, ...]  # each seat gets one of them at random
    games: int
    positions: int  # of each game
    playouts: int  # from each position
    seed: int

    @property
    def rules(self) -> Game:
        """The game."""
        return ALL[self.game]


class CalibrationGame(NamedTuple):
    """A job: the game of this number, for so many players."""

    number: int
    seats: int


def calibration_config(
    game: str,
    players: Sequence[str],
    *,
    games: int = 1000,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    positions: int = 4,
    playouts: int = 100,
    seed: int = 1,
) -> CalibrationConfig:
    """A checked config. seats: a number of players; None for every number, in turn.

    Raises BadConfig, BadOption or BadSpec (all of them ValueErrors).
    """
    chosen: Game = diablerie.game_named(game)
    texts = option_texts(chosen, chosen.seats[0] if seats is None else seats, options or {})
    if not players:
        raise BadConfig(say("somebody has to play"))
    if not 1 <= games <= MAX_GAMES:
        raise BadConfig(
            say("a calibration has 1 to {most} games, not {games}", most=MAX_GAMES, games=games)
        )
    check_seed(seed)
    check_players(players)
    return CalibrationConfig(
        calibration=FORMAT,
        diablerie=diablerie.__version__,
        game=game,
        version=chosen.version,
        seats=chosen.seats if seats is None else (seats,),
        options=texts,
        players=tuple(players),
        games=games,
        positions=positions,
        playouts=playouts,
        seed=seed,
    )


def calibration_games(config: CalibrationConfig) -> Iterator[CalibrationGame]:
    """All jobs; the numbers of players take turns."""
    for number in range(config.games):
        yield CalibrationGame(number, config.seats[number % len(config.seats)])
