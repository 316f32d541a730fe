"""A command of a table: a function from a table to the next, declared once.

`@command(Operations.resign)` makes `(table, asker, asked) → table` a command. Its name, what it asks
for, the token's scope and the rate limit are declared in `diablerie.api`, where the clients find
them, too. Of `COMMANDS` the forms of a table's page (`web/app.py`) and the API are made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Concatenate, Generic, ParamSpec

from msgspec import Struct

from diablerie.api import AnyOperation, Done, Operation
from diablerie.engine.text import say
from diablerie.table.errors import BadInput, Forbidden
from diablerie.table.state.table_state import TableSeat, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage.store import Statement
from diablerie.table.tables import Tables

P = ParamSpec("P")
Also = Callable[[TableState], Sequence[Statement]]


@dataclass
class Asker:
    """Who asks for a command; `also` are further writes that belong to the change."""

    tables: Tables
    visitor: Visitor | None  # None: the house
    also: Also = lambda _: ()

    @property
    def now(self) -> float:
        """The Unix time."""
        return self.tables.clock()

    def own(self, live: TableState, seat: int | None) -> TableSeat:
        """The seat, which must be the asker's; None: the only one. Raises Forbidden, BadInput."""
        mine = live.seats_of(self.visitor)
        if seat is None and len(mine) > 1:
            raise BadInput(say("You have several seats here: say which one you mean."))
        if not mine and seat is None:
            raise Forbidden(say("You have no seat at this table."))
        if seat is not None and seat not in mine:
            raise Forbidden(say("This is not your seat."))
        return live.seats[mine[0] if seat is None else seat]

    def hosts(self, live: TableState) -> None:
        """Raise Forbidden unless the asker has opened the table."""
        if self.visitor != live.host:
            raise Forbidden(say("Only the person who opened the table may do that."))


def change(
    tables: Tables,
    table: str,
    visitor: Visitor | None,
    step: Callable[[TableState, Asker], TableState | None],
) -> TableState:
    """Change a table by one step; its match begins if it waits for nothing more.

    Answers when it is durable. Raises what the step and `Tables.change` raise.
    """
    asker = Asker(tables, visitor)

    def changed(live: TableState) -> TableState | None:
        after = step(live, asker)
        return after and tables.started(after)

    return tables.change(table, changed, lambda live: asker.also(live))


@dataclass(frozen=True)
class Command(Generic[P]):
    """A command: call it with the fields of what it asks for, or `do` it with the struct."""

    operation: AnyOperation
    step: Callable[..., TableState | None]

    @property
    def __name__(self) -> str:
        """Its name."""
        return self.operation.name

    def do(
        self, tables: Tables, table: str, visitor: Visitor, asked: Struct, **more: object
    ) -> TableState:
        """Change a table; see `change`. more: what the house itself says of it."""
        return change(
            tables, table, visitor, lambda live, asker: self.step(live, asker, asked, **more)
        )

    def __call__(
        self, tables: Tables, table: str, visitor: Visitor, *args: P.args, **named: P.kwargs
    ) -> TableState:
        """Change a table; see `change`."""
        return self.do(tables, table, visitor, self.operation.takes(*args, **named))


AnyCommand = Command[...]
COMMANDS: dict[str, AnyCommand] = {}


def command(
    operation: Operation[Concatenate[str, P], Done],
) -> Callable[[Callable[..., TableState | None]], Command[P]]:
    """A decorator that makes a function the command for an operation."""

    def declared(step: Callable[..., TableState | None]) -> Command[P]:
        COMMANDS[operation.name] = made = Command[P](operation, step)
        return made

    return declared
