"""The commands of the laboratory: they play many games, learn, solve and measure."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from diablerie.arguments import about_a_game, pairs

Command = TypeVar("Command", bound=Callable[..., Any])

# Options that several of them have.
played_by = click.option("--players", default="sensible", show_default=True,
                         metavar="SPEC[,SPEC…]",
                         help="One bot for all seats, or one for each side.")  # fmt: skip
seeded = click.option("--seed", type=int, default=1, show_default=True,
                      help="Dice and bots start there.")  # fmt: skip
in_json = click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
reported = click.option("--report", type=click.Path(path_type=Path, dir_okay=False),
                        help="Write a page with pictures (HTML).")  # fmt: skip


def at_work(command: Command) -> Command:
    """The options that say where, and how many at once: all cores here, or all of a cluster."""
    where = click.option("--on", default="", metavar="ray|ray://HOST:PORT",
                         is_eager=True, callback=_where,
                         help="Play on a Ray cluster, in trusted networks only; left out, in "
                              "processes of this machine.")  # fmt: skip
    many = click.option("--workers", type=click.IntRange(1, 65536), show_default="all cores",
                        callback=_many, help="How many play at once.")  # fmt: skip
    return where(many(command))


def _where(context: click.Context, option: click.Parameter, on: str) -> str:
    if on:
        from diablerie.lab.cluster import checked

        return checked(on)
    return on


def _many(context: click.Context, option: click.Parameter, workers: int | None) -> int | None:
    return workers if workers or context.params["on"] else os.cpu_count() or 1


@click.command()
@about_a_game
@click.option("--players", required=True, metavar="SPEC,SPEC,…",
              help="Bots: random, sensible, … or module:Class of your own.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=1), show_default="100, for a test 20000",
              help="For each pairing; at mixed tables, in all.")  # fmt: skip
@seeded
@click.option("--mixed/--pairings", default=None,
              help="Mixed tables, or every pairing; left out, the game decides.")  # fmt: skip
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False),
              help="Keep results here, and go on where it stops, or extend it.")  # fmt: skip
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Keep every game there, as a match file.")  # fmt: skip
@at_work
@in_json
@reported
@click.option("--sprt", "test", metavar="LOW,HIGH",
              help="Play until it is clear whether the first player is stronger than the second "
                   "by HIGH Elo rather than by LOW.")  # fmt: skip
@click.option("--alpha", type=float, default=0.05, show_default=True,
              help="How often HIGH may be accepted falsely.")  # fmt: skip
@click.option("--beta", type=float, default=0.05, show_default=True,
              help="How often LOW may be accepted falsely.")  # fmt: skip
def tournament(game: str, seats: int | None, options: tuple[str, ...], players: str,
               games: int | None, seed: int, mixed: bool | None, file: Path | None,
               keep: Path | None, workers: int | None, on: str, as_json: bool,
               report: Path | None, test: str | None, alpha: float,
               beta: float) -> None:  # fmt: skip
    """Let bots play each other and rate them, with intervals, or test one against another."""
    from diablerie.lab.command import run
    from diablerie.lab.config import configured, split_specs
    from diablerie.lab.sequential import sprt
    from diablerie.lab.telling import spelled

    sys.path.append(str(Path.cwd()))  # for bots of one's own
    games = games or (20_000 if test else 100)
    config = configured(game, split_specs(players), games=games, seats=seats,
                        options=pairs(options), seed=seed, mixed=mixed)  # fmt: skip
    given = {"seats": seats, "players": players, "games": games, "seed": seed, "sprt": test}
    words = spelled("tournament", game, given, {"option": options})
    if mixed is not None:
        words += " --mixed" if mixed else " --pairings"
    asked = sprt(config, test, alpha, beta) if test else None
    if not run(config, file=file, keep=keep, workers=workers, on=on, as_json=as_json, test=asked,
               report=report, words=words):  # fmt: skip
        sys.exit(130)


@click.command()
@about_a_game
@played_by
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True,
              help="For each setting.")  # fmt: skip
@click.option(
    "--vary",
    multiple=True,
    metavar="NAME=A,B,…",
    help="Compare values of an option, of players or of seats; may be repeated.",
)
@seeded
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False),
              help="Keep results here, and go on where it stops.")  # fmt: skip
@at_work
@in_json
@click.option("--parquet", type=click.Path(path_type=Path, dir_okay=False),
              help="Write all games there, a row a game.")  # fmt: skip
@reported
def simulate(game: str, seats: int | None, options: tuple[str, ...], players: str, games: int,
             vary: tuple[str, ...], seed: int, file: Path | None, workers: int | None,
             on: str, as_json: bool, parquet: Path | None,
             report: Path | None) -> None:  # fmt: skip
    """Play many games and tell how they go: length, fairness, endings, what an option changes."""
    from diablerie.lab.simulate.command import run
    from diablerie.lab.simulate.config import study, values_of
    from diablerie.lab.telling import spelled

    sys.path.append(str(Path.cwd()))  # for bots of one's own
    chosen = study(game, players, games=games, seats=seats, options=pairs(options),
                   vary=dict(map(values_of, vary)), seed=seed)  # fmt: skip
    given = {"seats": seats, "players": players, "games": games, "seed": seed}
    words = spelled("simulate", game, given, {"option": options, "vary": vary})
    if not run(chosen, file=file, workers=workers, on=on, as_json=as_json, parquet=parquet,
               report=report, words=words):  # fmt: skip
        sys.exit(130)


@click.command()
@about_a_game
@played_by
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True)
@seeded
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="The Parquet file; left out, GAME.parquet.")  # fmt: skip
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False),
              help="Keep games here, and go on where it stops.")  # fmt: skip
@at_work
def dataset(game: str, seats: int | None, options: tuple[str, ...], players: str, games: int,
            seed: int, out: Path | None, file: Path | None, workers: int | None,
            on: str) -> None:  # fmt: skip
    """Write the decisions of many games, what was seen and what might have been decided."""
    from diablerie.lab.dataset.command import run
    from diablerie.lab.simulate.config import study

    sys.path.append(str(Path.cwd()))  # for bots of one's own
    chosen = study(game, players, games=games, seats=seats, options=pairs(options),
                   vary={}, seed=seed)  # fmt: skip
    if not run(chosen, out or Path(f"{game}.parquet"), file, workers, on):
        sys.exit(130)


@click.command()
@click.argument("game")
@click.option("--seats", type=int, help="Number of players; every number of them if left out.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
              help="An option of the game; may be repeated.")  # fmt: skip
@click.option("--generations", type=click.IntRange(min=1), default=6, show_default=True)
@click.option("--games", type=click.IntRange(min=1), default=2000, show_default=True,
              help="Of a generation, with each number of seats.")  # fmt: skip
@click.option(
    "--iterations",
    type=click.IntRange(min=0),
    default=60,
    show_default=True,
    help="Of every search, once something is learnt; 0 follows the game's advice.",
)
@click.option("--careless", type=float, default=0.1, show_default=True,
              help="The share of random decisions.")  # fmt: skip
@click.option(
    "--lambda",
    "fade",
    type=float,
    default=0.9,
    show_default=True,
    help="How much of a position's worth is judged by how its game ended.",
)
@click.option("--units", type=click.IntRange(min=0), default=16, show_default=True,
              help="Of the network, beside its linear part.")  # fmt: skip
@seeded
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False),
              help="Keep games here, and go on where it stops.")  # fmt: skip
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where what was learnt is written; left out, GAME.learnt.json.",
)
@at_work
@reported
def train(game: str, seats: int | None, options: tuple[str, ...], generations: int, games: int,
          iterations: int, careless: float, fade: float, units: int, seed: int, file: Path | None,
          out: Path | None, workers: int | None, on: str, report: Path | None) -> None:  # fmt: skip
    """Learn by self-play what positions are worth, for every number of players or for --seats."""
    from diablerie.lab.telling import spelled
    from diablerie.lab.train.command import run
    from diablerie.lab.train.config import training

    config = training(game, seats=seats, options=pairs(options), generations=generations,
                      games=games, iterations=iterations, careless=careless, fade=fade,
                      units=units, seed=seed)  # fmt: skip
    given = {"seats": seats, "generations": generations, "games": games,
             "iterations": str(iterations), "careless": str(careless), "lambda": str(fade),
             "units": str(units), "seed": seed}  # fmt: skip
    words = spelled("train", game, given, {"option": options})
    if not run(config, out=out or Path(f"{game}.learnt.json"), file=file, workers=workers, on=on,
               report=report, words=words):  # fmt: skip
        sys.exit(130)


@click.command()
@click.argument("game")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
              help="An option of the game; may be repeated.")  # fmt: skip
@click.option("--error", type=float, default=1e-9, show_default=True,
              help="How far a value may be off.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Keep table, page and summary there, and go on where it stops.")  # fmt: skip
@click.option("--players", default="", metavar="SPEC[,SPEC…]",
              help="Bots, to say what they lose beside exact play.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=2), default=100, show_default=True,
              help="For each of them.")  # fmt: skip
@seeded
@click.option("--respond", is_flag=True,
              help="Find the best response to bots of known habits (minutes).")  # fmt: skip
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True,
              help="How many processes solve at once.")  # fmt: skip
@in_json
def solve(game: str, options: tuple[str, ...], error: float, out: Path | None, players: str,
          games: int, seed: int, respond: bool, workers: int,
          as_json: bool) -> None:  # fmt: skip
    """Solve a small game of two exactly, and say what bots lose beside that.

    COALS with a small furnace is solved from its beginning; of a game in which nothing is hidden,
    as TAILS, the last decisions are.
    """
    from diablerie.lab.config import split_specs
    from diablerie.lab.exact.command import run
    from diablerie.lab.telling import spelled

    sys.path.append(str(Path.cwd()))  # for bots of one's own
    bots = {"players": players, "games": games, "seed": seed} if players else {}
    words = spelled("solve", game, {"error": error, "out": out, **bots}, {"option": options})
    if not run(game, pairs(options), error=error, out=out, players=split_specs(players),
               games=games, seed=seed, respond=respond, workers=workers, as_json=as_json,
               words=words + " --respond" * respond):  # fmt: skip
        sys.exit(130)


@click.command()
@about_a_game
@click.option("--players", default="sensible,search:n=300", show_default=True,
              metavar="SPEC[,SPEC…]", help="Bots that sit down anywhere, by lot.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--positions", type=click.IntRange(1, 1000), default=4, show_default=True,
              help="How many of each game are looked at.")  # fmt: skip
@click.option("--playouts", type=click.IntRange(1, 100_000), default=100, show_default=True,
              help="How many games are played on from each.")  # fmt: skip
@seeded
@click.option("--temperature", type=click.FloatRange(0.1, 10), show_default="the game's",
              help="By which chances are told.")  # fmt: skip
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False),
              help="Keep games here, and go on where it stops.")  # fmt: skip
@at_work
@in_json
def calibrate(game: str, seats: int | None, options: tuple[str, ...], players: str, games: int,
              positions: int, playouts: int, seed: int, temperature: float | None,
              file: Path | None, workers: int | None, on: str, as_json: bool) -> None:  # fmt: skip
    """Compare the chances that a replay tells with who wins, in games between bots."""
    from diablerie.lab.calibration.command import run
    from diablerie.lab.calibration.config import sampling
    from diablerie.lab.config import split_specs

    sys.path.append(str(Path.cwd()))  # for bots of one's own
    config = sampling(game, split_specs(players), games=games, seats=seats, options=pairs(options),
                      positions=positions, playouts=playouts, seed=seed)  # fmt: skip
    if not run(config, temperature, file=file, workers=workers, on=on, as_json=as_json):
        sys.exit(130)
