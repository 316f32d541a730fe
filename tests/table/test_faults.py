"""What fails stays where it failed: a spoiled match, a sick database, a clock, a broken bot."""

import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from diablerie.runtime.clock import Clock as Steady
from diablerie.table.authority import Authority
from diablerie.table.bots import driver
from diablerie.table.bots.match_analysis import AnalysisProgress, Analyst
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.commands import lobby
from diablerie.table.errors import Unavailable, UnreadableTable
from diablerie.table.storage import schema
from tests.conftest import IN_CI
from tests.table.conftest import ANN, BO, GAMES, Clock, play, seated
from tests.table.test_driver import driving, wait

ON_BOTH = IN_CI

SPOILED: dict[str, tuple[Any, str]] = {
    "impossible": (sa.update(schema.plies).where(schema.plies.c.ply == 1)
                   .values(events='[[0, "bid 9"]]'), "ply 2"),
    "cut": (sa.update(schema.plies).where(schema.plies.c.ply == 1).values(events='[[0, "b'),
            "ply 2"),
    "empty": (sa.update(schema.plies).where(schema.plies.c.ply == 1).values(events="[]"),
              "ply 2 is impossible"),
    "double": (sa.update(schema.plies).where(schema.plies.c.ply == 3)
               .values(events='[[0, "rest"], [1, "rest"]]'), "ply 4 is impossible"),
    "missing": (sa.delete(schema.plies).where(schema.plies.c.ply == 1), "ply 2 is missing"),
    "shape": (sa.update(schema.plies).values(events="7"), "ply 1"),
    "options": (sa.update(schema.matches).values(options='{"colour": "red"}'), "colour"),
    "json": (sa.update(schema.matches).values(options="{"), "damaged"),
    "game": (sa.update(schema.matches).values(game="chess"), "chess"),
    "version": (sa.update(schema.matches).values(rules=99), "version 99"),
    "key": (sa.update(schema.matches).values(key="00"), "commitment"),
    "seats": (sa.delete(schema.seats).where(schema.seats.c.seat == 0), "seats"),
    "status": (sa.update(schema.matches).values(status="over"), "otherwise"),
}  # fmt: skip


def of(statement: Any, table: str) -> Any:
    """The statement, for the rows of one table."""
    where = statement.table
    return statement.where((where.c.id if where is schema.matches else where.c.match) == table)


def spoil(authority: Authority, how: str) -> tuple[str, str]:
    """A table that is spoiled so, and one beside it that is not."""
    spoiled, sound = seated(authority, ANN, BO), seated(authority, ANN, BO)
    play(authority, spoiled, "0 bid 1", "1 bid 1", "0 rest")
    authority.store.commit(of(SPOILED[how][0], spoiled))
    return spoiled, sound


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_match_is_its_own_problem_alone(
    authority: Authority, reopen: Callable[[], Authority], how: str
) -> None:
    spoiled, sound = spoil(authority, how)
    again = reopen()
    with pytest.raises(UnreadableTable, match=SPOILED[how][1]):
        again.live(spoiled)
    assert sound in {live.id for live in again.mine(ANN)}
    assert spoiled not in {live.id for live in again.mine(ANN)}
    WaitingTables(again).look()
    play(again, sound, "0 bid 1")
    with driving(again):
        table = lobby.open_table(again, ANN, "toy", ["me", "random"]).id
        play(again, table, "0 bid 1")
        wait(lambda: again.live(table).pending == [0])


def test_full_tables_start_beside_a_spoiled_one(
    authority: Authority, reopen: Callable[[], Authority], clock: Clock
) -> None:
    waiting = Authority(authority.store, GAMES, clock=clock)
    waiting.started = lambda live, *_: live  # type: ignore[method-assign]
    spoiled = lobby.open_table(waiting, ANN, "toy", ["me", "random"]).id
    sound = lobby.open_table(waiting, ANN, "toy", ["me", "random"]).id
    authority.store.commit(of(SPOILED["options"][0], spoiled))
    again = reopen()
    WaitingTables(again).look()
    assert again.live(sound).status == "running"
    lobby.open_table(again, ANN, "toy", ["me", "open"])
    assert again.sweep(-1) == 1  # nor does it keep others from being removed


def test_a_table_opened_before_an_update_is_played_by_the_newer_rules(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    authority.store.commit(of(SPOILED["version"][0], table))
    again = reopen()
    assert lobby.sit(again, table, BO).status == "running"
    assert reopen().live(table).status == "running"


def test_a_ply_before_the_snapshot_spoils_the_log_and_no_more(
    authority: Authority, reopen: Callable[[], Authority], caplog: pytest.LogCaptureFixture
) -> None:
    table = seated(authority, ANN, BO)
    for _ in range(3):
        play(authority, table, "0 bid 1", "1 bid 1", "0 swap", "0 pick 1", "0 pick 2")
        play(authority, table, "1 swap", "1 pick 1", "1 pick 2")
    authority.store.commit(of(SPOILED["impossible"][0], table))
    again = reopen()
    live = again.live(table)
    for _ in range(3):
        with pytest.raises(UnreadableTable, match="ply 2"):
            again.log(live, 0)
    assert len([r for r in caplog.records if "cannot be read" in r.message]) == 1


@pytest.mark.parametrize("text", ['{"chances":[[0.5', '{"chances":[],"played":[]}', "[[0.5,0.5]]"])
def test_a_damaged_analysis_is_made_again(authority: Authority, text: str) -> None:
    table = seated(authority, ANN, BO)
    for _ in range(3):
        play(authority, table, "0 bid 1", "1 bid 1", "0 rest", "1 rest")
    row = {"match": table, "games": 1, "chances": text}
    authority.store.commit(sa.insert(schema.analyses).values(row))
    live = authority.live(table)
    begun = Analyst(authority, games=1).look(live)
    assert isinstance(begun, AnalysisProgress)
    assert begun.done == 0


# -- threads and clocks ------------------------------------------------------------------------


def test_bots_survive_whatever_happens_and_pause_longer_each_time(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(driver, "FIRST_BOT_RETRY_SECONDS", 0.001)
    monkeypatch.setattr(driver, "LONGEST_RETRY", 0.01)
    calls = threading.Semaphore(0)
    broken = seated(authority, ANN, BO)
    true = authority.live

    def live(table: str) -> Any:
        if table == broken:
            calls.release()
            raise MemoryError("none left")
        return true(table)

    with caplog.at_level(logging.ERROR), driving(authority) as devils:
        monkeypatch.setattr(authority, "live", live)
        devils.turns._queue(broken, 0.0)
        for _ in range(8):  # more than there are threads
            assert calls.acquire(timeout=10)
        table = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
        play(authority, table, "0 bid 1")
        wait(lambda: true(table).pending == [0])
    assert len([r for r in caplog.records if "none left" in r.getMessage()]) == 1
    assert [driver.retry_pause(n) for n in (1, 2, 3, 99)] == [0.001, 0.002, 0.004, 0.01]


def test_bots_begin_when_the_database_answers(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
    play(authority, table, "0 bid 1")
    monkeypatch.setattr(driver, "FIRST_BOT_RETRY_SECONDS", 0.001)
    true, tries = authority.store.tables, iter(range(3))

    def tables(*status: Any) -> list[str]:
        if next(tries, None) is not None:
            raise Unavailable
        return true(*status)

    monkeypatch.setattr(authority.store, "tables", tables)
    with driving(authority):
        wait(lambda: authority.live(table).pending == [0])
    assert len(caplog.records) == 1


def test_a_clock_set_back_delays_no_bot(authority: Authority, clock: Clock) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
    play(authority, table, "0 bid 1")
    clock.now -= 3600
    with driving(authority, tempo=0.01):
        wait(lambda: authority.live(table).pending == [0], 2)


def test_the_clock_never_goes_back_and_never_stands() -> None:
    wall, passed = 1000.0, 0.0
    clock = Steady(lambda: wall, lambda: passed)
    wall, passed = 1010.0, 10.0
    assert clock() == 1010
    wall, passed = 10.0, 13.0  # set back
    assert clock() == 1013
    wall, passed = 5000.0, 14.0  # set forward
    assert clock() == 5000


def test_a_clock_set_back_over_a_restart_keeps_nobody_away(
    authority: Authority, clock: Clock
) -> None:
    table = seated(authority, ANN, BO)
    clock.now -= 3600
    again = Authority(authority.store, GAMES, clock=clock)
    (_, bo) = again.presence(again.live(table))
    assert bo.due == clock.now + again.attendance.away_after
    clock.now += (
        again.attendance.away_after
    )  # and does not stop others from giving the seat to a bot
    (_, bo) = again.presence(again.live(table))
    assert (bo.due, bo.away) == (clock.now, again.attendance.away_after)
    clock.now -= 1800
    (_, bo) = again.presence(again.live(table))
    assert bo.due == clock.now + again.attendance.away_after


def test_a_listener_that_fails_does_not_undo_a_decision(authority: Authority) -> None:
    table = seated(authority, ANN, BO)

    def fails(_: object) -> None:
        raise RuntimeError

    authority.listen(fails)
    play(authority, table, "0 bid 1")
    assert authority.live(table).ply == 2
