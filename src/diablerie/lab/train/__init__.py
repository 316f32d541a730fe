"""Training: a policy and a value learnt by self-play, measured against the game's advice.

For example:

    from diablerie.lab.train import train

    result = train("coals", seats=(2,), decisions=100_000)
    result.curve[-1].share
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diablerie.lab.running.terminal import Progress, no_progress
from diablerie.lab.train.config import (
    PolicyTrainingConfig,
    policy_to_begin_with,
    policy_training_config,
)
from diablerie.lab.train.training import PolicyTraining, PolicyTrainingResult, TrainingStopped

__all__ = ["PolicyTrainingConfig", "PolicyTrainingResult", "TrainingStopped", "train"]


def train(
    game: str,
    *,
    seats: tuple[int, ...] = (),
    options: Mapping[str, str] | None = None,
    looks: int = 10,
    games: int = 1000,
    against: str = "",
    begin: str = "",
    best: bool = False,
    file: Path | None = None,
    out: Path | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
    **settings: Any,
) -> PolicyTrainingResult:
    """Learn a game by self-play at tables of these sizes in turn (default: the least).

    looks: how often it is measured on the way, in so many games against the game's advice. against:
    the spec of a bot, for an exploiter: bots have all other seats in the games it learns from, or
    in the setting `share` of them, 0.5 at all sizes of tables or a tuple with one number for each,
    and it is measured against them. begin: a file of a policy to begin with, or `own` for the one
    that comes with the game. best: the policy of the best look is kept, not that of the last; the
    best wins most at the size of table where it wins least, counted in fair shares. file: keeps
    what is needed to go on, and out is the policy's file; both are written at each look.
    settings: see `learning.settings.LearnerSettings`.

    workers: the most threads, one if left out.

    Raises TrainingStopped after Ctrl-C, BadConfig, BadOption, BadSpec, BadPolicy and BadFile.
    """
    first = policy_to_begin_with(game, begin)
    config = policy_training_config(
        game,
        seats=seats,
        options=options or {},
        looks=looks,
        games=games,
        against=against,
        begin=first,
        best=best,
        **settings,
    )
    training = PolicyTraining(config, begin=first, file=file, out=out, workers=workers)
    return training.run(progress)
