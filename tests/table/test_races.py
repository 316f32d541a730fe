"""Who removes a table and who sits down at it at the same moment, in two processes.

In every race both processes have read the table before either commits: `Gate` sees to that.
"""

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import cycle

import pytest
import sqlalchemy as sa

from diablerie.engine.plies import PlyKind
from diablerie.table.authority import Authority
from diablerie.table.commands import browsers, decisions, lobby
from diablerie.table.commands.subscriptions import PushRequest
from diablerie.table.errors import NotFound, Refused, WrongTime
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage.store import Statement, Store
from tests.table.conftest import ANN, BO, CY, play, seated
from tests.table.several import PATIENCE, One, opening, two

__all__ = ["opening", "two"]  # fixtures
RACES = [pytest.param(80, id="some"), pytest.param(2000, id="many", marks=pytest.mark.nightly)]
Action = Callable[[Authority, str], object]


def leave(authority: Authority, table: str) -> None:
    lobby.leave(authority, table, ANN, 0)


def delete(authority: Authority, table: str) -> None:
    lobby.delete_table(authority, table, ANN)


def sit(visitor: Visitor) -> Action:
    return lambda authority, table: lobby.sit(authority, table, visitor)


class Gate:
    """After `shut`, the first commit of each store waits for the first one of the other store."""

    def __init__(self, *stores: Store) -> None:
        self._barrier = threading.Barrier(len(stores))
        self._stores = stores
        self._waits: list[Store] = []
        self._lock = threading.Lock()
        self.opened = 0
        for store in stores:
            self._guard(store)

    def _guard(self, store: Store) -> None:
        commit = store.commit

        def after_the_others(*writes: Statement) -> None:
            with self._lock:
                waits = store in self._waits
                if waits:
                    self._waits.remove(store)
            if waits and self._barrier.wait(PATIENCE) == 0:
                self.opened += 1
            commit(*writes)

        store.commit = after_the_others  # type: ignore[method-assign]

    def shut(self) -> None:
        self._waits = list(self._stores)


class Racing:
    """Races in two processes, each race at a table of its own."""

    def __init__(self, *processes: Authority) -> None:
        self.processes = processes
        self.gate = Gate(*(process.store for process in processes))

    def race(
        self, seats: int, actions: Sequence[Action], places: Sequence[int]
    ) -> tuple[list[Exception | None], TableState | None]:
        """Do all actions at once, each in the process of this number, at a table of Ann's.

        Returns for each action the error, None where it was acknowledged, and the table after it.
        """
        here, there = self.processes
        table = lobby.open_table(here, ANN, "toy", ["me", *["open"] * (seats - 1)]).id
        errors: list[Exception | None] = [None] * len(actions)

        def do(n: int) -> None:
            try:
                actions[n](self.processes[places[n]], table)
            except Exception as error:
                errors[n] = error

        self.gate.shut()
        threads = [threading.Thread(target=do, args=(n,)) for n in range(len(actions))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        there.forget(table)
        try:
            return errors, there.live(table)
        except NotFound:
            return errors, None


@pytest.fixture
def racing(two: tuple[One, One]) -> Racing:
    return Racing(*(one.authority for one in two))


@pytest.mark.parametrize("races", RACES)
def test_of_leaving_deleting_and_sitting_down_at_once_only_one_is_acknowledged(
    racing: Racing, races: int
) -> None:
    """Either the table of two is removed, or its match has started."""
    places = cycle([(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0)])
    winners, wrong = Counter[str](), []
    for _ in range(races):
        (left, deleted, sat), live = racing.race(2, (leave, delete, sit(BO)), next(places))
        errors = [type(error) for error in (left, deleted, sat)]
        if live and live.status == "running" and live.seats_of(BO) == [1]:
            winners["sit"] += 1
            expected = [[WrongTime, WrongTime, type(None)]]
        else:
            winners["leave" if left is None else "delete"] += 1
            expected = [[type(None), NotFound, NotFound], [NotFound, type(None), NotFound]]
        if errors not in expected:
            wrong.append((live and live.status, errors))
    assert not wrong, f"{len(wrong)} of {races}: {wrong[:5]}"
    assert racing.gate.opened == races
    assert len(winners) == 3, winners


@pytest.mark.parametrize("races", RACES)
def test_no_acknowledged_seat_is_lost_when_the_host_leaves_at_the_same_moment(
    racing: Racing, races: int
) -> None:
    """At a table of three: it is removed only if nobody has sat down before the host leaves."""
    places = cycle([(0, 1, 1), (1, 0, 0), (0, 1, 0), (1, 0, 1)])
    outcomes, wrong = Counter[str](), []
    for _ in range(races):
        errors, live = racing.race(3, (leave, sit(BO), sit(CY)), next(places))
        seated = [bool(live and live.seats_of(who)) for who in (BO, CY)]
        outcome = live.status if live else "removed"
        outcomes[outcome] += 1
        if (
            [error is None for error in errors[1:]] != seated
            or (errors[0] is None) != (outcome in ("open", "removed"))
            or any(error and not isinstance(error, Refused) for error in errors)
        ):
            wrong.append((outcome, errors))
    assert not wrong, f"{len(wrong)} of {races}: {wrong[:5]}"
    assert racing.gate.opened == races
    assert len(outcomes) > 1, outcomes


def test_who_sits_down_at_a_table_that_was_removed_elsewhere_is_told_there_is_none(
    two: tuple[One, One],
) -> None:
    here, there = (one.authority for one in two)
    table = lobby.open_table(here, ANN, "toy", ["me", "open"]).id
    there.live(table)
    lobby.delete_table(here, table, ANN)
    with pytest.raises(NotFound):
        lobby.sit(there, table, BO)
    with pytest.raises(NotFound):
        there.store.key(table)


def test_a_table_removed_while_a_browser_moves_does_not_keep_it_from_moving(
    two: tuple[One, One],
) -> None:
    here, there = (one.authority for one in two)
    gone, kept = (lobby.open_table(here, BO, "toy", ["me", "open"]).id for _ in range(2))
    opening = browsers.create_link(here, ANN)
    commit = there.store.commit

    def commit_and_remove(*writes: Statement) -> None:
        commit(*writes)
        with suppress(NotFound):
            lobby.delete_table(here, gone, BO)

    there.store.commit = commit_and_remove  # type: ignore[method-assign]
    browsers.redeem(there, BO, opening)
    assert here.store.all() == [kept]
    assert there.live(kept).host == ANN


def test_a_browser_that_asks_to_be_called_twice_at_once_is_called(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    key, auth = ("A" * length for length in (87, 22))  # 65 and 16 bytes in base64
    commit = there.store.commit

    def second(*writes: Statement) -> None:
        """The other request is written between the two statements of this one."""
        first = [sa.select(sa.literal(1)) if n == 0 else w for n, w in enumerate(writes)]
        here.subscriptions.subscribe(
            ANN, PushRequest("https://push.example/ann", key, auth, "en", "")
        )
        commit(*first)

    there.store.commit = second  # type: ignore[method-assign]
    there.subscriptions.subscribe(ANN, PushRequest("https://push.example/ann", key, auth, "en", ""))
    assert [push.endpoint for push in there.subscriptions.of(ANN)] == ["https://push.example/ann"]


def test_a_take_back_ends_a_request_that_another_process_has_just_written(
    two: tuple[One, One],
) -> None:
    here, there = two
    table = seated(here.authority, ANN, BO)
    play(here.authority, table, "0 bid 1")
    ply = here.authority.live(table).ply
    here.node.stop()  # it hears no more
    there.authority.forget(table)
    asked = decisions.request_take_back(there.authority, table, ANN, 0)
    assert asked.request is not None
    assert here.authority.live(table).request is None
    decisions.take_back(here.authority, table, ANN, ply, 0)
    there.authority.forget(table)
    live = there.authority.live(table)
    assert live.plies[-1].kind is PlyKind.TAKE_BACK
    assert live.request is None
