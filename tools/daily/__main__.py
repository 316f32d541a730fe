"""Make a list of daily challenges: `python -m tools.daily FILE`. docs/daily.md says more."""

import os
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from diablerie.engine.files import write_whole
from diablerie.lab.cli import StudyRun
from diablerie.lab.command_options import (
    AT_LEAST_ONE,
    FILE_PATH,
    SHOW_DEFAULTS,
    file_option,
    seed_option,
)
from diablerie.lab.running.study import check_writable
from tools.daily.promises import list_text
from tools.daily.study import PLAYOUTS, DailySearch, daily_config, daily_tables


@click.command(context_settings=SHOW_DEFAULTS)
@click.argument("out", metavar="FILE", type=FILE_PATH)
@click.option("--days", type=AT_LEAST_ONE, default=365, help="How many challenges to list.")
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
    "--playouts",
    type=AT_LEAST_ONE,
    default=PLAYOUTS,
    help="Games to play on after each action of a challenge.",
)
@seed_option
@file_option("what was found")
@click.option(
    "--workers",
    type=AT_LEAST_ONE,
    default=os.cpu_count() or 1,
    show_default="all cores",
    help="How many games to play at once.",
)
def main(
    out: Path,
    days: int,
    first: datetime | None,
    games: str,
    without: str,
    playouts: int,
    seed: int,
    file: Path | None,
    workers: int,
) -> None:
    """Make a list of daily challenges: positions with one clearly best action."""
    check_writable(out)
    config = daily_config(seed, tuple(filter(None, games.split(","))), playouts)
    search = partial(DailySearch, config, days=days, without=without.split(","))
    summary = StudyRun(file, workers, "")(search, daily_tables)
    begin = (first or datetime.now(UTC)).date()
    write_whole(out, list_text(begin, summary.days, seed))
    print(f"{out}: {len(summary.days)} days from {begin}, {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
