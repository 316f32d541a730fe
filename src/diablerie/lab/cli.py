"""The commands of the laboratory: they play many games, learn and measure."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from diablerie.arguments import about_a_game, pairs

Command = TypeVar("Command", bound=Callable[..., Any])

# Options that several commands have; each is spelled here and nowhere else.
FILE, FOLDER = (
    click.Path(path_type=Path, dir_okay=False),
    click.Path(path_type=Path, file_okay=False),
)
game_options = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game; may be repeated.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
report_option = click.option("--report", type=FILE, help="Write a page with pictures (HTML).")
seed_option = click.option(
    "--seed", type=int, default=1, show_default=True, help="Dice and bots start there."
)
players_option = click.option(
    "--players",
    default="sensible",
    show_default=True,
    metavar="SPEC[,SPEC…]",
    help="One bot for all seats, or one for each side.",
)


def games_option(default: int, help: str = "") -> Callable[[Command], Command]:
    """The option `--games`."""
    number = click.IntRange(min=1)
    return click.option("--games", type=number, default=default, show_default=True, help=help)


def file_option(help: str) -> Callable[[Command], Command]:
    """The option `--file`, which names a results file."""
    return click.option("--file", type=FILE, help=help)


def workers_options(command: Command) -> Command:
    """The options `--on` and `--workers`: all processors of this machine, or all of a cluster."""
    where = click.option(
        "--on",
        default="",
        metavar="ray|ray://HOST:PORT",
        is_eager=True,
        callback=_address,
        help="Play on a Ray cluster, in trusted networks only; left out, in "
        "processes of this machine.",
    )
    many = click.option(
        "--workers",
        type=click.IntRange(1, 65536),
        show_default="all cores",
        callback=_workers,
        help="How many play at once.",
    )
    return where(many(command))


def _address(context: click.Context, option: click.Parameter, on: str) -> str:
    if on:
        from diablerie.lab.running.cluster import check_address

        return check_address(on)
    return on


def _workers(context: click.Context, option: click.Parameter, workers: int | None) -> int | None:
    return workers if workers or context.params["on"] else os.cpu_count() or 1


def allow_own_bots() -> None:
    """Let specs name bots of modules in the current folder."""
    sys.path.append(str(Path.cwd()))


@click.command()
@about_a_game
@click.option(
    "--players",
    required=True,
    metavar="SPEC,SPEC,…",
    help="Bots: random, sensible, … or module:Class of your own.",
)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    show_default="100, for a test 20000",
    help="For each pairing; at mixed tables, in all.",
)
@seed_option
@click.option(
    "--mixed/--pairings",
    default=None,
    help="Mixed tables, or every pairing; left out, the game decides.",
)
@file_option("Keep results here, and go on where it stops, or extend it.")
@click.option(
    "--keep", type=FOLDER, metavar="FOLDER", help="Keep every game there, as a match file."
)
@workers_options
@json_option
@report_option
@click.option(
    "--sprt",
    metavar="LOW,HIGH",
    help="Play until it is clear whether the first player is stronger than the second "
    "by HIGH Elo rather than by LOW.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="How often HIGH may be accepted falsely.",
)
@click.option(
    "--beta",
    type=float,
    default=0.05,
    show_default=True,
    help="How often LOW may be accepted falsely.",
)
def tournament(
    game: str,
    players: str,
    games: int | None,
    options: tuple[str, ...],
    file: Path | None,
    keep: Path | None,
    report: Path | None,
    sprt: str | None,
    alpha: float,
    beta: float,
    workers: int | None,
    on: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Let bots play each other and rate them, with intervals, or test one against another."""
    from diablerie.lab.running.output import command_line
    from diablerie.lab.running.settings import split_specs
    from diablerie.lab.tournament.config import tournament_config
    from diablerie.lab.tournament.study import Tournament, parse_sprt
    from diablerie.lab.tournament.tables import tournament_tables

    allow_own_bots()
    games = games or (20_000 if sprt else 100)
    config = tournament_config(
        game, split_specs(players), games=games, options=pairs(options), **settings
    )
    test = parse_sprt(config, sprt, alpha, beta) if sprt else None
    study = Tournament(config, file, keep=keep, test=test)
    standings = study.run_command(workers, on, tournament_tables, as_json)
    if report:
        from diablerie.lab.tournament.page import tournament_page

        given = {"seats": settings["seats"], "players": players, "games": games}
        given |= {"seed": settings["seed"], "sprt": sprt}
        words = command_line("tournament", game, given, {"option": options})
        words += {None: "", True: " --mixed", False: " --pairings"}[settings["mixed"]]
        report.write_text(tournament_page(standings, words), "utf-8")


@click.command()
@about_a_game
@players_option
@games_option(1000, "For each setting.")
@click.option(
    "--vary",
    multiple=True,
    metavar="NAME=A,B,…",
    help="Compare values of an option, of players or of seats; may be repeated.",
)
@seed_option
@file_option("Keep results here, and go on where it stops.")
@workers_options
@json_option
@click.option("--parquet", type=FILE, help="Write all games there, a row a game.")
@report_option
def simulate(
    game: str,
    options: tuple[str, ...],
    vary: tuple[str, ...],
    file: Path | None,
    parquet: Path | None,
    report: Path | None,
    workers: int | None,
    on: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Play many games and tell how they go: length, fairness, endings, what an option changes."""
    from diablerie.lab.running.output import command_line
    from diablerie.lab.simulate.config import parse_variation, simulation_config
    from diablerie.lab.simulate.study import Simulation
    from diablerie.lab.simulate.tables import simulation_tables

    allow_own_bots()
    config = simulation_config(
        game, options=pairs(options), vary=dict(map(parse_variation, vary)), **settings
    )
    study = Simulation(config, file, parquet=parquet)
    summary = study.run_command(workers, on, simulation_tables, as_json)
    if report:
        from diablerie.lab.simulate.page import simulation_page

        given = {name: settings[name] for name in ("seats", "players", "games", "seed")}
        words = command_line("simulate", game, given, {"option": options, "vary": vary})
        report.write_text(simulation_page(summary, words), "utf-8")


@click.command()
@about_a_game
@players_option
@games_option(1000)
@seed_option
@click.option("--out", type=FILE, metavar="FILE", help="The Parquet file; left out, GAME.parquet.")
@file_option("Keep games here, and go on where it stops.")
@workers_options
def dataset(
    game: str,
    options: tuple[str, ...],
    out: Path | None,
    file: Path | None,
    workers: int | None,
    on: str,
    **settings: Any,
) -> None:
    """Write the decisions of many games, what was seen and what might have been decided."""
    from diablerie.engine.text import says
    from diablerie.lab.dataset.study import DecisionDataset
    from diablerie.lab.simulate.config import simulation_config

    allow_own_bots()
    config = simulation_config(game, options=pairs(options), **settings)
    out = out or Path(f"{game}.parquet")
    rows = DecisionDataset(config, file, out=out).run_command(workers, on)
    print(
        says(
            "{file}: {n} decision of {games} games",
            "{file}: {n} decisions of {games} games",
            rows,
            file=out,
            games=config.games,
        )
    )


@click.command()
@click.argument("game")
@click.option("--seats", type=int, help="Number of players; every number of them if left out.")
@game_options
@click.option("--generations", type=click.IntRange(min=1), default=6, show_default=True)
@games_option(2000, "Of a generation, with each number of seats.")
@click.option(
    "--iterations",
    type=click.IntRange(min=0),
    default=60,
    show_default=True,
    help="Of every search, once something is learnt; 0 follows the game's advice.",
)
@click.option(
    "--careless", type=float, default=0.1, show_default=True, help="The share of random decisions."
)
@click.option(
    "--lambda",
    "fade",
    type=float,
    default=0.9,
    show_default=True,
    help="How much of a position's worth is judged by how its game ended.",
)
@click.option(
    "--units",
    type=click.IntRange(min=0),
    default=16,
    show_default=True,
    help="Of the network, beside its linear part.",
)
@seed_option
@file_option("Keep games here, and go on where it stops.")
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="Where what was learnt is written; left out, GAME.learnt.json.",
)
@workers_options
@report_option
def train(
    game: str,
    options: tuple[str, ...],
    file: Path | None,
    out: Path | None,
    report: Path | None,
    workers: int | None,
    on: str,
    **settings: Any,
) -> None:
    """Learn by self-play what positions are worth, for every number of players or for --seats."""
    from diablerie.lab.running.output import command_line, print_summary
    from diablerie.lab.train.config import training_config
    from diablerie.lab.train.study import Training
    from diablerie.lab.train.tables import training_table

    config = training_config(game, options=pairs(options), **settings)
    names = "seats", "generations", "games", "iterations", "careless", "lambda", "units", "seed"
    given = {name: settings["fade" if name == "lambda" else name] for name in names}
    words = command_line("train", game, given, {"option": options})
    result = Training(config, file, command=words).run_command(workers, on)
    out = out or Path(f"{game}.learnt.json")
    result.write_weights(out)
    print_summary(result, training_table)
    print(f"{out}: {out.stat().st_size:,} bytes; search:value={out} plays by it")
    if report:
        from diablerie.lab.train.page import training_page

        report.write_text(training_page(result, words), "utf-8")


@click.command()
@about_a_game
@click.option(
    "--players",
    default="sensible,search:n=300",
    show_default=True,
    metavar="SPEC[,SPEC…]",
    help="Bots that sit down anywhere, by lot.",
)
@games_option(1000)
@click.option(
    "--positions",
    type=click.IntRange(1, 1000),
    default=4,
    show_default=True,
    help="How many of each game are looked at.",
)
@click.option(
    "--playouts",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="How many games are played on from each.",
)
@seed_option
@click.option(
    "--temperature",
    type=click.FloatRange(0.1, 10),
    show_default="the game's",
    help="By which chances are told.",
)
@file_option("Keep games here, and go on where it stops.")
@workers_options
@json_option
def calibrate(
    game: str,
    players: str,
    options: tuple[str, ...],
    temperature: float | None,
    file: Path | None,
    workers: int | None,
    on: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Compare the chances that a replay tells with who wins, in games between bots."""
    from diablerie.lab.calibration.config import calibration_config
    from diablerie.lab.calibration.study import Calibration
    from diablerie.lab.calibration.tables import calibration_tables
    from diablerie.lab.running.settings import split_specs

    allow_own_bots()
    config = calibration_config(game, split_specs(players), options=pairs(options), **settings)
    study = Calibration(config, file, temperature=temperature)
    study.run_command(workers, on, calibration_tables, as_json)
