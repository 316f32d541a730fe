"""Simulation: many games of one kind, or of several to compare, and what they say.

For example:

    from diablerie.lab.simulate import simulate

    found = simulate("coals", players="sensible", games=10_000, vary={"mouth": ["0", "20"]})
    print(found.settings[0].length.mean)
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from diablerie.lab.jobs import Progress, silent
from diablerie.lab.simulate.config import study
from diablerie.lab.simulate.running import Interrupted, conduct
from diablerie.lab.simulate.summary import Summary

__all__ = ["Interrupted", "Summary", "simulate"]


def simulate(
    game: str,
    *,
    players: str = "sensible",
    games: int = 1000,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    vary: Mapping[str, Sequence[str]] | None = None,
    seed: int = 1,
    file: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = silent,
) -> Summary:
    """Play games and say how they went.

    `players` is one spec for all seats, or one for each side (separated by commas), which then
    take turns in the seats. `vary` has the values that "players", "seats" or an option takes;
    every combination is a setting of `games` games, compared with the first one. `file`,
    `workers`, `on` and `progress` are as for tournaments. Ctrl-C raises Interrupted.

    Raises ValueErrors: BadConfig, BadOption, BadSpec, BadFile, BotFailure, BadCluster, WorkersLost.
    """
    chosen = study(game, players, games=games, seats=seats, options=options or {},
                   vary=vary or {}, seed=seed)  # fmt: skip
    return conduct(chosen, file=file, workers=workers, on=on, progress=progress)
