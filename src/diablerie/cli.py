"""The command line: `diablerie serve`, `walk`, `perft`, `verify`, `replay`, `play`…

Whatever is wrong with a command's input ends it with status 2 and one line.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

import diablerie
from diablerie.engine import match as matches
from diablerie.engine.match import Match
from diablerie.engine.text import ENGLISH, Seat, render

app = typer.Typer(
    name="diablerie",
    help="Four devil games: play them, simulate them, train on them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(help="The game: " + ", ".join(diablerie.GAMES) + ".")]
Seats = Annotated[int | None, typer.Option(help="Number of players; the fewest if left out.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the game, NAME=VALUE; may be repeated."),
]
FilePath = Annotated[Path, typer.Argument(help="A match file.", metavar="FILE")]


def main() -> None:
    """The entry point of the `diablerie` command."""
    app()


@contextmanager
def refusing() -> Iterator[None]:
    """Turn errors in what the user gave into one line and status 2."""
    try:
        yield
    except (ValueError, OSError) as error:
        print(f"diablerie: {_one_line(error)}", file=sys.stderr)
        raise typer.Exit(2) from None


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


def _version(wanted: bool) -> None:
    if wanted:
        print(f"diablerie {diablerie.__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Four devil games: play them, simulate them, train on them."""


def pairs(options: list[str] | None) -> dict[str, str]:
    """`NAME=VALUE` words as a mapping. Raises ValueError for a word without `=`."""
    chosen = {}
    for word in options or []:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"an option is written NAME=VALUE, not “{word}”")
        chosen[name] = value
    return chosen


def _start(game: str, seats: int | None, options: list[str] | None) -> tuple[Any, Any]:
    chosen = diablerie.game_named(game)
    count = chosen.seats[0] if seats is None else seats
    return chosen, chosen.start(count, pairs(options))


@app.command()
def walk(
    game: GameName,
    seats: Seats = None,
    seed: Annotated[int, typer.Option(help="Where the walk's generator starts.")] = 1,
    limit: Annotated[int | None, typer.Option(min=0, help="Cut after so many steps.")] = None,
    option: Options = None,
) -> None:
    """Play a game without skill, one step a line, to compare implementations."""
    from diablerie.engine.walk import walk as steps

    with refusing():
        chosen, state = _start(game, seats, option)
        for line in steps(chosen, state, seed, limit):
            print(line)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option(min=0, max=12, help="Length of the histories.")],
    seats: Seats = None,
    option: Options = None,
) -> None:
    """Count the different histories of a length from the start."""
    from diablerie.engine.walk import perft as count

    with refusing():
        chosen, state = _start(game, seats, option)
        print(count(chosen, state, depth))


@app.command()
def verify(file: FilePath) -> None:
    """Check a finished match: every decision by the rules, every die by the revealed key."""
    with refusing():
        match = diablerie.verify(file)
        if not match.over:
            raise ValueError(f"{file}: sound so far, but the match is not over")
    drawn = sum(event.seat < 0 for event in match.events)
    print(
        f"{file}: sound. {match.game.title}, {match.seats} seats, "
        f"{len(match.events) - drawn} decisions, {drawn} outcomes drawn as the key says."
    )


@app.command()
def replay(
    file: FilePath,
    positions: Annotated[
        bool, typer.Option("--positions", help="Print the position after every step too.")
    ] = False,
) -> None:
    """Print a match in sentences."""
    with refusing():
        match = diablerie.load(file)
    console = Console(highlight=False)
    name = seat_name(match)
    for number, step in enumerate(match.steps()):
        for line in matches.told(match.game, step):
            clause = f"  [{line.clause}]" if line.clause else ""
            console.print(f"{number:5}  {render(line, ENGLISH, name)}{clause}", markup=False)
        if positions:
            console.print(match.game.view.sketch(match.game.view.look(step.after, 0)), markup=False)
    console.print(match.game.view.sketch(match.game.view.look(match.state, 0)), markup=False)


def seat_name(match: Match) -> Any:
    """A function from seats to the names shown for them."""

    def name(seat: Seat) -> str:
        return match.names[seat] or f"player {seat + 1}"

    return name


@app.command()
def serve(
    host: Annotated[str, typer.Option(envvar="DIABLERIE_HOST", help="Address to listen on.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int, typer.Option(envvar="DIABLERIE_PORT", min=0, max=65535, help="Port to listen on.")
    ] = 8666,
    db: Annotated[
        str, typer.Option(envvar="DIABLERIE_DB", help="SQLite file or database URL.")
    ] = "",
    open: Annotated[
        bool, typer.Option(envvar="DIABLERIE_OPEN", help="Open the browser when it answers.")
    ] = True,
    log_level: Annotated[
        str, typer.Option(envvar="DIABLERIE_LOG", help="debug, info, warning or error.")
    ] = "info",
) -> None:
    """Open the table: a server for browsers, on an embedded database unless told otherwise."""
    from diablerie.web.serve import serve as run

    with refusing():
        run(host=host, port=port, db=db, open_browser=open, log_level=log_level)


if __name__ == "__main__":
    main()
