"""The command line: `diablerie serve`, `doctor`, `reports`, `tournament`, `walk`, `verify`, ….

A command ends with status 2 and one line on standard error if its input is wrong. Each imports what
it needs when it runs, so that `--version` and `--help` answer at once.
"""

import io
import logging
import os
import re
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING

import click

import diablerie
from diablerie.arguments import Numbers, about_a_game, all_of, pairs
from diablerie.client.cli import bot, mcp
from diablerie.engine import extras
from diablerie.lab.cli import benchmark, dataset, exploit, simulate, tournament, train

if TYPE_CHECKING:
    from diablerie.engine.game import Game
    from diablerie.engine.match import Match
    from diablerie.engine.record import Record
    from diablerie.engine.text import SeatRef

log = logging.getLogger(__name__)
WIDEST_ABOUT = 62  # columns of the line about a command, so that all fits 80
TAKEN_OVER = 3  # the exit status of `verify` for a sound match that continues another one


def main() -> None:
    """The entry point of the `diablerie` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a Windows pipe knows no “Ș”
            stream.reconfigure(errors="replace")
    try:
        try:
            commands.main(standalone_mode=False)
        except click.exceptions.NoArgsIsHelpError as error:
            print(error.format_message())
        finally:
            _flush()
    except BrokenPipeError:  # the reader of the output has closed it
        sys.exit(1)
    except click.Abort:
        print("diablerie: stopped", file=sys.stderr)
        sys.exit(130)
    except (click.ClickException, ValueError, OSError, extras.Missing) as error:
        print(f"diablerie: {_one_line(error)}", file=sys.stderr)
        if os.environ.get("DIABLERIE_MAKE"):  # by whoever has the clone, and may know nothing more
            print("docs/trouble.md says what to do.", file=sys.stderr)
        sys.exit(2)


def _flush() -> None:
    try:
        print(end="", flush=True)
    except OSError:  # the interpreter would try again at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _one_line(error: Exception) -> str:
    if isinstance(error, click.NoSuchOption) and not error.possibilities and error.ctx:
        meant = told_by_help(error.option_name, error.ctx.command)
        asked = f" Did you mean {' or '.join(map(repr, meant))}?" if meant else ""
        return printable(f"{error.format_message()}{asked}")
    if isinstance(error, click.ClickException):
        return printable(error.format_message())
    if isinstance(error, OSError) and error.filename:
        return printable(f"{error.filename}: {error.strerror}")
    return printable(str(error))


def told_by_help(word: str, command: click.Command) -> list[str]:
    """The options of a command whose help has this word, as `--db` has `--database`."""
    found = re.compile(rf"\b{re.escape(word.strip('-'))}\b(?<=\w{{4}})", re.IGNORECASE)
    options = [one for one in command.params if isinstance(one, click.Option)]
    return [one.opts[0] for one in options if found.search(one.help or "")]


def printable(text: str) -> str:
    """Text as one line, with escapes for characters that could control the terminal."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in " ".join(text.split()))


database_option = click.option(
    "--db", envvar="DIABLERIE_DB", default="", help="SQLite file or database URL."
)
server_options = all_of(
    click.option(
        "--log-level",
        envvar="DIABLERIE_LOG",
        default="info",
        show_default=True,
        help="debug, info, warning or error.",
    ),
    click.option(
        "--tempo",
        envvar="DIABLERIE_TEMPO",
        type=Numbers(0, 60),
        help="Seconds between two bots' actions.",
    ),
    click.option("--verbose", is_flag=True, help="Show the log in the terminal, too."),
)


class Commands(click.Group):
    """The commands; those of entry points are imported when they are run, and not to be listed."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        point = next((one for one in _points() if one.name == cmd_name), None)
        if cmd_name not in self.commands and point:
            try:
                self.add_command(point.load(), cmd_name)
            except (Exception, SystemExit) as error:  # another package's code may fail in any way
                ctx.fail(f"the command {cmd_name} ({point.value}) cannot be imported: {error}")
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted({*self.commands, *(point.name for point in _points())})

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The names of all commands, each with one line about it."""
        about = {point.name: _about(point) for point in _points()}
        about |= {name: one.get_short_help_str(WIDEST_ABOUT) for name, one in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(about.items()))


def _points() -> Iterable[EntryPoint]:
    return entry_points(group="diablerie.commands")


def _about(point: EntryPoint) -> str:
    """A line about a command; of another package, which may import much, only its name."""
    if point.module.startswith("diablerie."):
        return str(point.load().get_short_help_str(WIDEST_ABOUT))
    return f"From the package {point.dist.name if point.dist else point.module}."


@click.group(cls=Commands)
@click.version_option(diablerie.__version__, message="diablerie %(version)s")
def commands() -> None:
    """Four devil games: play them, simulate them, train on them."""


@commands.command()
def games() -> None:
    """List the games, and warn of those that cannot be used."""
    for game in diablerie.GAMES.values():
        seats = f"{game.seats[0]} to {game.seats[-1]} players"
        print(f"{game.name:12} {seats:16}  {game.title}: {game.tagline}")


def _start(game: str, seats: int | None, options: tuple[str, ...]) -> "tuple[Game, Record]":
    from diablerie.engine.at_once import begin_interpreted

    chosen = diablerie.game_named(game)
    begin_interpreted(chosen)
    count = chosen.seats[0] if seats is None else seats
    return chosen, chosen.start(count, pairs(options))


@commands.command()
@about_a_game
@click.option("--seed", type=int, default=1, help="The seed of the walk.")
@click.option("--limit", type=click.IntRange(min=0), help="Stop after this many steps.")
def walk(
    game: str, seats: int | None, options: tuple[str, ...], seed: int, limit: int | None
) -> None:
    """Play a random game and print each step.

    To compare implementations of the rules. A line has the number of the step, the seat that
    decides or chance, the node, how many options there are, and which of them is taken.
    """
    from diablerie.engine.walk import walk as steps

    chosen, state = _start(game, seats, options)
    print("step who node options chosen", file=sys.stderr, flush=True)  # no line of the walk itself
    for line in steps(chosen, state, seed, limit):
        print(line)


@commands.command()
@about_a_game
@click.option("--depth", type=click.IntRange(0, 12), required=True, help="Length of histories.")
def perft(game: str, seats: int | None, options: tuple[str, ...], depth: int) -> None:
    """Count the histories of a given length from the start."""
    from diablerie.engine.walk import perft as count

    chosen, state = _start(game, seats, options)
    print(count(chosen, state, depth))


@commands.command(name="print")
@click.argument("game")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The page to write.",
)
@click.option("--paper", default="a4", show_default=True, help="a4 or letter.")
@click.option("--language", default="en", show_default=True, help="en, de, fr or ro.")
@click.option(
    "--background/--no-background",
    default=True,
    help="Large boards with their ground, or sparing ink.",
)
def print_game(game: str, out: Path, paper: str, language: str, background: bool) -> None:
    """Write a game as a page to be printed, cut out and played.

    The page is HTML in one file. A browser prints it, or makes a PDF of it.
    """
    from diablerie.web.html.leaves import PAPERS
    from diablerie.web.people.language import available
    from diablerie.web.routes.printing import PrintQuery, as_file

    chosen = diablerie.game_named(game)
    if chosen.printed is None:
        raise ValueError(f"{chosen.title} has nothing to print")
    for name, word, known in (("paper", paper, PAPERS), ("language", language, available())):
        if word not in known:
            raise ValueError(f"--{name} is one of {', '.join(known)}, not {word!r}")
    out.write_text(as_file(chosen, language, PrintQuery(paper, background)), "utf-8")


@commands.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--commitment", metavar="HEX", help="What the table showed before anybody sat down.")
@click.option("--digest", metavar="HEX", help="What it showed when the match started.")
@click.option("--seal", metavar="HEX", help="What it showed when the match was over.")
def verify(file: Path, commitment: str | None, digest: str | None, seal: str | None) -> None:
    """Check the decisions and the dice of a finished match.

    A file is sound if its decisions were legal, its dice follow from key and nonces, and nothing
    was taken back that may not be. But is it the match that you saw? A sound file may contain other
    legal decisions, or another key. Give the commitment, the digest and the seal that the table
    showed you: they are compared, and the answer says what in the file they bind. It also names
    the first line that is wrong. docs/fairness.md says more.

    The status is 3 for a sound match that continues another one from one of its positions.
    """
    from diablerie.engine import files, proof

    match = diablerie.verify(file)
    if not match.over:
        raise ValueError(f"{file}: sound so far, but the match is not over")
    actual = {
        "commitment": match.fair.commitment,
        "digest": proof.match_digest(match),
        "seal": files.match_seal(match),
    }
    options = {"commitment": commitment, "digest": digest, "seal": seal}
    expected = {name: text.strip().lower() for name, text in options.items() if text is not None}
    # What the table showed decides first: another match that is sound is no answer.
    for name, text in expected.items():
        if text != actual[name]:
            raise ValueError(f"{file}: {proof.other(match, name, actual[name], text)}")
    bound = proof.bound(match, expected)
    print(f"{file}: sound; decisions: {bound['decisions']}.")
    print(f"{match.game.title}, {match.seats} seats,", proof.count_decisions(match))
    for line in (*proof.nonce_sentences(match), *proof.noted(match)):
        print(line)
    for subject, how in bound.items():
        print(f"{subject[0].upper()}{subject[1:]}: {how}.")
    print("\n".join(f"{name + ':':12}{text}" for name, text in actual.items() if text))
    if match.taken:
        print(proof.taken_over(match))
        sys.exit(TAKEN_OVER)


@commands.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--positions", is_flag=True, help="Also print the position after every step.")
def replay(file: Path, positions: bool) -> None:
    """Print a match file as sentences."""
    from rich.console import Console

    from diablerie.engine.text import ENGLISH, render_line
    from diablerie.engine.verbs import EVERYTHING

    match = diablerie.load(file)
    console = Console(highlight=False, soft_wrap=True)
    for step in match.steps(EVERYTHING):
        for line in step.lines:
            clause = f"  [{line.clause}]" if line.clause else ""
            text = render_line(line, ENGLISH, seat_name(match))
            console.print(f"{step.number:5}  {text}{clause}", markup=False)
        if positions:
            console.print(position(match, step.state), markup=False)
    console.print(position(match, match.state), markup=False)


def position(match: "Match", state: object) -> str:
    """A position of a match that everybody may see, as text."""
    return match.game.ui.sketch(match.game.ui.look(state, 0))


def seat_name(match: "Match") -> Callable[["SeatRef"], str]:
    """A function from seats to the names shown for them."""

    def name(seat: "SeatRef") -> str:
        return printable(match.names[seat]) or f"player {seat + 1}"

    return name


@commands.command()
@click.option(
    "--host",
    envvar="DIABLERIE_HOST",
    help="The address to listen on, such as 0.0.0.0. [default: 127.0.0.1, until the page lets others in]",
)
@click.option(
    "--port",
    envvar="DIABLERIE_PORT",
    type=click.IntRange(0, 65535),
    default=8666,
    show_default=True,
)
@database_option
@click.option(
    "--open/--no-open",
    "open_browser",
    envvar="DIABLERIE_OPEN",
    default=True,
    help="Open the browser when the server answers.",
)
@server_options
@click.option(
    "--workers",
    envvar="DIABLERIE_WORKERS",
    type=click.IntRange(1, 64),
    help="How many processes answer requests (PostgreSQL only).",
)
@click.option(
    "--bots",
    envvar="DIABLERIE_BOTS",
    type=click.IntRange(0, 64),
    help="In how many processes bots play (PostgreSQL only); 0: they play elsewhere.",
)
def serve(
    host: str | None,
    port: int,
    db: str,
    open_browser: bool,
    log_level: str,
    tempo: float | None,
    verbose: bool,
    workers: int | None,
    bots: int | None,
) -> None:
    """Start the server that browsers play on.

    Without --db it has a database of its own.
    """
    import diablerie.web  # noqa: F401 (it says what is missing, before anything is forked)
    from diablerie.compiling import forks

    if "://" not in db:  # of several processes on a database each has its own
        forks.prepare_forks()  # imports, while this process does
    from diablerie.web.process.serve import ServeSettings
    from diablerie.web.process.serve import serve as run

    asked = ServeSettings(host, port, db, open_browser, log_level, tempo, verbose, workers, bots)
    run(asked)


@commands.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8667, show_default=True)
@click.option(
    "--site", "sites", multiple=True, metavar="ADDRESS", help="Only this site; may be given again."
)
def meet(host: str, port: int, sites: tuple[str, ...]) -> None:
    """Start a meeting point, where static sites find their guests.

    It has no games and writes nothing to a disk; docs/site.md says more.
    """
    from diablerie.web.process.meet import serve_rooms

    serve_rooms(host, port, sites)


@commands.command()
@click.option("--db", envvar="DIABLERIE_DB", required=True, help="PostgreSQL database URL.")
@click.option(
    "--threads",
    envvar="DIABLERIE_THREADS",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="How many bots think at once.",
)
@server_options
def bots(db: str, threads: int, log_level: str, tempo: float | None, verbose: bool) -> None:
    """Let bots play for servers that share a PostgreSQL database."""
    from diablerie.web.process.workers import bots_alone

    bots_alone(db, threads, tempo, log_level, verbose)


@commands.command()
@database_option
def doctor(db: str) -> None:
    """Read a whole database and explain what is wrong in it.

    The status is 1 if anything is.
    """
    from diablerie.table.doctor import DatabaseUnderCheck
    from diablerie.web.process.serve import default_db

    database = DatabaseUnderCheck(db or default_db())
    problems = 0
    for finding in database.findings():
        problems += 1
        print(printable(f"table {finding.table}: {finding.why}" if finding.table else finding.why))
    plural = "" if problems == 1 else "s"
    print(f"{database.count} tables read, {problems or 'no'} problem{plural} found.")
    sys.exit(1 if problems else 0)


@commands.command()
@database_option
@click.option("--clear", is_flag=True, help="Delete the listed lines.")
def reports(db: str, clear: bool) -> None:
    """List the lines of chat that players have reported.

    The oldest comes first.
    """
    from diablerie.table.commands.chat import forget_reports, list_reports
    from diablerie.table.doctor import opened
    from diablerie.web.process.serve import default_db

    store = opened(db or default_db(), writes=clear)
    try:
        reported = list_reports(store)
        for report in reported:
            print(printable(str(report)))
        print(f"{len(reported) or 'No'} line{'' if len(reported) == 1 else 's'} reported.")
        if clear and reported:
            forget_reports(store, max(report.last for report in reported))
    finally:
        store.close()


@commands.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--address", default="", help="Where it will be (https://…): links have previews.")
@click.option(
    "--stun", default="", help="A server (stun:HOST) through which far friends find a way."
)
@click.option("--turn", default="", help="One (turn:HOST) that passes on what finds no way.")
@click.option(
    "--turn-credential",
    envvar="DIABLERIE_TURN_CREDENTIAL",
    default="",
    metavar="NAME:PASSWORD",
    help="For --turn; every visitor of the site can read it.",
)
@click.option(
    "--meet", default="", metavar="ADDRESS", help="A meeting point: one link invites all friends."
)
def site(folder: Path, address: str, stun: str, turn: str, turn_credential: str, meet: str) -> None:
    """Build a static site that plays without a server.

    It has all games; docs/site.md says more.
    """
    with extras.needed("site"):
        import babel  # noqa: F401
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from diablerie.site.folder import Ways, build_steps
    from diablerie.site.modules import CannotBuild

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    # Most of the time goes into the games' modules, one step each, so the bar counts steps.
    try:
        ways = Ways(meet, stun, turn, turn_credential)
        steps = build_steps(folder, address=address, ways=ways)
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task("", total=len(steps))
            for what, work in steps:
                bar.update(task, description=what)
                work()
                bar.advance(task)
    except CannotBuild as error:
        raise click.ClickException(str(error)) from None
    print(
        f"{folder}: {sum(p.stat().st_size for p in folder.rglob('*') if p.is_file()) / 1e6:.1f} MB"
    )


@commands.command("compile")
@click.argument("names", metavar="[GAME]…", nargs=-1)
def compile_games(names: tuple[str, ...]) -> None:
    """Compile games beforehand, all if none is named.

    What first calls would compile is kept in the cache folder (DIABLERIE_CACHE): what tables,
    bots, batches and simulations use. For containers, clusters and exams.
    """
    from diablerie.compiling import rules_compiler
    from diablerie.lab.simulate import simulate as play

    chosen = [diablerie.game_named(name).name for name in names or diablerie.GAMES]
    rules_compiler.compile_games(chosen)
    for name in chosen:
        together = diablerie.batch(name, 2)
        together.reset()
        together.step(together.sample())
        play(name, games=1)


for added in (tournament, simulate, dataset, train, exploit, benchmark, bot, mcp):
    commands.add_command(added)


if __name__ == "__main__":
    main()
