"""A house whose clocks run, and a machine whose clocks are set by hand."""

from collections.abc import Callable, Iterator

import pytest

from diablerie.runtime import clock as runtime
from diablerie.table.authority import Authority
from diablerie.table.bots.deadlines import Deadlines
from diablerie.table.commands import lobby
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage.store import Store
from tests.table.conftest import GAMES, Clock

HOUR = 3600
House = Callable[[], Authority]


class Machine(runtime.Clock):
    """A machine's two clocks, set by hand: `pass_by` is time, `wall` what it is said to be."""

    def __init__(self) -> None:
        self.wall, self.ticks = Clock(), Clock()
        super().__init__(self.wall, self.ticks)

    def __call__(self) -> float:
        return self.wall.now

    def pass_by(self, seconds: float) -> None:
        self.wall.now += seconds
        self.ticks.now += seconds


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def house(db: str, machine: Machine) -> Iterator[House]:
    """A house whose clocks run; called again, after a restart."""
    stores: list[Store] = []

    def opened() -> Authority:
        stores.append(Store(db, durable=False))
        made = Authority(stores[-1], GAMES, clock=machine)
        made.uptime.start()
        return made

    yield opened
    for store in stores:
        store.close()


def begun(authority: Authority, *visitors: Visitor, pace: int = HOUR, bots: int = 0) -> str:
    plan = ["me", *["open"] * (len(visitors) - 1), *["sensible"] * bots]
    table = lobby.open_table(authority, visitors[0], "toy", plan, pace=pace).id
    for visitor in visitors[1:]:
        lobby.sit(authority, table, visitor)
    return table


def looked(authority: Authority, table: str) -> TableState:
    """The table after the house has looked at its clocks once, as its thread does."""
    Deadlines(authority).look()
    return authority.live(table)


def kinds(live: TableState) -> list[tuple[str, int]]:
    return [(ply.kind.value, ply.seat) for ply in live.plies[1:]]
