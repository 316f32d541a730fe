"""Streams of one table share a thread for their frames, and nothing else."""

import asyncio
import threading

import pytest
from diablerie.web.frames.frame_rounds import Rounds

from diablerie.table.presence.hub import Subscription, wake_all


def test_what_streams_of_a_table_ask_for_at_once_is_done_in_one_thread():
    async def run() -> list[int]:
        rounds, here = Rounds(), threading.get_ident
        asked = [rounds.run("a", here) for _ in range(4)]
        return await asyncio.gather(*asked)

    threads = asyncio.run(run())
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


def test_a_stream_that_fails_or_goes_does_not_concern_the_others():
    done = []

    async def run() -> None:
        rounds = Rounds()
        gone = asyncio.create_task(rounds.run("a", lambda: done.append("gone")))
        fails = asyncio.create_task(rounds.run("a", lambda: 1 // 0))
        goes_on = asyncio.create_task(rounds.run("a", lambda: "frame"))
        await asyncio.sleep(0)
        gone.cancel()
        with pytest.raises(ZeroDivisionError):
            await fails
        assert await goes_on == "frame"
        assert await rounds.run("a", lambda: "next") == "next"

    asyncio.run(run())
    assert done == ["gone"]


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
