"""The command that makes a list of daily challenges."""

from datetime import UTC, datetime
from pathlib import Path

import click

from diablerie.lab.cli.options import (
    FILE,
    MANY,
    SHOW_DEFAULTS,
    file_option,
    seed_option,
    workers_options,
)


@click.command(context_settings=SHOW_DEFAULTS)
@click.argument("out", metavar="FILE", type=FILE)
@click.option(
    "--days", type=click.IntRange(14, 3660), default=365, help="How many challenges to list."
)
@click.option(
    "--from",
    "first",
    type=click.DateTime(["%Y-%m-%d"]),
    show_default="today, UTC",
    help="The day of the first challenge.",
)
@click.option(
    "--games",
    default="",
    metavar="NAME[,NAME…]",
    show_default="diablerie's own",
    help="Games in the order in which they take turns; names may repeat.",
)
@click.option(
    "--without", default="", metavar="NAME[,NAME…]", help="Leave these games out of the list."
)
@click.option(
    "--playouts", type=MANY, default=800, help="Games to play on after each action of a challenge."
)
@seed_option
@file_option("what was found")
@workers_options()
def daily(
    out: Path,
    days: int,
    first: datetime | None,
    games: str,
    without: str,
    playouts: int,
    seed: int,
    file: Path | None,
    workers: int | None,
    on: str,
) -> None:
    """Make a list of daily challenges.

    These are positions with one clearly best action.
    """
    from diablerie.daily.calendar import list_text
    from diablerie.lab.daily.report import daily_tables
    from diablerie.lab.daily.study import DailySearch, daily_config
    from diablerie.lab.running.errors import write_whole
    from diablerie.lab.running.results_file import check_writable

    check_writable(out)
    config = daily_config(seed, tuple(filter(None, games.split(","))), playouts)
    study = DailySearch(config, file, days=days, without=without.split(","))
    summary = study.run_command(workers, on, daily_tables)
    begin = (first or datetime.now(UTC)).date()
    write_whole(out, list_text(begin, summary.days, seed))
    print(f"{out}: {len(summary.days)} days from {begin}, {out.stat().st_size:,} bytes")
