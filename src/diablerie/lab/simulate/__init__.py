"""Simulations: many games of one setting, or of several to compare, and their statistics.

For example:

    from diablerie.lab.simulate import simulate

    summary = simulate("coals", players="sensible", games=10_000, vary={"mouth": ["0", "20"]})
    print(summary.settings[0].length.mean)
"""

from functools import partial
from typing import Any

from diablerie.lab.running.run import Interrupted, run_options, run_study
from diablerie.lab.running.study import Results, Study
from diablerie.lab.simulate.playing import (
    ChunkResult,
    SimulationConfig,
    is_sound_chunk,
    play_chunk,
    simulation_chunks,
    simulation_config,
    warm_settings,
)
from diablerie.lab.simulate.summary import SimulationSummary, simulation_summary

__all__ = ["Interrupted", "SimulationSummary", "simulate"]

SIMULATION = Study[SimulationConfig, ChunkResult, SimulationSummary](
    ChunkResult, simulation_chunks, warm_settings, play_chunk, is_sound_chunk, simulation_summary
)


def simulate(game: str, **given: Any) -> SimulationSummary:
    """Play games and return their statistics.

    given: settings, see `SimulationSettings`, and `file`, `workers`, `on` and `progress`,
    see `RunOptions`.

    Raises Interrupted after Ctrl-C, and the ValueErrors BadConfig, BadOption, BadSpec, BadFile,
    BotFailure, BadCluster and WorkersLost.
    """
    run = run_options(given)
    return run_study(partial(Results, SIMULATION, simulation_config(game, **given)), **run)
