"""Simulations: many games of one setting, or of several to compare, and their statistics.

For example:

    from diablerie.lab.simulate import simulate

    summary = simulate("coals", players="sensible", games=10_000, vary={"mouth": ["0", "20"]})
    print(summary.settings[0].length.mean)
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Unpack

from diablerie.lab.running.results_file import check_writable
from diablerie.lab.running.run import Interrupted, RunOptions, run_study
from diablerie.lab.running.study import Results, Study
from diablerie.lab.simulate.parquet import pyarrow_module, write_games
from diablerie.lab.simulate.playing import (
    ChunkResult,
    SimulationConfig,
    is_sound,
    play_chunk,
    simulation_chunks,
    simulation_config,
    warm_settings,
)
from diablerie.lab.simulate.summary import (
    SimulationResults,
    SimulationSummary,
    game_columns,
    simulation_summary,
)

__all__ = ["Interrupted", "SimulationSummary", "simulate"]

SIMULATION = Study[SimulationConfig, ChunkResult, SimulationSummary](
    ChunkResult, simulation_chunks, warm_settings, play_chunk, is_sound, simulation_summary
)


def simulate(
    game: str,
    *,
    players: str = "sensible",
    games: int = 1000,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    vary: Mapping[str, Sequence[str]] | None = None,
    seed: int = 1,
    **run: Unpack[RunOptions],
) -> SimulationSummary:
    """Play games and return their statistics.

    players: one spec for all seats, or one for each side (separated by commas); these then take
    turns in the seats. vary: the values that "players", "seats" or an option takes; every
    combination is a setting of `games` games, compared with the first one. run: `file`, `workers`,
    `on` and `progress`, see `RunOptions`.

    Raises Interrupted after Ctrl-C, and the ValueErrors BadConfig, BadOption, BadSpec, BadFile,
    BotFailure, BadCluster and WorkersLost.
    """
    config = simulation_config(
        game, players, games=games, seats=seats, options=options, vary=vary, seed=seed
    )
    return run_study(partial(Results, SIMULATION, config), **run)


def kept_in(parquet: Path) -> Study[SimulationConfig, ChunkResult, SimulationSummary]:
    """A simulation that writes all its games to a Parquet file.

    Raises BadConfig without pyarrow, OSError if the file cannot be written.
    """
    pyarrow_module()  # fail now rather than after the games
    check_writable(parquet)

    def summary(results: SimulationResults, rate: float | None) -> SimulationSummary | None:
        write_games(results.config, game_columns(results), parquet)
        return simulation_summary(results, rate)

    return SIMULATION._replace(summary=summary)
