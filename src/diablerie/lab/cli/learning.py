"""The command `train`, which learns policies."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from diablerie.arguments import pairs
from diablerie.lab.cli.options import (
    FILE,
    MANY,
    SHOW_DEFAULTS,
    allow_own_bots,
    command_line,
    file_option,
    game_options,
    games_option,
    report_option,
    seed_option,
    workers_option,
)

T = TypeVar("T")


@click.command(context_settings=SHOW_DEFAULTS)
@click.argument("game")
@click.option(
    "--seats",
    default="",
    metavar="N[,N…]",
    help="Sizes of tables, played in turn; the smallest if left out. A size may be repeated.",
)
@game_options
@click.option("--decisions", type=MANY, default=20_000_000, help="Decisions to learn from.")
@click.option("--entropy", type=float, default=0.01, help="The weight of the policy's entropy.")
@click.option(
    "--rate", type=float, default=1e-3, help="The learning rate, which falls to a twentieth."
)
@click.option("--lambda", "trace", type=float, default=0.9, help="The λ of the advantages.")
@click.option("--wide", type=MANY, default=64, help="Units of the first layer.")
@click.option("--narrow", type=MANY, default=64, help="Units of the second layer.")
@click.option(
    "--against",
    default="",
    metavar="SPEC",
    help="Learn to beat this bot, which has all other seats, instead of self-play.",
)
@click.option(
    "--share",
    default="1",
    metavar="SHARE[,SHARE…]",
    help="The share of games against this bot, at all sizes of tables or at each; the others are"
    " self-play.",
)
@click.option(
    "--begin",
    default="",
    metavar="FILE",
    help="Begin with the policy of this file; own: with the game's.",
)
@click.option(
    "--looks", type=MANY, default=10, help="How often to measure the policy while it learns."
)
@click.option(
    "--best",
    is_flag=True,
    help="Keep the policy that won most when it was measured, not the last one.",
)
@games_option(1000, "Games per measurement and number of seats.")
@seed_option
@file_option("the training")
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="The file for the policy; GAME.policy.json if left out.",
)
@workers_option("How many threads learn.")
@report_option
def train(
    game: str,
    seats: str,
    options: tuple[str, ...],
    begin: str,
    share: str,
    file: Path | None,
    out: Path | None,
    workers: int | None,
    report: Path | None,
    **settings: Any,
) -> None:
    """Learn to play a game, by self-play or against a bot.

    The bot net:file=FILE plays by the result.
    """
    from rich.console import Console

    from diablerie.lab.running.terminal import print_interruption, print_summary, show_progress
    from diablerie.lab.train.config import policy_to_begin_with, policy_training_config
    from diablerie.lab.train.report import policy_page, policy_tables
    from diablerie.lab.train.training import PolicyTraining, TrainingStopped

    allow_own_bots()
    tables, first = numbers(seats, "--seats", int), policy_to_begin_with(game, begin)
    config = policy_training_config(
        game,
        seats=tables,
        options=pairs(options),
        begin=first,
        share=numbers(share, "--share", float),
        **settings,
    )
    out, err = out or Path(f"{game}.policy.json"), Console(stderr=True)
    training = PolicyTraining(
        config,
        begin=first,
        file=file,
        out=out,
        workers=workers,
        command=command_line(),
        page=report,
        draw=policy_page,
    )
    try:
        with show_progress(err, training.status, "decisions") as progress:
            result = training.run(progress)
    except TrainingStopped as early:
        print_summary(early.summary, policy_tables)
        print_interruption(err, early, file)
        sys.exit(130)
    print_summary(result, policy_tables)
    print(f"Saved {out} ({out.stat().st_size:,} bytes); the bot net:file={out} plays by it.")


def numbers(text: str, option: str, kind: Callable[[str], T]) -> tuple[T, ...]:
    """Numbers of a kind separated by commas. Raises click.BadParameter."""
    try:
        return tuple(kind(part) for part in text.split(",") if part)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no list of numbers", param_hint=option) from error
