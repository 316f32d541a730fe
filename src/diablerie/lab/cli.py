"""The commands that play many games, learn and measure: tournaments, simulation, data sets, training."""

from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click
import msgspec
from click.core import ParameterSource

from diablerie.arguments import all_of, allow_own_bots
from diablerie.lab.command_options import (
    FILE_PATH,
    FOLDER_PATH,
    SHOW_DEFAULTS,
    Option,
    command_line,
    file_option,
    json_option,
    report_option,
    settings_options,
    workers_option,
)
from diablerie.lab.running.settings import (
    DatasetSettings,
    SimulationSettings,
    TournamentSettings,
)
from diablerie.learning.settings import ExploitSettings, TrainingSettings

if TYPE_CHECKING:
    from diablerie.lab.running.run import Progress


class StudyRun(NamedTuple):
    """Where a command runs its study, and what it prints and writes of the summary.

    data: where the summary goes as JSON; None: it is printed as tables.
    """

    file: Path | None
    workers: int | None
    on: str
    report: Path | None = None
    data: TextIO | None = None

    def __call__(
        self, begin: Callable[..., Any], tables: Any = None, page: Callable[..., str] = str
    ) -> Any:
        """Run the study and return its summary; print its tables to stdout, write its page.

        begin: opens the results of a file. Otherwise as `run_and_print`.
        """
        from diablerie.lab.running.cluster import check_address
        from diablerie.lab.running.run import finish

        if self.on:
            check_address(self.on)
        with begin(self.file) as results:
            work = partial(finish, results, self.workers, self.on)
            status = results.study.status
            summary = run_and_print(work, tables, status, data=self.data, file=self.file)
        if self.report:
            self.report.write_text(page(summary, command_line()), "utf-8")
        return summary


def run_and_print(
    work: Callable[["Progress"], Any],
    tables: Any,
    status: Callable[[], str],
    *,
    counted: str = "games",
    data: TextIO | None = None,
    file: Path | None = None,
    kept_by: str = "--file",
) -> Any:
    """Do a study's or a training's work and return its summary; print its tables to stdout.

    work: called with what shows progress; status: see `show_progress`; without `tables` nothing is
    printed; data: where the summary goes as JSON instead. Ctrl-C exits with status 130: what there
    is by then is printed, and that the same command goes on with `file`, or that the option
    `kept_by` would have kept it.
    """
    from rich.console import Console

    from diablerie.lab.running.run import Interrupted, end_early, print_summary, show_progress

    err = Console(stderr=True)
    early = None
    try:
        with show_progress(err, status, counted) as progress:
            summary = work(progress)
    except Interrupted as stop:
        early = stop
        summary = stop.summary
    # A run that was stopped early has a summary, too, once there is anything to tell.
    if tables and summary is not None:
        print_summary(summary, tables, data)
    if early:
        end_early(err, early, file, kept_by)
    return summary


on_option = click.option(
    "--on",
    default="",
    show_default=False,
    metavar="ray|ray://HOST:PORT",
    help="Play on a Ray cluster (only in trusted networks) instead of in processes on this machine.",
)


def study_command(
    declared: type[msgspec.Struct], *options: Option
) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command that runs a study of a game with these settings and options.

    It has the options of every study, too. The function is called with a `StudyRun` and by name.
    """

    def made(function: Callable[..., None]) -> click.Command:
        @wraps(function)
        def command(**given: Any) -> None:
            from diablerie.lab.running.run import data_output

            allow_own_bots()
            chosen = click.get_current_context().get_parameter_source("workers")
            if given["on"] and chosen is ParameterSource.DEFAULT:
                given["workers"] = None  # as many as the cluster has processors
            with data_output(given.pop("as_json", False)) as data:
                run = StudyRun(**{k: given.pop(k) for k in StudyRun._fields if k in given})
                function(run._replace(data=data), **given)

        asked = click.argument("game"), settings_options(declared), *options
        more = on_option, workers_option("How many games to play at once.")
        return click.command(context_settings=SHOW_DEFAULTS)(all_of(*asked, *more)(command))

    return made


@study_command(
    TournamentSettings,
    file_option("results"),
    click.option(
        "--keep",
        type=FOLDER_PATH,
        metavar="FOLDER",
        help="Save every game in this folder, as a match file.",
    ),
    click.option(
        "--matrix",
        is_flag=True,
        help="Play every pairing, and print the scores of all against all.",
    ),
    json_option,
    report_option,
)
def tournament(run: StudyRun, keep: Path | None, matrix: bool, **settings: Any) -> None:
    """Let bots play each other, and rate them.

    Ratings have intervals.
    """
    from diablerie.lab.tournament import TournamentResults
    from diablerie.lab.tournament.config import tournament_config
    from diablerie.lab.tournament.report import tournament_page, tournament_tables

    if matrix and settings["mixed"]:
        raise click.UsageError("a matrix is of pairings: leave out --mixed")
    if matrix:
        settings["mixed"] = False
    begin = partial(TournamentResults, tournament_config(**settings), keep=keep)
    run(begin, partial(tournament_tables, matrix=matrix), tournament_page)


@study_command(
    SimulationSettings,
    file_option("results"),
    json_option,
    report_option,
)
def simulate(run: StudyRun, **settings: Any) -> None:
    """Play many games; report length, fairness and endings.

    With --vary, also what an option changes.
    """
    from diablerie.lab.running.study import Results
    from diablerie.lab.simulate import SIMULATION
    from diablerie.lab.simulate.playing import simulation_config
    from diablerie.lab.simulate.report import simulation_page, simulation_tables

    config = simulation_config(**settings)
    run(partial(Results, SIMULATION, config), simulation_tables, simulation_page)


@study_command(
    DatasetSettings,
    click.option(
        "--out", type=FILE_PATH, metavar="FILE", help="The Parquet file; GAME.parquet if left out."
    ),
    file_option("games"),
)
def dataset(run: StudyRun, game: str, out: Path | None, **settings: Any) -> None:
    """Write the decisions of many games into a data set.

    Each has its observation and the legal actions.
    """
    from diablerie.engine.text import says
    from diablerie.lab.dataset import written_to
    from diablerie.lab.running.study import Results
    from diablerie.lab.simulate.playing import simulation_config

    config = simulation_config(game, **settings)
    out = out or Path(f"{game}.parquet")
    # The summary of this study is the number of rows that it wrote.
    rows = run(partial(Results, written_to(out), config))
    print(
        says(
            "{file} has {n} decision. Games played: {games}.",
            "{file} has {n} decisions. Games played: {games}.",
            rows,
            file=out,
            games=config.games,
        )
    )


@click.command(context_settings=SHOW_DEFAULTS)
@click.argument("entry", metavar="BOT")
@click.option("--games", metavar="GAME,…", help="Only these games.")
@click.option(
    "--exploit-decisions",
    type=click.IntRange(0, 10**9),
    help="Decisions that its exploiter learns from, fewer for a slow bot; 0: no exploiter.",
)
@workers_option("How many games to play at once.")
def benchmark(entry: str, games: str | None, exploit_decisions: int | None, workers: int) -> None:
    """Play a bot against a fixed panel, and learn to exploit it.

    In the name of BOT, {game} stands for the game. The last line printed is an entry for
    docs/benchmark.md.
    """
    from diablerie.lab.tournament import benchmark as panel
    from diablerie.lab.train.exploit import exploited_share

    allow_own_bots()
    chosen = games.split(",") if games else panel.BENCHMARK_GAMES
    shares = {}
    decisions = panel.EXPLOIT_DECISIONS if exploit_decisions is None else exploit_decisions
    budget: dict[str, Any] = {
        "decisions": decisions,
        "games": panel.EXPLOIT_GAMES,
        "seed": panel.SEED,
    }
    exploited = partial(exploited_share, workers=workers, **budget) if decisions else None
    for column, shares[column] in panel.benchmark(entry, chosen, workers, exploited):
        print(*column, panel.cell(shares[column]), flush=True)
    print(panel.table_row(entry, shares))


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
    """Learn to play a game, by self-play or against bots.

    The bot net:file=FILE plays by the result.
    """
    from diablerie.lab.train.report import training_page, training_tables
    from diablerie.lab.train.training import Training, policy_to_begin_with, training_config

    allow_own_bots()
    out = out or Path(f"{game}.policy.json")
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
    # The page is written at every evaluation, so that one may watch it: not here, at the end.
    run_and_print(
        training.run,
        training_tables,
        training.status,
        counted="decisions",
        file=checkpoint,
        kept_by="--checkpoint",
    )
    print(f"Saved {out} ({out.stat().st_size:,} bytes); the bot net:file={out} plays by it.")


@click.command(context_settings=SHOW_DEFAULTS)
@click.argument("bot", metavar="BOT")
@click.option("--game", required=True, metavar="GAME", help="The game that is played.")
@settings_options(ExploitSettings)
@file_option("the training")
@click.option("--out", type=FILE_PATH, help="Write the policy that exploits BOT into this file.")
@workers_option("How many threads learn.")
@json_option
@report_option
def exploit(
    bot: str,
    game: str,
    file: Path | None,
    out: Path | None,
    workers: int | None,
    report: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Learn to beat a bot, and tell how much that wins.

    What is found is an approximate best response: a lower bound of how far BOT can be exploited.
    BOT may be anything that plays, as for a tournament.
    """
    from diablerie.engine.files import write_whole
    from diablerie.lab.running.run import data_output
    from diablerie.lab.train.exploit import Exploiter, Places
    from diablerie.lab.train.exploit_report import exploit_page, exploit_tables

    allow_own_bots()
    draw = partial(exploit_page, command=command_line())
    where = Places(file, out, report)
    with data_output(as_json) as data:
        made = Exploiter(bot, game, _given(settings), where, workers=workers, draw=draw)
        result = run_and_print(
            made.run,
            exploit_tables,
            made.training.status,
            counted="decisions",
            data=data,
            file=file,
        )
    if report:
        write_whole(report, draw(result).encode())


def _given(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings that the caller has named; of the others Python knows the defaults."""
    source = click.get_current_context().get_parameter_source
    left_out = ParameterSource.DEFAULT
    return {name: value for name, value in settings.items() if source(name) is not left_out}
