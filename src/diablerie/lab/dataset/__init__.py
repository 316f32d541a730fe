"""Data sets: the decisions of many games between bots, in a Parquet file.

For example:

    from diablerie.lab.dataset import dataset

    dataset("tails", "tails.parquet", players="sensible", games=1000)
"""

from collections.abc import Mapping
from pathlib import Path

from diablerie.lab.dataset.running import conduct
from diablerie.lab.jobs import Progress, silent
from diablerie.lab.simulate.config import study

__all__ = ["dataset"]


def dataset(
    game: str,
    out: str | Path,
    *,
    players: str = "sensible",
    games: int = 1000,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    seed: int = 1,
    file: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = silent,
) -> int:
    """Play games and write their decisions to `out`; the number of decisions.

    All but `out` is as for `simulate`; the columns are those of `writing.schema`. Ctrl-C raises
    Interrupted and writes nothing, but `file` keeps the games.

    Raises ValueErrors: BadConfig, BadOption, BadSpec, BadFile, BotFailure, BadCluster, WorkersLost.
    """
    chosen = study(game, players, games=games, seats=seats, options=options or {},
                   vary={}, seed=seed)  # fmt: skip
    return conduct(chosen, Path(out), file=file, workers=workers, on=on, progress=progress)
