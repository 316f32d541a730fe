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
from diablerie.lab.train.config import PolicyTrainingConfig, policy_training_config
from diablerie.lab.train.training import PolicyTraining, PolicyTrainingResult, TrainingStopped

__all__ = ["PolicyTrainingConfig", "PolicyTrainingResult", "TrainingStopped", "train"]


def train(
    game: str,
    *,
    seats: tuple[int, ...] = (),
    options: Mapping[str, str] | None = None,
    looks: int = 10,
    games: int = 1000,
    file: Path | None = None,
    out: Path | None = None,
    workers: int = 1,
    progress: Progress = no_progress,
    **settings: Any,
) -> PolicyTrainingResult:
    """Learn a game by self-play at tables of these sizes in turn (default: the least).

    looks: how often it is measured on the way, in so many games against the game's advice. file:
    keeps what is needed to go on, and out is the policy's file; both are written at each look.
    settings: see `learning.learner.LearnerSettings`.

    Raises TrainingStopped after Ctrl-C, BadConfig, BadOption and BadFile.
    """
    config = policy_training_config(
        game, seats=seats, options=options or {}, looks=looks, games=games, **settings
    )
    return PolicyTraining(config, file=file, out=out, workers=workers).run(progress)
