"""A table to try: its own database, a clock that is set by hand, and the toy game."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from diablerie.runtime import clock as runtime
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions as decision_commands
from diablerie.table.commands import lobby
from diablerie.table.state.visitors import Visitor, visitor_of
from diablerie.table.storage.store import Store
from tests.stores import new_store
from tests.table.toy import TOY

GAMES = {"toy": TOY}
ANN, BO, CY = (visitor_of(name) for name in ("ann", "bo", "cy"))


class Clock(runtime.Clock):
    """Unix time, set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reopen(db: str, clock: Clock) -> Iterator[Callable[[], Authority]]:
    """The authority on the same database, as after a restart."""
    stores: list[Store] = []

    def opened() -> Authority:
        stores.append(Store(db, durable=False))
        return Authority(stores[-1], GAMES, clock=clock)

    yield opened
    for store in stores:
        store.close()


@pytest.fixture
def authority(reopen: Callable[[], Authority]) -> Authority:
    return reopen()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Authority]:
    """An authority with the games that people play, on a database of its own."""
    with closing(new_store(tmp_path / "tables.db")) as store:
        yield Authority(store, clock=Clock())


def seated(authority: Authority, *visitors: Visitor) -> str:
    """A running toy table with these visitors on its seats; its id."""
    plan = ["me", *["open"] * (len(visitors) - 1)]
    table = lobby.open_table(authority, visitors[0], "toy", plan).id
    for visitor in visitors[1:]:
        lobby.sit(authority, table, visitor)
    return table


def play(authority: Authority, table: str, *decisions: str) -> None:
    """Decisions such as `0 bid 2`, each by the seat's owner, who has seen the latest."""
    for decision in decisions:
        seat, _, text = decision.partition(" ")
        live = authority.live(table)
        owner = live.seats[int(seat)].owner
        assert owner is not None
        decision_commands.decide(authority, table, owner, live.ply, text, int(seat))


def finished(authority: Authority) -> str:
    """A table of Ann and Bo whose match is over."""
    table = seated(authority, ANN, BO)
    for _ in range(3):
        play(authority, table, "0 bid 1", "1 bid 1", "0 rest", "1 rest")
    return table
