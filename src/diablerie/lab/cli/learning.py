"""The command `train`, which learns policies."""

from pathlib import Path
from typing import Any

import click

from diablerie.arguments import allow_own_bots
from diablerie.lab.cli.command_options import (
    FILE_PATH,
    SHOW_DEFAULTS,
    command_line,
    report_option,
    settings_options,
    workers_option,
)
from diablerie.learning.settings import TrainingSettings


@click.command(context_settings=SHOW_DEFAULTS)
@click.argument("game")
@settings_options(TrainingSettings)
@click.option(
    "--checkpoint", type=FILE_PATH, help="Save the training here; the same command continues it."
)
@click.option(
    "--out", type=FILE_PATH, help="The file for the policy; GAME.policy.json if left out."
)
@workers_option("How many threads learn.")
@report_option
def train(
    game: str,
    begin: str,
    checkpoint: Path | None,
    out: Path | None,
    workers: int | None,
    report: Path | None,
    **settings: Any,
) -> None:
    """Learn to play a game, by self-play or against a bot.

    The bot net:file=FILE plays by the result.
    """
    from rich.console import Console

    from diablerie.lab.running.terminal import end_early, print_summary, show_progress
    from diablerie.lab.train.config import policy_to_begin_with, training_config
    from diablerie.lab.train.report import training_page, training_tables
    from diablerie.lab.train.training import Training, TrainingStopped

    allow_own_bots()
    out = out or Path(f"{game}.policy.json")
    err = Console(stderr=True)
    first = policy_to_begin_with(game, begin)
    training = Training(
        training_config(game, first, **settings),
        first,
        checkpoint=checkpoint,
        out=out,
        workers=workers,
        command=command_line(),
        page=report,
        draw=training_page,
    )
    try:
        with show_progress(err, training.status, "decisions") as progress:
            result = training.run(progress)
    except TrainingStopped as early:
        print_summary(early.summary, training_tables)
        end_early(err, early, checkpoint, "--checkpoint would have kept it")
    print_summary(result, training_tables)
    print(f"Saved {out} ({out.stat().st_size:,} bytes); the bot net:file={out} plays by it.")
