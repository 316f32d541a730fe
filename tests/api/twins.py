"""Worlds that differ in what a viewer may not know, and all that a program is told of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from diablerie.engine.game import Game
from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.commands.tokens import SCOPES
from diablerie.table.state.table_state import PERSON, PROGRAM
from diablerie.table.state.visitors import program_of, visitor_of
from diablerie.web.app import create_app
from tests.api.conftest import MAKER, Program
from tests.stores import new_store
from tests.table.conftest import Clock
from tests.table.test_leaks import History, table_of


@contextmanager
def hosted(
    game: Game, seats: int, history: History, viewer: int, *, person: bool = False
) -> Iterator[tuple[Program, Authority]]:
    """A server with the table `t` that has this history, and a program on the viewer's seat.

    With `person` a browser has the seat, whose secret is the token.
    """
    with TemporaryDirectory() as folder:
        store = new_store(Path(folder) / "tables.db")
        authority = Authority(store, {game.name: game}, clock=Clock())
        token = tokens.issue.do(authority, MAKER, tokens.NewToken("Robo", SCOPES), "")
        who = visitor_of(token) if person else program_of(token)
        live = table_of(game, seats, history)
        infos = [
            replace(info, owner=who, kind=PERSON if person else PROGRAM)
            if info.seat == viewer
            else replace(info, owner=visitor_of(f"seat {info.seat}"))
            for info in live.seats
        ]
        authority.memory.keep(replace(live, seats=tuple(infos)))
        yield Program(create_app(authority), "" if viewer == WATCHER else token), authority
        store.close()


def told(game: Game, seats: int, history: History, viewer: int) -> list[bytes]:
    """Everything the API answers to a program on the viewer's seat."""
    with hosted(game, seats, history, viewer) as (program, _):
        answers = [
            program.ask("GET", f"/tables/t{path}") for path in ("", "?since=1", "/match.jsonl")
        ]
        tries = [{"ply": 1, "do": do} for do in ("bet 7000", "look here", "step; step", "look")]
        answers += [program.ask("POST", "/tables/t/decide", json=body) for body in tries]
        answers.append(program.ask("GET", f"/tables/t?seat={(viewer + 1) % seats}"))
        return [b"%d " % answer.status_code + answer.content for answer in answers]
