"""A command: a function that does what somebody asks for, declared once, with a struct of what is asked.

- `@command(Operations.resign)`: from (live, asker, asked) to the table's next state
- `@table_command(SeatLink)`: from (asker, asked) to an answer, about the table `asker.table`
- `@site_command(NewToken)`: from (asker, asked) to an answer, about no table or a new one

A command is called with the fields of its struct, or by `do` with the struct itself, as whoever
serves requests has parsed it; `do` also takes the client whom the rate limits count. Commands of
`diablerie.api.Operations` are what programs can ask for, too: their names, scopes and limits stand
there, where the clients find them. Of those in `COMMANDS` the forms of a table's page (`web/app.py`)
and the API are made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from msgspec import Struct

from diablerie.api import AnyOperation, Done, Operation
from diablerie.engine.text import say
from diablerie.table.errors import BadInput, Forbidden
from diablerie.table.state.table_state import PERSON, TableSeat, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage.store import Statement
from diablerie.table.tables import Tables

P = ParamSpec("P")
R = TypeVar("R")
MoreWrites = Callable[[TableState], Sequence[Statement]]
Next = TableState | None  # what a table becomes; None: it is removed


@dataclass
class Asker:
    """Who asks for a command; `more_writes` are further writes that belong to the change of the table."""

    tables: Tables
    visitor: Visitor | None  # None: the house
    table: str = ""  # that the command is about
    client: str = ""  # whose requests the rate limits count, an address; "" is not limited
    kind: str = PERSON  # what the visitor is, PERSON or PROGRAM
    more_writes: MoreWrites = lambda _: ()

    @property
    def now(self) -> float:
        """The Unix time."""
        return self.tables.clock()

    @property
    def known(self) -> Visitor:
        """The visitor, of a command that the house does not give."""
        assert self.visitor is not None
        return self.visitor

    def count(self, kind: str) -> None:
        """Count a request for the rate limit of this kind. Raises TooMany, Unavailable."""
        self.tables.limits.take(kind, self.client)

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


def change(asker: Asker, step: Callable[[TableState, Asker], Next]) -> TableState:
    """Change the asker's table by one step; its match begins if it waits for nothing more.

    Answers when it is durable. Raises what the step and `Tables.change` raise.
    """

    def changed(live: TableState) -> Next:
        after = step(live, asker)
        return after and asker.tables.started(after)

    return asker.tables.change(asker.table, changed, lambda live: asker.more_writes(live))


@dataclass(frozen=True)
class HouseCommand(Generic[P]):
    """A command that is one step of a table; its answer is the table."""

    takes: Callable[P, Any]
    step: Callable[[TableState, Asker, Any], Next]

    @property
    def __name__(self) -> str:
        """Its name."""
        return self.step.__name__

    def do(
        self,
        tables: Tables,
        table: str,
        visitor: Visitor | None,
        asked: Struct,
        client: str = "",
        kind: str = PERSON,
    ) -> TableState:
        """Change a table; see `change`."""
        asker = Asker(tables, visitor, table, client, kind)
        return change(asker, lambda live, asker: self.step(live, asker, asked))

    def __call__(
        self, tables: Tables, table: str, visitor: Visitor, *args: P.args, **named: P.kwargs
    ) -> TableState:
        """Change a table; see `change`."""
        return self.do(tables, table, visitor, self.takes(*args, **named))


@dataclass(frozen=True)
class Command(HouseCommand[P]):
    """A step of a table that programs can ask for, too."""

    operation: AnyOperation


@dataclass(frozen=True)
class AnsweringCommand(Generic[P, R]):
    """A command whose answer is not the table that it is about."""

    takes: Callable[P, Any]
    work: Callable[[Asker, Any], R]

    @property
    def __name__(self) -> str:
        """Its name."""
        return self.work.__name__


@dataclass(frozen=True)
class TableCommand(AnsweringCommand[P, R]):
    """A command about one table that answers with something else, or makes another table."""

    def do(
        self, tables: Tables, table: str, visitor: Visitor, asked: Struct, client: str = ""
    ) -> R:
        """What the command answers. Raises what it raises."""
        return self.work(Asker(tables, visitor, table, client), asked)

    def __call__(
        self, tables: Tables, table: str, visitor: Visitor, *args: P.args, **named: P.kwargs
    ) -> R:
        """What the command answers. Raises what it raises."""
        return self.do(tables, table, visitor, self.takes(*args, **named))


@dataclass(frozen=True)
class SiteCommand(AnsweringCommand[P, R]):
    """A command that is about no table, or makes one."""

    def do(
        self,
        tables: Tables,
        visitor: Visitor,
        asked: Struct,
        client: str = "",
        kind: str = PERSON,
    ) -> R:
        """What the command answers. Raises what it raises."""
        return self.work(Asker(tables, visitor, client=client, kind=kind), asked)

    def __call__(self, tables: Tables, visitor: Visitor, *args: P.args, **named: P.kwargs) -> R:
        """What the command answers. Raises what it raises."""
        return self.do(tables, visitor, self.takes(*args, **named))


AnyCommand = Command[...]
COMMANDS: dict[str, AnyCommand] = {}  # those of programs, by operation


def command(
    operation: Operation[Concatenate[str, P], Done],
) -> Callable[[Callable[[TableState, Asker, Any], Next]], Command[P]]:
    """A decorator that makes a function the command for an operation."""

    def declared(step: Callable[[TableState, Asker, Any], Next]) -> Command[P]:
        COMMANDS[operation.name] = made = Command[P](operation.takes, step, operation)
        return made

    return declared


def house_command(
    takes: Callable[P, Any],
) -> Callable[[Callable[[TableState, Asker, Any], Next]], HouseCommand[P]]:
    """The same for a command that programs cannot give in this form."""
    return lambda step: HouseCommand(takes, step)


def table_command(
    takes: Callable[P, Any],
) -> Callable[[Callable[[Asker, Any], R]], TableCommand[P, R]]:
    """A decorator that makes a function the command about one table which takes this struct."""
    return lambda work: TableCommand(takes, work)


def site_command(
    takes: Callable[P, Any],
) -> Callable[[Callable[[Asker, Any], R]], SiteCommand[P, R]]:
    """A decorator that makes a function the command about no table which takes this struct."""
    return lambda work: SiteCommand(takes, work)
