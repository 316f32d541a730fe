"""Bots that are due: claimed by one process, and by another when that one is gone."""

import time
from typing import Any

import pytest
import sqlalchemy as sa

from diablerie.table.bots import driver
from diablerie.table.bots.driver import Driver
from diablerie.table.cluster import bot_jobs as turns_module
from diablerie.table.cluster.claimed_turns import ClaimedTurns
from diablerie.table.commands import chat, decisions, lobby, seats
from diablerie.table.errors import Unavailable
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import schema
from diablerie.table.storage.database import Now
from tests.table.conftest import ANN, BO, play, seated
from tests.table.several import PATIENCE, One, Opening, opening, two, wait

__all__ = ["opening", "two"]  # fixtures


def opened(one: One, *plan: str) -> str:
    return lobby.open_table(one.authority, ANN, "toy", list(plan)).id


def worker(one: One, seed: int | None = None) -> Driver:
    turns = ClaimedTurns(one.authority, one.node)
    return Driver(one.authority, turns, workers=one.node.threads, seed=seed)


def due(one: One) -> list[str]:
    return one.authority.store.column(schema.turns.c.match)


def test_a_bot_is_due_from_the_change_that_makes_it_so_to_its_decision(opening: Opening) -> None:
    one = opening()
    table = opened(one, "me", "random")
    assert due(one) == [table], "both decide at once"
    live = one.authority.live(table)
    decisions.decide_as_bot(one.authority, table, 1, live.ply, "bid 1")
    assert due(one) == []
    play(one.authority, table, "0 bid 1")
    chat.chat(one.authority, table, ANN, "hello")
    assert (due(one) == [table]) is (one.authority.live(table).pending[0] == 1)


def test_where_no_bot_was_due_and_none_is_nothing_is_written(opening: Opening) -> None:
    one = opening()
    table = seated(one.authority, ANN, BO)
    before = one.authority.live(table)
    play(one.authority, table, "0 bid 1")
    assert one.node.jobs.writes(before, one.authority.live(table)) == []
    assert one.node.jobs.writes(None, before) == []


def test_a_turn_is_claimed_by_one(two: tuple[One, One]) -> None:
    here, there = two
    table = opened(here, "me", "random")
    claim = here.node.jobs.claim("here:1")
    assert claim is not None
    assert claim.table == table
    assert there.node.jobs.claim("there:1") is None
    soonest = there.node.jobs.soonest()
    assert soonest is not None
    assert 0 < soonest <= turns_module.LEASE_SECONDS


def test_a_turn_whose_process_died_is_claimed_by_another(two: tuple[One, One]) -> None:
    here, there = two
    table = opened(here, "me", "random")
    assert here.node.jobs.claim("here:1")
    here.node.jobs.renew(["here:1"])
    lapsed = sa.update(schema.turns).values(lease=schema.turns.c.lease - turns_module.LEASE_SECONDS)
    here.authority.store.commit(lapsed)
    claim = there.node.jobs.claim("there:1")
    assert claim is not None
    assert claim.table == table
    here.node.jobs.renew(["here:1"])
    here.node.jobs.put_back(claim._replace(holder="here:1"), 0.0)
    assert here.node.jobs.claim("here:2") is None, "it is another's now"


def test_who_thinks_for_long_keeps_the_claim_though_one_renewal_be_late(opening: Opening) -> None:
    one = opening()
    opened(one, "me", "random")
    assert one.node.jobs.claim("one:1")
    bots = ClaimedTurns(one.authority, one.node)
    bots._held.add("one:1")
    worn = sa.update(schema.turns).values(
        lease=schema.turns.c.lease - turns_module.LEASE_SECONDS / 2
    )
    before = leases(one)
    one.authority.store.commit(worn)
    pause = bots._renewing.run_once()
    assert leases(one) >= before
    assert pause is not None
    assert 2 * pause <= turns_module.LEASE_SECONDS


def test_a_turn_in_which_no_bot_has_decided_is_due_again_at_once(opening: Opening) -> None:
    one = opening()
    table = opened(one, "me", "random")
    bots = ClaimedTurns(one.authority, one.node)
    turn = bots.take()
    assert turn is not None
    assert turn.ply == one.authority.live(table).ply
    began = now(one)
    bots.finish(turn, seconds=0.1, again=0.0)
    (again,) = one.authority.store.column(schema.turns.c.due)
    assert began <= again <= now(one), "not later, and not before others that are due"
    claimed = bots.take()
    assert claimed is not None
    assert claimed.table == table


def now(one: One) -> float:
    return float(one.authority.store.select(sa.select(Now()))[0][0])


def leases(one: One) -> list[float]:
    return one.authority.store.column(schema.turns.c.lease)


def test_bots_among_themselves_are_due_where_somebody_looks_on(two: tuple[One, One]) -> None:
    here, there = two
    table = opened(here, "random", "random")
    assert there.node.jobs.claim("there:1") is None
    here.node.beat()
    here.node.others.opened(table, None, "10.0.0.1", 1)
    here.node.presence.write()
    claim = there.node.jobs.claim("there:1")
    assert claim is not None
    assert (claim.table, claim.client) == (table, "10.0.0.1")


def test_of_several_clients_one_who_has_had_least_is_next(opening: Opening) -> None:
    one = opening(threads=3)
    one.node.beat()
    tables = {name: opened(one, "me", "random") for name in ("greedy", "modest")}
    more = opened(one, "me", "random")
    for name, table in (*tables.items(), ("greedy", more)):
        one.node.others.opened(table, ANN, name, 1)
    one.node.presence.write()
    one.node.jobs.thought("greedy", 5.0)
    one.node.jobs.thought("modest", 1.0)
    claims = [one.node.jobs.claim(f"one:{n}") for n in range(4)]
    assert [claim and claim.client for claim in claims] == ["modest", "greedy", "greedy", None]


def test_one_client_does_not_get_all_threads(opening: Opening) -> None:
    one = opening(threads=2)
    one.node.beat()
    for _ in range(2):
        one.node.others.opened(opened(one, "me", "random"), ANN, "greedy", 1)
    one.node.presence.write()
    assert one.node.jobs.claim("one:1")
    assert one.node.jobs.claim("one:2") is None
    other = opened(one, "me", "random")
    one.node.others.opened(other, BO, "modest", 1)
    one.node.presence.write()
    claim = one.node.jobs.claim("one:3")
    assert claim is not None
    assert claim.table == other


def test_bots_of_two_processes_play_games_to_their_end(opening: Opening) -> None:
    house, devils = opening(), [opening(threads=2), opening(threads=2)]
    tables = [opened(house, "me", "random", "random") for _ in range(3)]
    house.node.start()
    players = [worker(one, seed=n) for n, one in enumerate(devils)]
    for one, bots in zip(devils, players, strict=True):
        one.node.start()
        bots.start()

    def mine(live: TableState) -> bool:
        if 0 in live.pending:
            text = live.position(0).moves[0].text
            decisions.decide(house.authority, live.id, ANN, live.ply, text, 0)
        return live.status == "over"

    until = time.monotonic() + PATIENCE
    while [table for table in tables if not mine(house.authority.live(table))]:
        assert time.monotonic() < until
        time.sleep(0.005)
    for bots in players:
        bots.stop()
    assert due(house) == []


def test_bots_go_on_soon_after_the_database_is_back(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it refused what they decided: only pauses after a bot's own faults grow."""
    monkeypatch.setattr(driver, "FIRST_BOT_RETRY_SECONDS", 0.01)
    house, devils, refused = opening(), opening(threads=1), 0
    true = decisions.decide_as_bot

    def refusing(*decision: Any) -> TableState:
        nonlocal refused
        refused += 1
        if refused <= 15:  # pauses that double would take 0.01 s times 2 ** 15
            raise Unavailable
        return true(*decision)

    monkeypatch.setattr(decisions, "decide_as_bot", refusing)
    table = opened(house, "me", "random")
    bots = worker(devils)
    house.node.start()
    devils.node.start()
    bots.start()
    wait(lambda: house.authority.live(table).ply > 1)
    bots.stop()


def test_running_tables_from_before_there_were_rows_are_found(opening: Opening) -> None:
    one = opening()
    table = opened(one, "me", "random")
    people = seated(one.authority, ANN, BO)
    one.authority.store.commit(sa.delete(schema.turns))
    assert one.node.jobs.missing() == [table]
    one.node.jobs.insert_missing(one.authority.lives)
    assert due(one) == [table]
    one.node.jobs.insert_missing(one.authority.lives)
    assert due(one) == [table]
    for seat, visitor in enumerate((ANN, BO)):  # both are relieved by devils
        seats.hand_over(one.authority, people, visitor, seat)
    one.authority.store.commit(sa.delete(schema.turns))
    assert sorted(one.node.jobs.missing()) == sorted([table, people])
