"""Training: values learnt by self-play, in generations of games.

For example:

    from diablerie.lab.train import train

    found = train("coals", seats=2, generations=4, games=1000)
    found.learnt.weights(2)
"""

from collections.abc import Mapping
from pathlib import Path

from diablerie.lab.jobs import Progress, silent
from diablerie.lab.train.config import training
from diablerie.lab.train.running import Interrupted, Trained, conduct

__all__ = ["Interrupted", "Trained", "train"]


def train(
    game: str,
    *,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    generations: int = 6,
    games: int = 2000,
    iterations: int = 60,
    careless: float = 0.1,
    fade: float = 0.9,
    units: int = 16,
    seed: int = 1,
    file: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = silent,
) -> Trained:
    """Learn what positions of a game are worth, with so many seats or with every number of them.

    In every generation so many games are played with each number of seats: in the first after the
    game's advice, then by searches of so many iterations that judge by what was learnt before.
    `careless` is the share of random decisions, `fade` the λ of TD(λ). What positions turned out
    to be worth is fitted by a network of so many units beside a linear part. `file`, `workers`,
    `on` and `progress` are as for tournaments. Ctrl-C raises Interrupted.

    Raises ValueErrors: BadConfig, BadOption, BadFile, BotFailure, BadCluster, WorkersLost.
    """
    config = training(game, seats=seats, options=options or {}, generations=generations,
                      games=games, iterations=iterations, careless=careless, fade=fade,
                      units=units, seed=seed)  # fmt: skip
    return conduct(config, file=file, workers=workers, on=on, progress=progress)
