"""Who is served waits while the event loop goes on."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from diablerie.runtime.clock import Clock, SingleThreadClock
from diablerie.runtime.serving import LONG_TURN_SECONDS, paced
from tests.simulated_clock import SimulatedClock

CLOCK = Clock()


def served(*works: Callable[[], Any]) -> list[Any]:
    """What is returned or raised by functions that are served at once."""

    async def run() -> list[Any]:
        tasks = [CLOCK.serve(work) for work in works]
        return await asyncio.gather(*tasks, return_exceptions=True)

    return asyncio.run(run())


def test_what_waits_is_done_in_another_thread_and_the_rest_in_the_loops() -> None:
    here = threading.get_ident
    assert CLOCK.apart(here) == here()
    ((loop, apart, again),) = served(lambda: (here(), CLOCK.apart(here), here()))
    assert loop == again == here() != apart


def test_the_loop_goes_on_while_somebody_waits() -> None:
    free = threading.Event()
    assert served(lambda: CLOCK.apart(lambda: free.wait(60)), free.set) == [True, None]
    told: list[str] = []
    served(lambda: (CLOCK.sleep(0.01), told.append("late")), lambda: told.append("soon"))
    assert told == ["soon", "late"]


def test_errors_reach_who_waits() -> None:
    def waits() -> str:
        with pytest.raises(ZeroDivisionError):
            CLOCK.apart(lambda: 1 // 0)
        return "goes on"

    failed, went_on = served(lambda: CLOCK.apart(lambda: [][0]), waits)
    assert isinstance(failed, IndexError)
    assert went_on == "goes on"


def test_who_leaves_is_told_where_it_waits() -> None:
    free, told = threading.Event(), list[str]()

    def waits() -> None:
        try:
            CLOCK.apart(lambda: free.wait(60))
        finally:
            told.append("left")

    async def run() -> None:
        task = asyncio.create_task(CLOCK.serve(waits))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        free.set()

    asyncio.run(run())
    assert told == ["left"]


def test_a_lock_is_kept_while_its_holder_waits_and_stops_no_loop() -> None:
    lock, told = threading.Lock(), list[int]()

    def holds() -> None:
        with CLOCK.held(lock):
            told.append(1)
            CLOCK.apart(lambda: time.sleep(0.01))
            told.append(-1)

    served(holds, holds, holds)
    assert told == [1, -1] * 3


@pytest.mark.parametrize("clock", [SingleThreadClock(), SimulatedClock()])
def test_where_there_is_one_thread_it_does_everything(clock: Clock) -> None:
    here = threading.get_ident
    assert asyncio.run(clock.serve(lambda: (clock.apart(here), here()))) == (here(), here())


def test_who_takes_long_over_many_items_lets_others_have_their_turn() -> None:
    told: list[object] = []

    def long() -> None:
        for n in paced(range(3)):
            told.append(n)
            until = time.monotonic() + 2 * LONG_TURN_SECONDS
            while time.monotonic() < until:
                pass

    served(long, lambda: told.append("other"))
    assert told == [0, "other", 1, 2]
    assert list(paced("ab")) == ["a", "b"], "outside it goes on at once"
