"""The config of a calibration: all that fixes its results, and the first line of its file."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

import diablerie
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.lab.config import check_player
from diablerie.lab.errors import BadConfig

FORMAT = 1  # of the file
MOST = 1_000_000  # games
POSITIONS = 4  # of a game that are looked at
PLAYOUTS = 100  # games played on from each


class Sampling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is played and looked at. Equal configs give equal results."""

    calibration: int  # the format of the file
    diablerie: str
    game: str
    version: int  # of the rules
    seats: tuple[int, ...]  # numbers of players, one after the other
    options: dict[str, str]
    players: tuple[str, ...]  # who sit down anywhere, by lot
    games: int
    positions: int  # of each game
    playouts: int  # from each position
    seed: int

    @property
    def rules(self) -> Game:
        """The game."""
        found: Game = diablerie.game_named(self.game)
        return found


class Played(NamedTuple):
    """A job: the game of this number, for so many players."""

    number: int
    seats: int


def sampling(
    game: str,
    players: Sequence[str],
    *,
    games: int,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    positions: int = POSITIONS,
    playouts: int = PLAYOUTS,
    seed: int = 1,
) -> Sampling:
    """A config, checked. Raises BadConfig, BadOption or BadSpec (all of them ValueErrors)."""
    chosen: Game = diablerie.game_named(game)
    settled = chosen.settled(chosen.seats[0] if seats is None else seats, options or {})
    if not players:
        raise BadConfig(say("somebody has to play"))
    if not 1 <= games <= MOST:
        raise BadConfig(
            say("a calibration has 1 to {most} games, not {games}", most=MOST, games=games)
        )
    if not 0 <= seed < 2**63:
        raise BadConfig(say("a seed is a whole number from 0 to 2^63-1, not {seed}", seed=seed))
    for name in players:
        check_player(name)
    return Sampling(
        calibration=FORMAT,
        diablerie=diablerie.__version__,
        game=game,
        version=chosen.version,
        seats=chosen.seats if seats is None else (seats,),
        options={o.name: o.format(settled[o.name]) for o in chosen.options},
        players=tuple(players),
        games=games,
        positions=positions,
        playouts=playouts,
        seed=seed,
    )


def jobs(config: Sampling) -> Iterator[Played]:
    """The games, the numbers of players taking turns."""
    for number in range(config.games):
        yield Played(number, config.seats[number % len(config.seats)])
