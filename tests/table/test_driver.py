"""Bots are driven from what is stored: at once, after a restart, and when one of them errs."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from diablerie.bots.spec import KINDS, BotKind
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import Rng
from diablerie.engine.text import say
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import Driver
from diablerie.table.commands import lobby, seats
from tests.table.conftest import ANN, BO, Clock, play, seated


@contextmanager
def driving(authority: Authority, tempo: float = 0.0) -> Iterator[Driver]:
    driver = Driver(authority, tempo=tempo, seed=1)
    driver.start()
    try:
        yield driver
    finally:
        driver.stop()


def wait(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.002)


def test_bots_play_a_whole_match(authority: Authority) -> None:
    with driving(authority):
        table = lobby.open_table(authority, ANN, "toy", ["random", "sensible", "random"]).id
        authority.hub.glance(table)
        wait(lambda: authority.live(table).status == "over")


def test_bots_wait_for_people(authority: Authority) -> None:
    with driving(authority):
        table = lobby.open_table(authority, ANN, "toy", ["sensible", "me", "sensible"]).id
        wait(lambda: authority.live(table).pending == [1])
        play(authority, table, "1 bid 1")
        wait(lambda: authority.live(table).pending == [1])
        assert [p.seat for p in authority.live(table).plies[-2:]] == [1, 0]


def test_a_restart_resumes_the_bots(authority: Authority, reopen: Callable[[], Authority]) -> None:
    tables = [lobby.open_table(authority, ANN, "toy", ["random", "sensible"]).id for _ in range(5)]
    assert {authority.live(table).ply for table in tables} == {1}
    again = reopen()
    for table in tables:
        again.hub.glance(table)
    with driving(again):
        wait(lambda: all(again.live(table).status == "over" for table in tables))


def test_bots_among_themselves_play_only_while_somebody_looks(authority: Authority) -> None:
    async def looking(table: str) -> None:
        async with authority.hub.subscribe(table):
            await asyncio.to_thread(wait, lambda: authority.live(table).status == "over")

    with driving(authority):
        table = lobby.open_table(authority, ANN, "toy", ["random", "sensible"]).id
        other = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
        play(authority, other, "0 bid 1")
        wait(lambda: authority.live(other).pending == [0])
        assert authority.live(table).ply == 1
        asyncio.run(looking(table))


def test_a_bot_stands_in_at_once(authority: Authority, clock: Clock) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1")
    with driving(authority):
        clock.now += 100
        seats.give_to_bot(authority, table, ANN, 1)
        wait(lambda: authority.live(table).pending == [0])


def test_bots_take_their_time(authority: Authority, clock: Clock) -> None:
    with driving(authority, tempo=1000.0):
        table = lobby.open_table(authority, ANN, "toy", ["sensible", "sensible"]).id
        authority.hub.glance(table)
        time.sleep(0.05)
        assert authority.live(table).ply == 1
    clock.now += 1001  # so long after the last ply nobody waits again
    with driving(authority, tempo=1000.0):
        wait(lambda: authority.live(table).ply == 2)


class Spy:
    """Notes what bots get to see."""

    seen: list[tuple[int, bytes, bytes]] = []  # noqa: RUF012

    def __init__(self, game: Game) -> None:
        self.width = game.actions

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        masked = copy(s)
        verbs.redact(masked, seat)
        Spy.seen.append((seat, s.tobytes(), masked.tobytes()))
        return verbs.advise(s, seat, rng)


class Broken:
    """Errs in every way there is."""

    def __init__(self, game: Game) -> None:
        self.calls = 0

    def choose(self, s: Record, seat: int, rng: Rng) -> int:
        self.calls += 1
        if self.calls % 2:
            raise RuntimeError("lost")
        return 13  # not legal


@pytest.fixture
def own_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "spy", BotKind(Spy, say("Spy")))
    monkeypatch.setitem(KINDS, "broken", BotKind(Broken, say("Broken")))
    monkeypatch.setattr(Spy, "seen", [])


@pytest.mark.usefixtures("own_bots")
def test_bots_see_only_what_their_seat_may_see(authority: Authority) -> None:
    with driving(authority):
        table = lobby.open_table(authority, ANN, "toy", ["me", "spy", "spy"]).id
        play(authority, table, "0 bid 3")
        wait(lambda: authority.live(table).pending == [0])
        play(authority, table, "0 look", "0 rest")
        wait(lambda: authority.live(table).pending == [0])
    assert {seat for seat, _, _ in Spy.seen} == {1, 2}
    assert all(seen == masked for _, seen, masked in Spy.seen)


@pytest.mark.usefixtures("own_bots")
def test_a_bot_that_errs_does_not_stop_the_game(
    authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR), driving(authority):
        table = lobby.open_table(authority, ANN, "toy", ["broken", "random"]).id
        authority.hub.glance(table)
        wait(lambda: authority.live(table).status == "over")
    assert caplog.text.count("bot broken for seat 0") == 1


class Thinking:
    """A kind of bot that thinks until it is released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        release, begun = threading.Event(), threading.Event()
        self.release, self.begun = release, begun

        class Slow:
            def __init__(self, game: Game) -> None:
                self.game = game

            def choose(self, s: Record, seat: int, rng: Rng) -> int:
                begun.set()
                release.wait(30)
                return legal_actions(self.game, s, seat)[0]

        monkeypatch.setitem(KINDS, "slow", BotKind(Slow, say("Slow")))


def test_poking_never_waits_for_a_bot(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, slow = threading.active_count(), Thinking(monkeypatch)
    with driving(authority) as driver:
        table = lobby.open_table(authority, ANN, "toy", ["slow", "me"]).id
        authority.hub.glance(table)
        assert slow.begun.wait(10)
        for _ in range(1000):
            driver.turns.on_change(authority.live(table))
        assert authority.live(table).ply == 1  # the bot thinks still
        slow.release.set()
    wait(lambda: threading.active_count() == before)


def test_another_address_is_served_while_one_has_all_its_bots_thinking(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Thinking(monkeypatch)
    greedy = [lobby.open_table(authority, ANN, "toy", ["slow", "me"]).id for _ in range(4)]
    modest = lobby.open_table(authority, BO, "toy", ["random", "me"]).id
    for table in greedy:
        authority.hub.glance(table, "10.0.0.1")
    authority.hub.glance(modest, "10.0.0.2")
    with driving(authority):
        assert slow.begun.wait(10)
        wait(lambda: authority.live(modest).pending == [1])
        assert all(authority.live(table).ply == 1 for table in greedy)
        slow.release.set()
        wait(lambda: all(authority.live(table).pending == [1] for table in greedy))
