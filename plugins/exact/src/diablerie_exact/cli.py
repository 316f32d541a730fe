"""The command `diablerie solve`: progress to stderr, the result to stdout."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import click
import msgspec
from rich.console import Console

import diablerie
from diablerie.arguments import allow_own_bots, game_option, pairs
from diablerie.engine.text import say
from diablerie.lab.command_options import (
    FOLDER_PATH,
    SHOW_DEFAULTS,
    command_line,
    json_option,
    seed_option,
)

TABLE = "table.npz"
PAGE = "page.html"
SUMMARY = "summary.json"


@click.command(context_settings=SHOW_DEFAULTS)
@click.argument("game")
@game_option
@click.option("--error", type=float, default=1e-9, help="The largest error that a value may have.")
@click.option(
    "--out",
    type=FOLDER_PATH,
    metavar="FOLDER",
    help="Save table, page and summary here; the same command continues.",
)
@click.option(
    "--players",
    metavar="SPEC[,SPEC…]",
    default="",
    show_default=False,
    help="Bots whose losses against exact play to measure.",
)
@click.option(
    "--games",
    type=click.IntRange(min=2),
    default=100,
    help="How many games to measure each bot in.",
)
@seed_option
@click.option(
    "--respond",
    is_flag=True,
    help="Also find the best response to bots whose probabilities are known (takes minutes).",
)
@click.option(
    "--workers", type=click.IntRange(1, 256), default=1, help="How many processes to use."
)
@json_option
def solve(game: str, options: tuple[str, ...], players: str, as_json: bool, **given: Any) -> None:
    """Solve a small game for two exactly, and measure bots.

    What they lose against exact play is measured. COALS with a small furnace is solved from the
    beginning; a game in which nothing is hidden, such as TAILS, only in its last decisions.
    """
    from diablerie.lab.running.settings import check_players, split_specs

    allow_own_bots()
    specs = split_specs(players)
    check_players(specs)
    if diablerie.game_named(game).perfect_information:
        _endgames(game, pairs(options), specs, given["games"], given["seed"], as_json)
        return
    _solve(game, pairs(options), specs, as_json, command_line(), **given)


def _endgames(
    game: str,
    options: Mapping[str, str],
    players: tuple[str, ...],
    games: int,
    seed: int,
    as_json: bool,
) -> None:
    """Print the losses of bots at the end of a game that is too large to solve as a whole."""
    from diablerie.lab.running.errors import BadConfig
    from diablerie.lab.running.run import data_output, print_summary, show_progress
    from diablerie_exact.endgames import endgame_losses, endgame_tables

    if not players:
        raise BadConfig(say("of {game} only endgames are solved: name --players", game=game))
    data = click.get_current_context().with_resource(data_output(as_json))
    err = Console(stderr=True)
    losses = []
    # A line of progress for each player, named by it.
    for player in players:
        with show_progress(err, partial(str, player)) as progress:
            losses += endgame_losses(
                game, player, options, games=games, seed=seed, progress=progress
            )
    print_summary(losses, partial(endgame_tables, game), data)


def _solve(
    game: str,
    options: Mapping[str, str],
    players: tuple[str, ...],
    as_json: bool,
    words: str,
    *,
    error: float,
    out: Path | None,
    games: int,
    seed: int,
    respond: bool,
    workers: int,
) -> None:
    """Solve a game, print the summary, and write table, page and summary into the folder `out`."""
    from diablerie.lab.running.run import data_output, end_early, print_summary, show_progress
    from diablerie_exact.best_response import best_response_value
    from diablerie_exact.losses import exact_summary, measure_loss
    from diablerie_exact.report import exact_page, exact_tables
    from diablerie_exact.solving import SolverProgress, solved

    if out:
        out.mkdir(parents=True, exist_ok=True)
    file = out / TABLE if out else None
    data = click.get_current_context().with_resource(data_output(as_json))
    err = Console(stderr=True)
    began = monotonic()
    bound = ""
    losses = []
    try:
        with show_progress(err, lambda: bound, "rounds") as progress:

            def tell(state: SolverProgress) -> None:
                nonlocal bound
                bound = f"error at most {state.error:.2g}"
                progress(state.rounds, state.last)

            solution = solved(game, options, error=error, file=file, workers=workers, tell=tell)
        # Only what was solved is kept in a file: losses are measured anew.
        for player in players:
            with show_progress(err, partial(str, player)) as progress:
                loss = measure_loss(solution, player, games, seed, progress)
            if respond:
                with show_progress(err, partial(str, f"against {player}"), "rounds") as progress:
                    best = best_response_value(solution, player, progress=progress)
                loss = msgspec.structs.replace(loss, exploited=best)
            losses.append(loss)
    except KeyboardInterrupt:
        end_early(err, "stopped", file, "--out")
    summary = exact_summary(solution, losses, monotonic() - began)
    print_summary(summary, exact_tables, data)
    if out:
        (out / PAGE).write_text(exact_page(solution, summary, words), "utf-8")
        written = msgspec.json.format(msgspec.json.encode(summary), indent=2)
        (out / SUMMARY).write_bytes(written + b"\n")
