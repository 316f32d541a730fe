"""Data sets: the decisions of many games between bots, in a Parquet file.

For example:

    from diablerie.lab.dataset import dataset

    dataset("tails", "tails.parquet", players="sensible", games=1000)
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

from diablerie.lab.dataset.study import DecisionDataset
from diablerie.lab.running.study import RunOptions
from diablerie.lab.simulate.config import simulation_config

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
    **run: Unpack[RunOptions],
) -> int:
    """Play games and write their decisions to the Parquet file `out`; return their number.

    `writing.schema` lists the columns; all parameters but `out` are those of `simulate`.

    Raises Interrupted after Ctrl-C (then `out` is not written, but the results file keeps the
    games), and the ValueErrors BadConfig, BadOption, BadSpec, BadFile, BotFailure, BadCluster and
    WorkersLost.
    """
    config = simulation_config(game, players, games=games, seats=seats, options=options, seed=seed)
    return DecisionDataset.conduct(config, more={"out": Path(out)}, **run)
