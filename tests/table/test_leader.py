"""House time and chores, of which one process takes care for all."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa

from diablerie.bots.analysis.analyse import Raw
from diablerie.bots.analysis.findings import Analysis
from diablerie.table.authority import Authority
from diablerie.table.bots.deadlines import Deadlines
from diablerie.table.bots.match_analysis import AnalysisProgress, Analyst
from diablerie.table.cluster import bot_jobs as turns_module
from diablerie.table.cluster.cluster_node import NODE_SWEEP_SECONDS
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import schema
from tests.simulated_clock import SimulatedClock
from tests.stores import new_store
from tests.table.clocked import HOUR, begun, kinds
from tests.table.conftest import ANN, BO, GAMES, play, seated
from tests.table.several import One, Opening, Ticks, opening, two, wait

WHAT = ("begins", "ends")
__all__ = ["opening", "two"]  # fixtures


def test_house_time_is_counted_by_one_and_followed_by_the_others(opening: Opening) -> None:
    clock = Ticks()
    here, there = opening(clock=clock), opening(clock=clock)
    here.authority.uptime.start()
    clock.now += 100
    here.authority.uptime.save()
    there.node.uptime.follow()
    assert there.authority.uptime.now() == pytest.approx(100, abs=5)
    clock.now += 50
    assert there.authority.uptime.now() == pytest.approx(150, abs=5)
    old = sa.update(schema.uptime).values(noted=schema.uptime.c.noted - 3600)
    here.authority.store.commit(old)
    there.node.uptime.follow()
    clock.now += 50
    assert there.authority.uptime.now() == pytest.approx(100, abs=5), "nobody counts"


def test_a_database_whose_clock_is_set_back_takes_no_house_time_away(opening: Opening) -> None:
    clock = Ticks()
    here, there = opening(clock=clock), opening(clock=clock)
    here.authority.uptime.start()
    clock.now += 100
    here.authority.uptime.save()
    ahead = sa.update(schema.uptime).values(noted=schema.uptime.c.noted + 3600)
    here.authority.store.commit(ahead)
    there.node.uptime.follow()
    assert there.authority.uptime.now() == here.authority.uptime.now()
    clock.now += 50
    assert there.authority.uptime.now() == here.authority.uptime.now(), "it goes on"


def test_time_that_is_over_is_over_once_whoever_looks(opening: Opening) -> None:
    clock = Ticks()
    here, there = opening(clock=clock), opening(clock=clock)
    here.authority.uptime.start()
    here.authority.uptime.save()
    there.node.uptime.follow()
    table = begun(there.authority, ANN, BO)
    both = [Deadlines(one.authority) for one in (here, there)]
    for deadlines in both:
        deadlines.look()
    assert kinds(there.authority.live(table)) == []
    clock.now += HOUR + 60
    for deadlines in both:
        deadlines.look()
    for one in (here, there):
        one.authority.catch_up()
        told = kinds(one.authority.live(table))
        assert [told.count(("deadline", seat)) for seat in (0, 1)] == [1, 1]


# -- chores ------------------------------------------------------------------------------------


def test_chores_are_done_by_one_and_by_another_when_that_one_is_gone(
    two: tuple[One, One],
) -> None:
    did: list[str] = []
    chores = [
        one.node.leader(
            partial(did.append, f"{n} begins"),
            partial(did.append, f"{n} ends"),
        )
        for n, one in enumerate(two)
    ]
    for theirs in chores:
        theirs.elect()
    assert did == ["0 begins"]
    assert [theirs.leads for theirs in chores] == [True, False]
    holding = sa.text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    with two[1].authority.store.writing() as connection:
        connection.execute(holding)  # as if its machine were cut off

    def next_one() -> bool:
        two[1].node.sweep()
        return did[-1] == "1 begins"

    wait(next_one)
    two[0].node.sweep()
    assert did == ["0 begins", "1 begins", "0 ends"]
    chores[1].resign()

    def first_again() -> bool:  # the server frees the lock a moment after the connection is closed
        two[0].node.sweep()
        return did[-1] == "0 begins"

    wait(first_again)
    assert did[3:] == ["1 ends", "0 begins"]
    chores[0].resign()


assert NODE_SWEEP_SECONDS < turns_module.LEASE_SECONDS < turns_module.DEAD_PROCESS_SECONDS


def test_a_match_is_analysed_by_one_of_them(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    for _ in range(3):
        play(here, table, "0 bid 1", "1 bid 1", "0 rest", "1 rest")
    analyst = Analyst(there, games=1)
    analysed: list[str] = []

    def analyse(live: TableState, *_: object) -> Iterator[tuple[float, Raw]]:
        analysed.append(live.id)
        yield 1.0, Raw(((0.5, 0.5),) * live.ply, (1,) * live.ply, (0,) * live.ply)

    analyst._analysed = analyse  # type: ignore[method-assign]
    analyst.start()
    with here.limits.place(f"match {table}"):
        assert analyst.look(there.live(table)) == AnalysisProgress(0)
        wait(lambda: not analyst._progress)
        assert analysed == [], "the other does it"
    analyst.look(there.live(table))
    wait(lambda: isinstance(analyst.look(there.live(table)), Analysis))
    assert analysed == [table]
    analyst.stop()


def test_a_leader_has_devils_decide_when_time_is_over(tmp_path: Path) -> None:
    clock = SimulatedClock(1000.0)
    store = new_store(tmp_path / "tables.db", clock=clock)
    authority = Authority(store, GAMES, clock=clock)
    deadlines = Deadlines(authority)
    deadlines.start()
    clock.step()
    table = begun(authority, ANN, BO, pace=HOUR)
    assert not clock.run_until(lambda: authority.live(table).ply > 1, HOUR - 60)
    assert clock.run_until(lambda: authority.live(table).ply > 1, 120)
    deadlines.stop()
    store.close()
