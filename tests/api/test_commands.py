"""Every command of a table, by the form of its page and by a program's token: one declaration."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.applications import Starlette

from diablerie.api import OPERATIONS, Operations
from diablerie.table.authority import Authority
from diablerie.table.commands.command import COMMANDS, Command
from diablerie.table.commands.tokens import SCOPES
from diablerie.table.presence.rate_limits import RATES, REQUEST_RATES, Limits, Rate
from tests.api.conftest import Program
from tests.web.client import Client

EVERY = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
FOR_STRANGERS = "sit", "ask_seat"  # but at this table there is no seat to be had
FIELDS = {"seat": 0, "ply": 1, "do": "bet 50", "text": "hm", "name": "x"}


@pytest.fixture
def ann(app: Starlette) -> Client:
    return Client(app)


@pytest.fixture
def table(ann: Client) -> str:
    """A running match of two seats that Ann has."""
    return ann.open(here="2").rpartition("/")[2]


def told(command: Command[Any]) -> dict[str, Any]:
    asks = command.operation.takes.__struct_fields__
    return {name: value for name, value in FIELDS.items() if name in asks}


def answer(program: Program, table: str, command: Command[Any]) -> tuple[int, str]:
    asked = program.ask("POST", f"/tables/{table}/{command.__name__}", json=told(command))
    return asked.status_code, asked.json().get("code", "")


@EVERY
def test_a_stranger_is_refused_on_the_page_as_by_a_program(
    command: Command[Any], table: str, app: Starlette, robo: Program
):
    bo = Client(app, "10.0.0.2")
    bo.open(here="2")
    page = bo.call(f"/t/{table}/{command.__name__}", **told(command))
    status, why = answer(robo, table, command)
    assert (page.status_code, page.json()["code"]) == (status, why)
    assert status == (409 if command.__name__ in FOR_STRANGERS else 403)


@EVERY
def test_a_program_needs_the_scope(
    command: Command[Any], table: str, app: Starlette, program: Callable[..., Program]
):
    lacking = set(SCOPES) - {command.operation.scope}
    assert answer(program(lacking), table, command)[0] == 403
    assert answer(Program(app), table, command)[0] == 401


@EVERY
def test_it_is_limited_wherever_it_comes_from(
    command: Command[Any], table: str, ann: Client, robo: Program, authority: Authority
):
    once = dict.fromkeys(RATES, Rate(10**6, 1e-6)) | {command.operation.limit: Rate(1, 60.0)}
    authority.limits = Limits(authority.clock, once)
    path = f"/t/{table}/{command.__name__}"
    first = ann.call(path, **told(command))
    late = ann.call(path, **told(command))
    assert (first.status_code == 429, late.status_code) == (False, 429)
    assert int(late.headers["retry-after"]) > 0
    assert [answer(robo, table, command)[0] == 429 for _ in "12"] == [False, True]


def test_every_command_of_a_table_is_declared_once():
    commands = {one.name for one in OPERATIONS if one.writes}
    assert {*COMMANDS, "open_table", "share", "rematch"} == commands
    assert all(one.operation is vars(Operations)[name] for name, one in COMMANDS.items())
    assert {operation.limit for operation in OPERATIONS} <= set(REQUEST_RATES)
