"""The config of a training: generations of games, and the chunks that workers play."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import diablerie
from diablerie.engine.game import Game
from diablerie.lab.running.settings import StudyConfig, check_bounds, option_texts, origin
from diablerie.values.value_model import UNITS
from diablerie.values.weights_file import feature_names

FORMAT = 1  # of the results file
CHUNK_GAMES = 20
MAX_GAMES, MAX_GENERATIONS, MAX_ITERATIONS = 10_000_000, 200, 100_000


class TrainingConfig(StudyConfig, frozen=True):
    """Everything that fixes the learnt weights: the first line of the results file."""

    training: int  # the format of the file
    entries: tuple[str, ...]  # the network's inputs, see `values.weights_file.feature_names`
    seats: tuple[int, ...]
    options: dict[str, str]
    generations: int
    games: int  # of a generation, with each number of seats
    iterations: int  # of a search, from the second generation on; 0: follow the game's advice
    careless: float  # the share of random decisions
    fade: float  # λ, from the second generation on
    units: int
    seed: int


class TrainingChunk(NamedTuple):
    """A job: games of one generation with so many seats, from number `first` on."""

    number: int
    generation: int
    seats: int
    first: int
    games: int


def training_config(
    game: str,
    *,
    generations: int,
    games: int,
    iterations: int,
    careless: float,
    fade: float,
    units: int,
    seed: int,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
) -> TrainingConfig:
    """A checked config; see `train` for the parameters.

    Raises BadConfig or BadOption (both of them ValueErrors).
    """
    chosen: Game = diablerie.game_named(game)
    for value, low, high, what in (
        (generations, 1, MAX_GENERATIONS, "generations"),
        (games, 1, MAX_GAMES, "games"),
        (iterations, 0, MAX_ITERATIONS, "iterations"),
        (careless, 0.0, 1.0, "careless"),
        (fade, 0.0, 1.0, "lambda"),
        (units, 0, UNITS, "units"),
        (seed, 0, 2**63 - 1, "seed"),
    ):
        check_bounds(what, value, low, high)
    counts = tuple(chosen.seats) if seats is None else (seats,)
    return TrainingConfig(
        **origin(chosen),
        training=FORMAT,
        entries=feature_names(chosen),
        seats=counts,
        options=option_texts(chosen, counts[0], options or {}),
        generations=generations,
        games=games,
        iterations=iterations,
        careless=float(careless),
        fade=float(fade),
        units=units,
        seed=seed,
    )


def training_chunks(config: TrainingConfig) -> Iterator[TrainingChunk]:
    """All jobs, generation by generation."""
    number = 0
    for generation in range(config.generations):
        for first in range(0, config.games, CHUNK_GAMES):
            for seats in config.seats:
                n = min(CHUNK_GAMES, config.games - first)
                yield TrainingChunk(number, generation, seats, first, n)
                number += 1
