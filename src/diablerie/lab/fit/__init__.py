"""Training: values of positions, learnt by self-play in generations of games.

For example:

    from diablerie.lab.fit import fit_values

    result = fit_values("coals", seats=2, generations=4, games=1000)
    result.learnt.weights(2)
"""

from collections.abc import Mapping
from typing import Unpack

from diablerie.lab.fit.config import training_config
from diablerie.lab.fit.study import Training, TrainingResult
from diablerie.lab.running.study import Interrupted, RunOptions

__all__ = ["Interrupted", "TrainingResult", "fit_values"]


def fit_values(
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
    **run: Unpack[RunOptions],
) -> TrainingResult:
    """Learn the values of positions of a game, for one number of seats or for every number.

    Each generation plays `games` games with each number of seats: the first follows the game's
    advice, later ones search with so many `iterations` and judge positions by the weights of the
    generation before. careless: the share of random decisions (epsilon). fade: the λ of the
    λ-returns. units: of the network's hidden layer, beside its linear part. run: `file`, `workers`,
    `on` and `progress`, see `RunOptions`.

    Raises Interrupted after Ctrl-C, and the ValueErrors BadConfig, BadOption, BadFile, BotFailure,
    BadCluster and WorkersLost.
    """
    config = training_config(
        game,
        seats=seats,
        options=options,
        generations=generations,
        games=games,
        iterations=iterations,
        careless=careless,
        fade=fade,
        units=units,
        seed=seed,
    )
    return Training.conduct(config, **run)
