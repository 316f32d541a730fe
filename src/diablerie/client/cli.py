"""`diablerie bot`, a bot on this machine plays at a server's table, and `diablerie mcp`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from diablerie.arguments import all_of, game_option, pairs
from diablerie.engine import extras

if TYPE_CHECKING:
    from diablerie import api
    from diablerie.client import Client


_server_options = all_of(
    click.option(
        "--server",
        default="http://localhost:8666",
        show_default=True,
        envvar="DIABLERIE_SERVER",
        help="Where the table is.",
    ),
    click.option(
        "--token",
        envvar="DIABLERIE_TOKEN",
        required=True,
        help="From the server's page for programs; better in DIABLERIE_TOKEN.",
    ),
)


@click.command()
@click.argument("spec")
@_server_options
@click.option("--table", default="", metavar="LINK", help="Join this table, or continue there.")
@click.option("--open", "game", default="", metavar="GAME", help="Open a table of this game.")
@click.option(
    "--against",
    default="devil",
    show_default=True,
    metavar="WHO,WHO,…",
    help="Who takes the other seats: open, me, or the server's bots.",
)
@game_option
@click.option("--public", is_flag=True, help="List the opened table for everybody there.")
@click.option("--name", default="", help="The bot's name there; the token's name if left out.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many games to play with the same players.",
)
def bot(
    spec: str,
    server: str,
    token: str,
    table: str,
    game: str,
    against: str,
    options: tuple[str, ...],
    public: bool,
    name: str,
    games: int,
) -> None:
    """Seat a bot at a server's table.

    SPEC is module:Class or the name of a bot.
    """
    with extras.needed("client"):
        import httpx

    from diablerie.bots.spec import parse_bot
    from diablerie.client import Client, Refusal
    from diablerie.client.table_player import series

    if bool(table) == bool(game):
        raise click.UsageError("say either --table LINK or --open GAME")
    sys.path.append(str(Path.cwd()))  # so that `module:Class` is found there
    bot_spec = parse_bot(spec, imports=True)
    with Client(server, token) as client:
        try:
            if game:
                plan = ["me", *against.split(",")]
                chosen = pairs(options)
                table = client.open_table(
                    game, plan, options=chosen, name=name, public=public, share=True
                ).id
            else:
                table = _joined(client, table, name)
            print(client.look(table).url, flush=True)
            series(
                client, table, bot_spec, games, lambda seen: print(ending_line(seen), flush=True)
            )
        except Refusal as refusal:
            raise ValueError(str(refusal)) from None
        except httpx.HTTPError as error:
            raise ValueError(f"{server}: {error}") from None


def _joined(client: "Client", link: str, name: str) -> str:
    """Join the table of a link, or take back the seats that bots play there; return its id."""
    table = link.rstrip("/").rpartition("/")[2].partition("?")[0]
    seen = client.look(table)
    if not seen.own:
        client.sit(table, name=name, share=True)
    for seat in seen.own:
        if seen.seats[seat].bot:  # other players gave it to a bot while this program was away
            client.relieve_bot(table, seat)
    return table


def ending_line(seen: "api.Table") -> str:
    """One line with the returns of a finished match."""
    returns = seen.returns or []
    parts = [f"{seat.name} {gain:+.2f}" for seat, gain in zip(seen.seats, returns, strict=True)]
    return f"{seen.id}: " + ", ".join(parts)


@click.command()
@_server_options
def mcp(server: str, token: str) -> None:
    """Let a language model take a seat, by MCP.

    The MCP server is on standard input and output.
    """
    from diablerie.client.mcp_server import mcp_server

    mcp_server(server, token).run()
