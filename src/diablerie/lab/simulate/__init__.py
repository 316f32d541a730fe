"""Simulations: many games of one setting, or of several to compare, and their statistics.

For example:

    from diablerie.lab.simulate import simulate

    summary = simulate("coals", players="sensible", games=10_000, vary={"mouth": ["0", "20"]})
    print(summary.settings[0].length.mean)
"""

from collections.abc import Mapping, Sequence
from typing import Unpack

from diablerie.lab.running.study import Interrupted, RunOptions
from diablerie.lab.simulate.config import simulation_config
from diablerie.lab.simulate.study import Simulation
from diablerie.lab.simulate.summary import SimulationSummary

__all__ = ["Interrupted", "SimulationSummary", "simulate"]


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
    return Simulation.conduct(config, **run)
