"""Several processes on one PostgreSQL: each shows what any has done, and what is done is done once.

Here they are authorities of one process, each with its own store, memory and threads.
"""

import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
import sqlalchemy as sa

from diablerie.table import schema
from diablerie.table.authority import Authority
from diablerie.table.errors import Stale, TooMany
from diablerie.table.limits import RATES
from diablerie.table.live import Live
from diablerie.table.store import Store, Write
from diablerie.table.together import turns as turns_module
from diablerie.table.together.bots import Bots
from diablerie.table.together.company import SWEEP, Company
from tests.table.conftest import ANN, BO, GAMES, Clock, play, seated

PATIENCE = 20.0


class One(NamedTuple):
    """A process: what it knows, and what it shares."""

    authority: Authority
    company: Company


Opening = Callable[..., One]


@pytest.fixture
def opening(served: str) -> Iterator[Opening]:
    """Opens another process on the database; with `threads` for that many bots."""
    opened: list[One] = []

    def one(threads: int = 0, tempo: float = 0.0, clock: Clock | None = None) -> One:
        store = Store(served, durable=False)
        more = {"clock": clock, "monotonic": clock} if clock else {}
        company = Company(store, tempo=tempo, threads=threads, **more)
        opened.append(One(Authority(store, GAMES, company=company), company))
        return opened[-1]

    yield one
    for made in opened:
        made.company.stop()
        made.authority.store.close()


@pytest.fixture
def two(opening: Opening) -> tuple[One, One]:
    return opening(), opening()


def wait(done: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < until
        time.sleep(0.01)


# -- one truth ---------------------------------------------------------------------------------


def test_a_decision_made_elsewhere_is_shown_when_it_is_asked_for(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    assert there.live(table).ply == 1
    play(here, table, "0 bid 1")
    there.tables.catch_up(table)
    assert there.live(table).ply == 2
    here.chat.say(table, ANN, "hello")
    here.lobby.rename(table, BO, 1, "Bo")
    there.tables.catch_up()
    assert there.live(table).chat[0].text == "hello"
    assert str(there.live(table).name(1)) == "Bo"


def test_what_is_current_is_not_read_again(two: tuple[One, One]) -> None:
    here, _ = (one.authority for one in two)
    table = seated(here, ANN, BO)
    before = here.live(table)
    here.tables.catch_up()
    assert here.live(table) is before


def test_no_decision_is_refused_for_what_a_process_has_not_heard(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    there.live(table)
    play(here, table, "0 bid 1", "1 bid 1")
    live = here.live(table)
    assert there.play.act(table, ANN, 0, live.ply, ["rest"]).ply > live.ply
    with pytest.raises(Stale):
        here.play.act(table, ANN, 0, 1, ["bid 1"])


def test_a_decision_that_two_processes_get_is_made_once(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    there.live(table)
    here.play.act(table, ANN, 0, 1, ["bid 1"])
    with pytest.raises(Stale) as refused:
        there.play.act(table, ANN, 0, 1, ["bid 1"])
    assert refused.value.slug == "repeated"
    assert there.live(table).ply == 2


def test_lines_of_two_processes_are_all_kept_once(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)

    def talk(authority: Authority, name: str) -> None:
        visitor = ANN if name == "ann" else BO
        for n in range(10):
            authority.chat.say(table, visitor, f"{name} {n}")

    talkers = [
        threading.Thread(target=talk, args=words) for words in ((here, "ann"), (there, "bo"))
    ]
    for thread in talkers:
        thread.start()
    for thread in talkers:
        thread.join()
    here.tables.catch_up()
    said = [line.text for line in here.live(table).chat]
    assert sorted(said) == sorted(f"{name} {n}" for name in ("ann", "bo") for n in range(10))
    assert [line.id for line in here.live(table).chat] == list(range(1, 21))


def test_a_state_read_before_news_of_a_newer_one_is_not_kept(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    true = there.store.load

    def load(asked: str) -> object:
        found = true(asked)
        play(here, table, "0 bid 1")  # meanwhile
        there.tables.refresh(table)
        return found

    there.store.load = load  # type: ignore[method-assign,assignment]
    assert there.live(table).ply == 1
    there.store.load = true  # type: ignore[method-assign]
    assert there.live(table).ply == 2


# -- news --------------------------------------------------------------------------------------


def test_news_come_to_the_others_at_once(two: tuple[One, One]) -> None:
    here, there = two
    for one in two:
        one.company.start()
        assert one.company.news.listening.wait(PATIENCE)
    table = seated(here.authority, ANN, BO)
    assert there.authority.live(table).ply == 1
    heard = threading.Event()
    there.company.news.listen("table", lambda told: heard.set() if told == table else None)
    play(here.authority, table, "0 bid 1")
    assert heard.wait(PATIENCE)
    wait(lambda: there.authority.live(table).ply == 2)


def test_what_the_news_did_not_tell_the_sweep_finds(two: tuple[One, One]) -> None:
    here, there = two
    table = seated(here.authority, ANN, BO)
    there.authority.live(table)
    play(here.authority, table, "0 bid 1")
    assert there.authority.live(table).ply == 1
    there.company.sweep()
    assert there.authority.live(table).ply == 2


def test_a_connection_that_breaks_is_made_anew_and_what_it_missed_is_found(
    two: tuple[One, One],
) -> None:
    here, there = two
    there.company.start()
    assert there.company.news.listening.wait(PATIENCE)
    table = seated(here.authority, ANN, BO)
    there.authority.live(table)
    gone = sa.text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()"
    )
    with here.authority.store.writing() as connection:
        connection.execute(gone)
    play(here.authority, table, "0 bid 1")
    wait(lambda: there.authority.live(table).ply == 2)
    assert there.company.news.listening.wait(PATIENCE)


# -- who is here -------------------------------------------------------------------------------


def told(one: One, other: One) -> None:
    """What one process knows of looks, another knows too."""
    one.company.beat()
    one.company.looks.write()
    other.company.looks.read()


def test_who_has_a_page_open_elsewhere_is_here(two: tuple[One, One]) -> None:
    here, there = two
    table = seated(here.authority, ANN, BO)
    here.company.looks.opened(table, ANN, "10.0.0.1", 1)
    told(here, there)
    present = there.authority.presence(there.authority.live(table))
    assert [seat.here for seat in present] == [True, False]
    assert there.authority.hub.watched(table)
    assert there.company.looks.pages("10.0.0.1") == 1
    here.company.looks.opened(table, ANN, "10.0.0.1", -1)
    here.company.looks.write()
    there.company.looks.read(table)
    assert not there.authority.presence(there.authority.live(table))[0].here
    assert there.company.looks.pages("10.0.0.1") == 0


def test_of_a_dead_process_nobody_is_here(two: tuple[One, One]) -> None:
    here, there = two
    table = seated(here.authority, ANN, BO)
    here.company.looks.opened(table, ANN, "10.0.0.1", 1)
    told(here, there)
    assert there.authority.hub.watched(table)
    old = sa.update(schema.processes).values(beat=schema.processes.c.beat - 100)
    there.authority.store.commit([Write(old)])
    there.company.beat()
    there.company.looks.read()
    assert there.company.looks.pages("10.0.0.1") == 0
    assert there.authority.store.column(schema.looks.c.match) == []


# -- bounds ------------------------------------------------------------------------------------


def test_what_an_address_may_ask_for_is_counted_in_all_processes(two: tuple[One, One]) -> None:
    here, there = (one.authority.tables.limits for one in two)
    burst = RATES["chat"].burst
    for n in range(burst):
        (here, there)[n % 2].take("chat", "10.0.0.1")
    for limits in (here, there):
        with pytest.raises(TooMany):
            limits.take("chat", "10.0.0.1")
        assert limits.standing("chat", "10.0.0.1").left == 0
    here.take("chat", "10.0.0.2")


def test_what_an_address_has_had_comes_back_with_time(two: tuple[One, One]) -> None:
    here, there = (one.authority.tables.limits for one in two)
    for _ in range(RATES["chat"].burst):
        here.take("chat", "10.0.0.1")
    earlier = sa.update(schema.budgets).values(at=schema.budgets.c.at - RATES["chat"].seconds)
    two[0].authority.store.commit([Write(earlier)])
    there.take("chat", "10.0.0.1")
    with pytest.raises(TooMany):
        there.take("chat", "10.0.0.1")


def test_an_address_has_one_place_to_think_in_all_processes(two: tuple[One, One]) -> None:
    here, there = (one.authority.tables.limits for one in two)
    with here.place("10.0.0.1") as first, there.place("10.0.0.1") as second:
        assert (first, second) == (True, False)
        with there.place("10.0.0.2") as other:
            assert other
    with there.place("10.0.0.1") as again:
        assert again


# -- bots --------------------------------------------------------------------------------------


def opened(one: One, *plan: str) -> str:
    return one.authority.lobby.open_table(ANN, "toy", list(plan)).id


def due(one: One) -> list[str]:
    return one.authority.store.column(schema.turns.c.match)


def test_a_bot_is_due_from_the_change_that_makes_it_so_to_its_decision(opening: Opening) -> None:
    one = opening()
    table = opened(one, "me", "random")
    assert due(one) == [table], "both decide at once"
    live = one.authority.live(table)
    one.authority.play.act_for(table, 1, live.ply, "bid 1")
    assert due(one) == []
    play(one.authority, table, "0 bid 1")
    one.authority.chat.say(table, ANN, "hello")
    assert (due(one) == [table]) is (one.authority.live(table).pending[0] == 1)


def test_a_turn_is_claimed_by_one(two: tuple[One, One]) -> None:
    here, there = two
    table = opened(here, "me", "random")
    claim = here.company.turns.claim("here:1")
    assert claim is not None
    assert claim.table == table
    assert there.company.turns.claim("there:1") is None
    soonest = there.company.turns.soonest()
    assert soonest is not None
    assert 0 < soonest <= turns_module.LEASE


def test_a_turn_whose_process_died_is_claimed_by_another(two: tuple[One, One]) -> None:
    here, there = two
    table = opened(here, "me", "random")
    assert here.company.turns.claim("here:1")
    here.company.turns.renew(["here:1"])
    lapsed = sa.update(schema.turns).values(lease=schema.turns.c.lease - turns_module.LEASE)
    here.authority.store.commit([Write(lapsed)])
    claim = there.company.turns.claim("there:1")
    assert claim is not None
    assert claim.table == table
    here.company.turns.renew(["here:1"])
    here.company.turns.put_back(claim._replace(holder="here:1"), 0.0)
    assert here.company.turns.claim("here:2") is None, "it is another's now"


def test_bots_among_themselves_are_due_where_somebody_looks_on(two: tuple[One, One]) -> None:
    here, there = two
    table = opened(here, "random", "random")
    assert there.company.turns.claim("there:1") is None
    here.company.beat()
    here.company.looks.opened(table, None, "10.0.0.1", 1)
    here.company.looks.write()
    claim = there.company.turns.claim("there:1")
    assert claim is not None
    assert (claim.table, claim.client) == (table, "10.0.0.1")


def test_of_several_clients_one_who_has_had_least_is_next(opening: Opening) -> None:
    one = opening(threads=3)
    one.company.beat()
    tables = {name: opened(one, "me", "random") for name in ("greedy", "modest")}
    more = opened(one, "me", "random")
    for name, table in (*tables.items(), ("greedy", more)):
        one.company.looks.opened(table, ANN, name, 1)
    one.company.looks.write()
    one.company.turns.thought("greedy", 5.0)
    one.company.turns.thought("modest", 1.0)
    claims = [one.company.turns.claim(f"one:{n}") for n in range(4)]
    assert [claim and claim.client for claim in claims] == ["modest", "greedy", "greedy", None]


def test_one_client_does_not_get_all_threads(opening: Opening) -> None:
    one = opening(threads=2)
    one.company.beat()
    for _ in range(2):
        one.company.looks.opened(opened(one, "me", "random"), ANN, "greedy", 1)
    one.company.looks.write()
    assert one.company.turns.claim("one:1")
    assert one.company.turns.claim("one:2") is None
    other = opened(one, "me", "random")
    one.company.looks.opened(other, BO, "modest", 1)
    one.company.looks.write()
    claim = one.company.turns.claim("one:3")
    assert claim is not None
    assert claim.table == other


def test_bots_of_two_processes_play_games_to_their_end(opening: Opening) -> None:
    house, devils = opening(), [opening(threads=2), opening(threads=2)]
    tables = [opened(house, "me", "random", "random") for _ in range(3)]
    house.company.start()
    players = [Bots(one.authority, one.company, seed=n) for n, one in enumerate(devils)]
    for one, bots in zip(devils, players, strict=True):
        one.company.start()
        bots.start()

    def mine(live: Live) -> bool:
        if 0 in live.pending:
            text = live.position(0).moves[0].text
            house.authority.play.act(live.id, ANN, 0, live.ply, [text])
        return live.status == "over"

    until = time.monotonic() + PATIENCE
    while [table for table in tables if not mine(house.authority.live(table))]:
        assert time.monotonic() < until
        time.sleep(0.005)
    for bots in players:
        bots.stop()
    assert due(house) == []


def test_running_tables_from_before_there_were_rows_are_found(opening: Opening) -> None:
    one = opening()
    table = opened(one, "me", "random")
    one.authority.store.commit([Write(sa.delete(schema.turns))])
    assert one.company.turns.forgotten() == [table]
    one.authority.tables.remind(one.company.turns.forgotten())
    assert due(one) == [table]
    one.authority.tables.remind([table])
    assert due(one) == [table]


# -- house time --------------------------------------------------------------------------------


def test_house_time_is_counted_by_one_and_followed_by_the_others(opening: Opening) -> None:
    clock = Clock()
    here, there = opening(clock=clock), opening(clock=clock)
    here.authority.tables.hours.start()
    clock.now += 100
    here.authority.tables.hours.save()
    there.company.hours.follow()
    assert there.authority.tables.hours.now() == pytest.approx(100, abs=5)
    clock.now += 50
    assert there.authority.tables.hours.now() == pytest.approx(150, abs=5)
    old = sa.update(schema.hours).values(noted=schema.hours.c.noted - 3600)
    here.authority.store.commit([Write(old)])
    there.company.hours.follow()
    clock.now += 50
    assert there.authority.tables.hours.now() == pytest.approx(100, abs=5), "nobody counts"


assert SWEEP < turns_module.LEASE < turns_module.DEAD
