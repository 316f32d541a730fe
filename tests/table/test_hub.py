"""News in one process, who is here, and the bounds on what one client may ask for."""

import asyncio
import contextlib
import threading
from dataclasses import replace

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands import decisions
from diablerie.table.errors import TooMany
from diablerie.table.presence import hub as hubs
from diablerie.table.presence.hub import (
    ATTENDANTS_REMEMBERED,
    Attendance,
    Hub,
    Subscription,
    wake_all,
)
from diablerie.table.presence.rate_limits import Limits, Rate
from diablerie.table.state.visitors import visitor_of
from tests.table.conftest import ANN, BO, Clock, play, seated


def test_a_decision_in_another_thread_wakes_the_listeners(authority: Authority) -> None:
    table, other = seated(authority, ANN, BO), seated(authority, ANN, BO)

    async def listen() -> list[bool]:
        async with authority.hub.subscribe(table) as news, authority.hub.subscribe(other) as rest:
            thread = threading.Thread(target=play, args=(authority, table, "0 bid 1", "1 bid 1"))
            thread.start()
            heard = [await news.wait(60)]
            await asyncio.to_thread(thread.join)
            await news.wait(0.05)  # a burst of news is one, or two
            heard.append(await news.wait(0.01))
            heard.append(await rest.wait(0.01))
            return heard

    assert asyncio.run(listen()) == [True, False, False]
    assert authority.live(table).ply == 3


def test_a_refused_decision_is_no_news(authority: Authority) -> None:
    table = seated(authority, ANN, BO)

    async def listen() -> bool:
        async with authority.hub.subscribe(table) as news:
            with pytest.raises(Exception, match="Only what there is to do"):
                decisions.decide(authority, table, ANN, 1, "step", 0)
            return await news.wait(0.02)

    assert asyncio.run(listen()) is False


def test_streams_are_bounded_by_client(authority: Authority) -> None:
    async def open_many() -> None:
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(hubs.MOST_STREAMS_OF_CLIENT):
                await stack.enter_async_context(authority.hub.subscribe("t", None, "1.2.3.4"))
            with pytest.raises(TooMany):
                await stack.enter_async_context(authority.hub.subscribe("t", None, "1.2.3.4"))
            await stack.enter_async_context(authority.hub.subscribe("t", None, "5.6.7.8"))
        assert authority.hub.listeners() == 0

    asyncio.run(open_many())


def test_streams_are_bounded_in_all(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "MOST_LISTENERS", 1)
    hub = Hub(Attendance(clock))

    async def open_two() -> None:
        async with hub.subscribe("t", None, "a"):
            with pytest.raises(TooMany):
                async with hub.subscribe("t", None, "b"):
                    pass

    asyncio.run(open_two())


def test_closing_wakes_everybody(clock: Clock) -> None:
    hub = Hub(Attendance(clock))

    async def listen() -> list[bool]:
        async with hub.subscribe("t") as news:
            hub.close()
            woken = await news.wait(1)
            async with hub.subscribe("t") as late:
                return [woken, news.closing, late.closing]

    assert asyncio.run(listen()) == [True, True, True]
    hub.publish("t")


def test_news_for_a_loop_that_has_ended_go_nowhere(clock: Clock) -> None:
    async def listener() -> hubs.Subscription:
        return hubs.Subscription()

    asyncio.run(listener()).wake()


def test_coming_and_going_are_news_once(authority: Authority) -> None:
    table = seated(authority, ANN, BO)

    async def come_and_go() -> list[bool]:
        heard = []
        async with authority.hub.subscribe(table, BO) as watching:
            await watching.wait(0.01)  # his own coming
            async with authority.hub.subscribe(table, ANN):
                heard += [await watching.wait(1), authority.presence(authority.live(table))[0].here]
                async with authority.hub.subscribe(table, ANN):
                    heard.append(await watching.wait(0.01))
                heard.append(await watching.wait(0.01))
            heard.append(await watching.wait(1))
        return heard

    assert asyncio.run(come_and_go()) == [True, True, False, False, True]
    assert not any(p.here for p in authority.presence(authority.live(table)))


def test_attendance_forgets_the_longest_unseen(clock: Clock) -> None:
    attendance = Attendance(clock)
    for n in range(ATTENDANTS_REMEMBERED + 10):
        attendance.touch("t", visitor_of(str(n)))
    assert len(attendance._seen) == ATTENDANTS_REMEMBERED


# -- bounds ------------------------------------------------------------------------------------


def test_a_client_may_ask_so_often_and_then_slowly(clock: Clock) -> None:
    limits = Limits(clock, {"chat": Rate(3, 2.0), "tables": Rate(1, 9.0)})
    for _ in range(3):
        limits.take("chat", "a")
    with pytest.raises(TooMany):
        limits.take("chat", "a")
    limits.take("chat", "b")
    limits.take("tables", "a")
    clock.now += 2
    limits.take("chat", "a")
    with pytest.raises(TooMany):
        limits.take("chat", "a")
    for _ in range(99):
        limits.take("chat", "")


def test_the_bounds_remember_only_so_many_clients(clock: Clock) -> None:
    limits = Limits(clock, {"chat": Rate(1, 99.0)}, clients=10)
    for n in range(50):
        limits.take("chat", str(n))
    assert len(limits._levels) == 10
    limits.take("chat", "0")
    with pytest.raises(TooMany):
        limits.take("chat", "49")


def test_a_time_by_a_clock_that_was_ahead_counts_from_when_it_was_noticed(
    authority: Authority,
) -> None:
    """Also when the own clock has caught up with it."""
    clock = Clock()
    live = authority.live(seated(authority, ANN, BO))
    attendance = Attendance(clock, away_after=4.0)
    ahead = replace(live, created=clock.now + 5.0)
    dues = []
    for passed in (0.0, 3.0, 3.0):
        clock.now += passed
        dues.append(attendance.of(ahead)[0].due)
    assert dues == [1004.0] * 3


def test_a_change_signals_each_event_loop_once(monkeypatch: pytest.MonkeyPatch):
    async def run() -> int:
        loop, signals = asyncio.get_running_loop(), list[object]()
        news = [Subscription() for _ in range(4)]
        call = loop.call_soon_threadsafe
        monkeypatch.setattr(loop, "call_soon_threadsafe", lambda *work: signals.append(call(*work)))
        wake_all(news)
        assert all(await asyncio.gather(*(one.wait(5.0) for one in news)))
        assert not await news[0].wait(0.0)
        return len(signals)

    assert asyncio.run(run()) == 1


def test_between_the_streams_of_a_table_the_event_loop_does_what_is_ready():
    told: list[str] = []

    async def stream(news: Subscription) -> None:
        await news.wait()
        told.append("stream")
        asyncio.get_running_loop().call_soon(told.append, "another")

    async def run() -> None:
        news = [Subscription() for _ in range(3)]
        streams = [asyncio.create_task(stream(one)) for one in news]
        await asyncio.sleep(0)
        wake_all(news)
        await asyncio.gather(*streams)

    asyncio.run(run())
    assert told[:4] == ["stream", "another", "stream", "another"]
