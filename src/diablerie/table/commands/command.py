"""A command: a function that does what somebody asks for, declared once, with a struct of what is asked.

    decorator                    the function        what is made        answers
    @command(Operations.resign)  live, asker, asked  Command             the table after it
    @step_command(Claiming)      live, asker, asked  StepCommand         the table after it
    @table_command(SeatLink)     asker, asked        TableCommand        what the function returns
    @site_command(NewToken)      asker, asked        SiteCommand         what the function returns

The first two are steps: from a table to its next state, without a look at anything else. The others
do what they like: a TableCommand about the table `asker.table`, a SiteCommand about none, or about
one that it makes. (`groups.py` adds commands about a group.)

What programs can ask for, too, is a `Command`: its name, scope and limit stand in
`diablerie.api.Operations`, where the clients find them. Of those, in `COMMANDS`, the forms of a
table's page (`web/app.py`) and the API are made.

A command is called with the fields of its struct, or by `do` with the struct itself, as whoever
serves requests has parsed it; `do` also takes the client whom the rate limits count.
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

# P: the fields of a command's struct, so that mypy checks calls that give them; R: what it answers.
P = ParamSpec("P")
R = TypeVar("R")
MoreWrites = Callable[[TableState], Sequence[Statement]]
Next = TableState | None  # what a table becomes; None: it is removed


# -- who asks, and how a table changes -----------------------------------------------------------


def leads(live: TableState, visitor: Visitor | None) -> bool:
    """Whether the visitor may begin the game and choose who plays: who has opened the table.

    Around a screen in the middle all are in one room, and whoever has a seat may.
    """
    return visitor == live.host or bool(live.screen and live.seats_of(visitor))


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

    def owns(self, live: TableState) -> bool:
        """Whether the asker may end the table while others play there: it is kept in their browser."""
        return self.tables.alone and self.visitor == live.host

    def leads(self, live: TableState) -> None:
        """Raise Forbidden unless the asker may begin the game and choose who plays; see `leads`."""
        if not leads(live, self.visitor):
            self.hosts(live)


def change(asker: Asker, step: Callable[[TableState, Asker], Next]) -> TableState:
    """Change the asker's table by one step; its match begins if it waits for nothing more.

    Answers when it is durable. Raises what the step and `Tables.change` raise.
    """

    def changed(live: TableState) -> Next:
        after = step(live, asker)
        return after and asker.tables.started(after)

    return asker.tables.change(asker.table, changed, lambda live: asker.more_writes(live))


# -- steps of a table ----------------------------------------------------------------------------


@dataclass(frozen=True)
class StepCommand(Generic[P]):
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

        def step(live: TableState, asker: Asker) -> Next:
            return self.step(live, asker, asked)

        return change(asker, step)

    def __call__(
        self, tables: Tables, table: str, visitor: Visitor, *args: P.args, **named: P.kwargs
    ) -> TableState:
        """Change a table; see `change`."""
        return self.do(tables, table, visitor, self.takes(*args, **named))


@dataclass(frozen=True)
class Command(StepCommand[P]):
    """A step of a table that programs can ask for, too."""

    operation: AnyOperation


AnyCommand = Command[...]
COMMANDS: dict[str, AnyCommand] = {}  # those of programs, by operation


def command(
    operation: Operation[Concatenate[str, P], Done],
) -> Callable[[Callable[[TableState, Asker, Any], Next]], Command[P]]:
    """A decorator that makes a function the command for an operation."""

    def declared(step: Callable[[TableState, Asker, Any], Next]) -> Command[P]:
        # Of the operation's parameters the table, which comes first, is no field of the struct.
        COMMANDS[operation.name] = made = Command[P](operation.takes, step, operation)
        return made

    return declared


def step_command(
    takes: Callable[P, Any],
) -> Callable[[Callable[[TableState, Asker, Any], Next]], StepCommand[P]]:
    """The same for a command that programs cannot give in this form."""
    return lambda step: StepCommand(takes, step)


# -- commands that answer with something else ----------------------------------------------------


@dataclass(frozen=True)
class AnsweringCommand(Generic[P, R]):
    """A command whose answer is not the table that it is about.

    How it is called depends on what it is about: that is all in which its subclasses differ.
    """

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
