"""Training: a policy and a value learnt by self-play, measured against the game's advice.

For example:

    from diablerie.lab.train import train

    result = train("coals", seats=(2,), decisions=100_000)
    result.curve[-1].share
"""

from pathlib import Path
from typing import Any

from diablerie.lab.running.run import Progress, no_progress
from diablerie.lab.train.training import (
    Training,
    TrainingConfig,
    TrainingResult,
    TrainingStopped,
    policy_to_begin_with,
    training_config,
)

__all__ = ["TrainingConfig", "TrainingResult", "TrainingStopped", "train"]


def train(
    game: str,
    *,
    checkpoint: Path | None = None,
    out: Path | None = None,
    workers: int | None = None,
    progress: Progress = no_progress,
    **settings: Any,
) -> TrainingResult:
    """Learn a game by self-play, or to beat a bot.

    settings: see `learning.settings.TrainingSettings`; `begin` is the file of a policy or `own`.
    checkpoint: keeps what is needed to go on, and out is the policy's file; both are written at each
    evaluation. workers: the most threads, one if left out.

    Raises TrainingStopped after Ctrl-C, BadConfig, BadOption, BadSpec, BadPolicy and BadFile.
    """
    begin = policy_to_begin_with(game, settings.pop("begin", ""))
    config = training_config(game, begin, **settings)
    return Training(config, begin, checkpoint=checkpoint, out=out, workers=workers).run(progress)
