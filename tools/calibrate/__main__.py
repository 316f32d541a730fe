"""Check the win chances of replays against who wins: `python -m tools.calibrate GAME`."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from diablerie.arguments import Numbers, allow_own_bots
from diablerie.lab.cli import StudyRun
from diablerie.lab.command_options import (
    SHOW_DEFAULTS,
    file_option,
    json_option,
    settings_options,
    workers_option,
)
from diablerie.lab.running.run import data_output
from diablerie.lab.running.study import Results
from tools.calibrate.study import (
    CalibrationSettings,
    calibration,
    calibration_config,
    calibration_tables,
)


@click.command(context_settings=SHOW_DEFAULTS)
@click.argument("game")
@settings_options(CalibrationSettings)
@click.option(
    "--temperature",
    type=Numbers(0.1, 10),
    show_default="the game's",
    help="Divide the log-odds of the chances by this.",
)
@file_option("games")
@json_option
@workers_option("How many games to play at once.")
def calibrate(
    game: str,
    temperature: float | None,
    file: Path | None,
    as_json: bool,
    workers: int,
    **settings: Any,
) -> None:
    """Check the win chances of replays against who wins, in games between bots."""
    allow_own_bots()
    config = calibration_config(game, **settings)
    with data_output(as_json) as data:
        run = StudyRun(file, workers, "", data=data)
        run(partial(Results, calibration(temperature), config), calibration_tables)


def main() -> None:
    """Run the command; wrong input ends it with status 2 and one line."""
    try:
        calibrate()
    except (ValueError, OSError) as error:
        print(f"calibrate: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
