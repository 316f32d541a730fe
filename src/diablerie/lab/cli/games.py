"""Commands that let bots play many games: tournaments, simulation, data sets, calibration."""

from pathlib import Path
from typing import Any

import click

from diablerie.arguments import about_a_game
from diablerie.lab.cli.options import (
    FILE,
    FOLDER,
    StudyRun,
    file_option,
    games_option,
    json_option,
    players_option,
    report_option,
    seed_option,
    study_command,
)


@study_command(
    about_a_game,
    players_option("Bots: random, sensible, … or module:Class of your own.", required=True),
    games_option(
        None,
        "Games for each pairing; at mixed tables, in total.",
        show_default="100, for a test 20000",
    ),
    seed_option,
    click.option(
        "--mixed/--pairings",
        default=None,
        help="Play at mixed tables, or every pairing; the game decides if left out.",
    ),
    file_option("results"),
    click.option(
        "--keep",
        type=FOLDER,
        metavar="FOLDER",
        help="Save every game in this folder, as a match file.",
    ),
    json_option,
    report_option,
    click.option(
        "--sprt",
        metavar="LOW,HIGH",
        help="Play until it is clear whether the first player is stronger than the second "
        "by HIGH Elo rather than by LOW.",
    ),
    click.option("--alpha", type=float, help="How often HIGH may be accepted by mistake (0.05)."),
    click.option("--beta", type=float, help="How often LOW may be accepted by mistake (0.05)."),
)
def tournament(
    run: StudyRun,
    players: str,
    games: int | None,
    keep: Path | None,
    sprt: str | None,
    alpha: float | None,
    beta: float | None,
    **settings: Any,
) -> None:
    """Let bots play each other, and rate them or test one.

    Ratings have intervals; --sprt tests the first player against the second.
    """
    from diablerie.lab.running.settings import split_specs
    from diablerie.lab.tournament.config import tournament_config
    from diablerie.lab.tournament.report import tournament_page, tournament_tables
    from diablerie.lab.tournament.study import Tournament, parse_sprt

    games = games or (20_000 if sprt else 100)
    config = tournament_config(players=split_specs(players), games=games, **settings)
    test = parse_sprt(config, sprt, alpha, beta) if sprt else None
    run(Tournament(config, run.file, keep=keep, test=test), tournament_tables, tournament_page)


@study_command(
    about_a_game,
    players_option("One bot for all seats, or one for each side.", default="sensible"),
    games_option(1000, "Games for each setting."),
    click.option(
        "--vary",
        multiple=True,
        metavar="NAME=A,B,…",
        help="Compare values of an option, of players or of seats; may be repeated.",
    ),
    seed_option,
    file_option("results"),
    json_option,
    click.option("--parquet", type=FILE, help="Write all games to this file, one row per game."),
    report_option,
)
def simulate(run: StudyRun, vary: tuple[str, ...], parquet: Path | None, **settings: Any) -> None:
    """Play many games; report length, fairness and endings.

    With --vary, also what an option changes.
    """
    from diablerie.lab.simulate.config import parse_variation, simulation_config
    from diablerie.lab.simulate.report import simulation_page, simulation_tables
    from diablerie.lab.simulate.study import Simulation

    config = simulation_config(vary=dict(map(parse_variation, vary)), **settings)
    run(Simulation(config, run.file, parquet=parquet), simulation_tables, simulation_page)


@study_command(
    about_a_game,
    players_option("One bot for all seats, or one for each side.", default="sensible"),
    games_option(1000),
    seed_option,
    click.option(
        "--out", type=FILE, metavar="FILE", help="The Parquet file; GAME.parquet if left out."
    ),
    file_option("games"),
)
def dataset(run: StudyRun, game: str, out: Path | None, **settings: Any) -> None:
    """Write the decisions of many games into a data set.

    Each has its observation and the legal actions.
    """
    from diablerie.engine.text import says
    from diablerie.lab.dataset.study import DecisionDataset
    from diablerie.lab.simulate.config import simulation_config

    config = simulation_config(game, **settings)
    out = out or Path(f"{game}.parquet")
    rows = run(DecisionDataset(config, run.file, out=out))
    print(
        says(
            "{file} has {n} decision. Games played: {games}.",
            "{file} has {n} decisions. Games played: {games}.",
            rows,
            file=out,
            games=config.games,
        )
    )


@study_command(
    about_a_game,
    players_option("Bots; they sit in random seats.", default="sensible,search:n=300"),
    games_option(1000),
    click.option(
        "--positions",
        type=click.IntRange(1, 1000),
        default=4,
        help="How many positions of each game to check.",
    ),
    click.option(
        "--playouts",
        type=click.IntRange(1, 100_000),
        default=100,
        help="How many games to play on from each position.",
    ),
    seed_option,
    click.option(
        "--temperature",
        type=click.FloatRange(0.1, 10),
        show_default="the game's",
        help="Divide the log-odds of the chances by this.",
    ),
    file_option("games"),
    json_option,
)
def calibrate(run: StudyRun, players: str, temperature: float | None, **settings: Any) -> None:
    """Check the win chances of replays against who wins.

    In games between bots.
    """
    from diablerie.lab.calibration.study import (
        Calibration,
        calibration_config,
        calibration_tables,
    )
    from diablerie.lab.running.settings import split_specs

    config = calibration_config(players=split_specs(players), **settings)
    run(Calibration(config, run.file, temperature=temperature), calibration_tables)
