"""The config of a training: generations of games, and the chunks of games they are played in."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

import diablerie
from diablerie.engine.game import Game
from diablerie.engine.judging import UNITS
from diablerie.engine.text import say
from diablerie.lab.errors import BadConfig

FORMAT = 1  # of the file of games
CHUNK = 20  # games
MOST_GAMES, MOST_GENERATIONS, MOST_ITERATIONS = 10_000_000, 200, 100_000


class Training(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that fixes what is learnt: the first line of the file of games."""

    training: int  # the format of the file
    diablerie: str
    game: str
    version: int  # of the rules
    entries: tuple[str, ...]  # what is weighed, see `engine.learnt.names`
    seats: tuple[int, ...]
    options: dict[str, str]
    generations: int
    games: int  # of a generation, with each number of seats
    iterations: int  # of a search, from the second generation on; 0: advice is followed
    careless: float  # the share of random decisions
    fade: float  # λ, from the second generation on
    units: int
    seed: int

    @property
    def rules(self) -> Game:
        """The game."""
        found: Game = diablerie.game_named(self.game)
        return found


class Chunk(NamedTuple):
    """A job: games of one generation with so many seats, from number `first` on."""

    number: int
    generation: int
    seats: int
    first: int
    games: int


def training(
    game: str,
    *,
    seats: int | None = None,
    options: Mapping[str, str],
    generations: int,
    games: int,
    iterations: int,
    careless: float,
    fade: float,
    units: int,
    seed: int,
) -> Training:
    """A config, checked. Raises BadConfig or BadOption (both of them ValueErrors)."""
    from diablerie.engine.learnt import names

    chosen: Game = diablerie.game_named(game)
    for value, low, high, what in (
        (generations, 1, MOST_GENERATIONS, "generations"),
        (games, 1, MOST_GAMES, "games"),
        (iterations, 0, MOST_ITERATIONS, "iterations"),
        (careless, 0.0, 1.0, "careless"),
        (fade, 0.0, 1.0, "lambda"),
        (units, 0, UNITS, "units"),
        (seed, 0, 2**63 - 1, "seed"),
    ):
        if not low <= value <= high:
            raise BadConfig(say("{what} is {low} to {high}, not {value}", what=what, low=low,
                                high=high, value=value))  # fmt: skip
    counts = chosen.seats if seats is None else (seats,)
    settled = next(chosen.settled(n, options) for n in counts)
    texts = {o.name: o.format(settled[o.name]) for o in chosen.options}
    return Training(FORMAT, diablerie.__version__, game, chosen.version, names(chosen),
                    tuple(counts), texts, generations, games, iterations, float(careless),
                    float(fade), units, seed)  # fmt: skip


def chunks(config: Training) -> Iterator[Chunk]:
    """All jobs, generation by generation."""
    number = 0
    for generation in range(config.generations):
        for first in range(0, config.games, CHUNK):
            for seats in config.seats:
                n = min(CHUNK, config.games - first)
                yield Chunk(number, generation, seats, first, n)
                number += 1
