"""The commands of the laboratory: they play many games, learn and measure."""

import os
import shlex
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from diablerie.arguments import about_a_game, pairs

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Any], Any]

# Options that several commands have; each is spelled here and nowhere else.
FILE, FOLDER = (
    click.Path(path_type=Path, dir_okay=False),
    click.Path(path_type=Path, file_okay=False),
)
MANY, SOME = click.IntRange(min=1), click.IntRange(min=0)
SHOW_DEFAULTS = {"show_default": True}  # in the help of every option
game_options = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game; may be repeated.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")


def _drawable(_: click.Context, __: click.Parameter, path: Path | None) -> Path | None:
    """The page to be written, before anything is played.

    Raises OSError if it cannot be written, BadConfig without Matplotlib.
    """
    if path:
        from diablerie.lab.running.results_file import check_writable

        check_writable(path)
    if path and not find_spec("matplotlib"):
        from diablerie.engine import extras
        from diablerie.engine.text import say
        from diablerie.lab.running.errors import BadConfig

        command = extras.install("report")
        raise BadConfig(
            say("A page with pictures needs Matplotlib: {command} brings it", command=command)
        )
    return path


report_option = click.option(
    "--report", type=FILE, callback=_drawable, help="Write a page with pictures (HTML)."
)
seed_option = click.option("--seed", type=int, default=1, help="The seed of the dice and the bots.")


def players_option(help: str, **more: Any) -> Option:
    """The option `--players`, a list of bots."""
    return click.option("--players", metavar="SPEC[,SPEC…]", help=help, **more)


def games_option(default: int | None, help: str = "", **more: Any) -> Option:
    """The option `--games`."""
    return click.option("--games", type=MANY, default=default, help=help, **more)


def file_option(what: str) -> Option:
    """The option `--file`, which names a results file."""
    return click.option(
        "--file", type=FILE, help=f"Save {what} here; the same command continues it."
    )


def workers_options(command: Command) -> Command:
    """The options `--on` and `--workers`: all processors of this machine, or all of a cluster."""
    where = click.option(
        "--on",
        default="",
        show_default=False,
        metavar="ray|ray://HOST:PORT",
        is_eager=True,
        callback=_address,
        help="Play on a Ray cluster (only in trusted networks) instead of in "
        "processes on this machine.",
    )
    many = click.option(
        "--workers",
        type=click.IntRange(1, 65536),
        show_default="all cores",
        callback=_workers,
        help="How many games to play at once.",
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


# What says where a command runs and what it writes, rather than what comes out
NO_SETTINGS = {"game", "file", "out", "keep", "parquet", "report", "workers", "on", "as_json"}


def command_line() -> str:
    """The running command as a person types it, with the settings that fix its results."""
    context = click.get_current_context()
    words = [f"diablerie {context.info_name} {context.params['game']}"]
    options = [one for one in context.command.params if one.name not in NO_SETTINGS]
    for option in sorted(options, key=lambda one: one.multiple):
        value = context.params[str(option.name)]
        for one in value if option.multiple else [value]:
            if isinstance(one, bool):
                words += (option.opts if one else option.secondary_opts)[:1]
            elif one not in (None, ""):
                words.append(f"{option.opts[0]} {shlex.quote(str(one))}")
    return " ".join(words)


class StudyRun(NamedTuple):
    """Where a command runs its study, and what it prints and writes of the summary."""

    file: Path | None
    workers: int | None
    on: str
    as_json: bool = False
    report: Path | None = None

    def __call__(self, study: Any, tables: Any = None, page: Callable[..., str] = str) -> Any:
        """Run the study and return its summary; print its tables, write its page."""
        summary = study.run_command(self.workers, self.on, tables, self.as_json)
        if self.report:
            self.report.write_text(page(summary, command_line()), "utf-8")
        return summary


def study_command(*options: Option) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command that runs a study, with these options and those of every study.

    The function is called with a `StudyRun`, the options of the game as a mapping, and the other
    options by name.
    """

    def made(function: Callable[..., None]) -> click.Command:
        @wraps(function)
        def command(*, options: tuple[str, ...], **given: Any) -> None:
            allow_own_bots()
            run = StudyRun(**{k: given.pop(k) for k in StudyRun._fields if k in given})
            function(run, options=pairs(options), **given)

        wanted: Any = command
        for option in reversed((*options, workers_options)):
            wanted = option(wanted)
        return click.command(context_settings=SHOW_DEFAULTS)(wanted)

    return made


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
    """Let bots play each other and rate them with intervals, or test one against another."""
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
    """Play many games and report length, fairness, endings, and what an option changes."""
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
    """Write the decisions of many games, with observations and legal actions."""
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
    click.argument("game"),
    click.option("--seats", type=int, help="Number of players; every possible number if left out."),
    game_options,
    click.option("--generations", type=MANY, default=6),
    games_option(2000, "Games per generation and number of seats."),
    click.option(
        "--iterations",
        type=SOME,
        default=60,
        help="Iterations of every search once something is learnt; with 0, games follow the game's advice.",
    ),
    click.option("--careless", type=float, default=0.1, help="The share of random decisions."),
    click.option(
        "--lambda",
        "fade",
        type=float,
        default=0.9,
        help="How much a position's worth depends on how its game ended.",
    ),
    click.option(
        "--units", type=SOME, default=16, help="Units of the network, besides its linear part."
    ),
    seed_option,
    file_option("games"),
    click.option(
        "--out",
        type=FILE,
        metavar="FILE",
        help="The file for what was learnt; GAME.learnt.json if left out.",
    ),
    report_option,
)
def fit(run: StudyRun, game: str, out: Path | None, **settings: Any) -> None:
    """Learn what positions are worth, from games between searches."""
    from diablerie.lab.fit.config import training_config
    from diablerie.lab.fit.report import training_page, training_tables
    from diablerie.lab.fit.study import Training

    out = out or Path(f"{game}.learnt.json")
    study = Training(training_config(game, **settings), run.file, command=command_line(), out=out)
    run(study, training_tables, training_page)
    print(f"Saved {out} ({out.stat().st_size:,} bytes); the bot search:value={out} plays by it.")


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
    "--begin",
    default="",
    metavar="FILE",
    help="Begin with the policy of this file; own: with the game's.",
)
@click.option(
    "--looks", type=MANY, default=10, help="How often to measure the policy while it learns."
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
@click.option("--workers", type=MANY, show_default="all cores", help="How many threads learn.")
@report_option
def train(
    game: str,
    seats: str,
    options: tuple[str, ...],
    begin: str,
    file: Path | None,
    out: Path | None,
    workers: int | None,
    report: Path | None,
    **settings: Any,
) -> None:
    """Learn to play a game by self-play or against a bot; net:file=FILE plays by the result."""
    from rich.console import Console

    from diablerie.lab.running.terminal import print_interruption, print_summary, show_progress
    from diablerie.lab.train.config import policy_to_begin_with, policy_training_config
    from diablerie.lab.train.report import policy_page, policy_tables
    from diablerie.lab.train.training import PolicyTraining, TrainingStopped

    tables, first = numbers(seats, "--seats"), policy_to_begin_with(game, begin)
    config = policy_training_config(
        game, seats=tables, options=pairs(options), begin=first, **settings
    )
    out, err = out or Path(f"{game}.policy.json"), Console(stderr=True)
    training = PolicyTraining(
        config,
        begin=first,
        file=file,
        out=out,
        workers=workers or os.cpu_count() or 1,
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


def numbers(text: str, option: str) -> tuple[int, ...]:
    """Whole numbers separated by commas. Raises click.BadParameter."""
    try:
        return tuple(int(part) for part in text.split(",") if part)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no list of numbers", param_hint=option) from error


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
    """Check the win chances that a replay shows against who wins, in games between bots."""
    from diablerie.lab.calibration.study import (
        Calibration,
        calibration_config,
        calibration_tables,
    )
    from diablerie.lab.running.settings import split_specs

    config = calibration_config(players=split_specs(players), **settings)
    run(Calibration(config, run.file, temperature=temperature), calibration_tables)


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
@workers_options
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
    """Make a list of daily challenges: positions with one clearly best action."""
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
