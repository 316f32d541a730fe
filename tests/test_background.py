"""Background work in threads and in steps of a simulated clock, and the one clock of all."""

import ast
import asyncio
import math
import threading
import time
from collections.abc import Callable
from itertools import count

import pytest

from diablerie.runtime.background import Background, Failures, exponential_backoff
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock, SingleThreadClock
from tests.simulated_clock import SimulatedClock
from tests.test_structure import modules

PATIENCE = 60.0

# Who may use the system's time and threads itself, and why.
ALLOWED = {
    "diablerie.table.outbound": {"Timer"},  # cuts a connection that takes too long
    "diablerie.table.cluster.process_news": {"Event"},  # whether it listens: nobody waits in src
    "diablerie.web.edges.metrics": {"Thread"},  # the type of prometheus-client's own
    "diablerie.web.process.workers": {"Thread", "Event"},  # waits for processes, by the system
    "diablerie.web.process.sockets": {"call_later"},  # the deadline of a connection, which
    "diablerie.web.edges.forms": {"timeout"},  # as the one of a body is the event loop's,
    "diablerie.web.routes.meeting": {"timeout"},  # and the one of a text for the meeting point
    "diablerie.web.edges.logs": {"perf_counter"},  # how long an answer took, for the log
    "diablerie.table.storage.database": {"acquire"},  # threads wait for the one that writes
    "diablerie.table.presence.fair_queue": {"wait_for", "monotonic"},  # a request, for its place
    "diablerie.web.process.serve": {"Thread", "sleep"},  # opens a browser, before there is a server
}
FORBIDDEN = {
    "time": {"time", "monotonic", "perf_counter", "sleep", "monotonic_ns", "time_ns"},
    "threading": {"Thread", "Timer", "Condition", "Event"},
    "asyncio": {"sleep", "wait_for", "timeout", "timeout_at", "wait"},
    "datetime": {"now", "utcnow", "today"},
    "date": {"today"},
}
METHODS = {"call_later", "call_at"}  # of an event loop, however it is called


def used(tree: ast.Module) -> set[str]:
    """What a module uses of FORBIDDEN and METHODS, or waits for at most some time (`acquire`)."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            owner = node.value.attr if isinstance(node.value, ast.Attribute) else owner
            found |= {node.attr} & (FORBIDDEN.get(owner, set()) | METHODS)
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names} & FORBIDDEN.get(node.module or "", set())
        elif isinstance(node, ast.Call) and (node.args or node.keywords):
            found |= {getattr(node.func, "attr", "")} & {"acquire"}
    return found


@pytest.mark.xdist_group("sources")
def test_table_and_web_read_the_time_wait_and_run_threads_through_the_clock_alone():
    found = {
        name: what for name, tree in modules().items()
        if name.startswith(("diablerie.table.", "diablerie.web.")) and (what := used(tree))
    }  # fmt: skip
    assert found == ALLOWED


@pytest.mark.parametrize(
    "source",
    [
        "import time\ntime.sleep(1)",
        "from threading import Thread",
        "time.monotonic",
        "await asyncio.wait_for(event.wait(), 1)",
        "from asyncio import sleep",
        "self.loop.call_later(1, close)",
        "datetime.datetime.now()",
        "datetime.now(UTC)",
        "lock.acquire(timeout=1)",
    ],
)
def test_what_uses_time_or_threads_itself_is_found(source: str):
    assert used(ast.parse(source))


class Recorded:
    """Work that notes when it runs, and then does what it is told: pauses or errors, in order."""

    def __init__(self, clock: Clock, *results: float | Exception | None) -> None:
        self.clock, self.results, self.times = clock, list(results), list[float]()

    def __call__(self) -> float | None:
        self.times.append(self.clock.monotonic())
        result = self.results.pop(0) if self.results else None
        if isinstance(result, Exception):
            raise result
        return result


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(1000.0)


def test_work_is_run_after_its_pauses_and_when_it_is_woken(clock: SimulatedClock):
    work = Recorded(clock, 5.0, 2.5, None, None)
    background = Background("work", work, clock)
    background.start(1.0)
    while clock.step():
        pass
    assert work.times == [1001.0, 1006.0, 1008.5]
    clock.sleep(100.0)
    background.wake(3.0)
    background.wake(1.0)
    background.wake(2.0)
    while clock.step():
        pass
    assert work.times[3:] == [1109.5], "at the earliest of these times, once"
    background.stop()
    background.wake()
    assert not clock.step()
    assert len(work.times) == 4


def test_in_one_thread_steps_are_taken_when_they_are_due_by_the_systems_time():
    now = [100.0]
    clock = SingleThreadClock(lambda: now[0], lambda: now[0])
    work = Recorded(clock, 5.0, None)
    background = Background("work", work, clock)
    assert (clock.threaded, clock.due) == (False, math.inf)
    background.start(1.0)
    assert clock.due == 101.0
    assert not clock.step(), "time does not pass by itself here"
    now[0] = 103.0
    assert clock.step()
    assert not clock.step()
    assert (work.times, clock.due) == ([103.0], 108.0)
    now[0] = 108.0
    assert clock.step()
    assert work.times == [103.0, 108.0]
    background.stop()
    assert clock.due == math.inf, "its worker is gone"
    with pytest.raises(RuntimeError, match="only one thread"):
        clock.wait(threading.Condition(), None)


def test_pauses_grow_with_the_failures_and_only_the_first_is_logged(
    clock: SimulatedClock, caplog: pytest.LogCaptureFixture
):
    no = ValueError("no\nroom")
    work = Recorded(clock, no, no, no, 0.0, no, None)
    background = Background(
        "work",
        work,
        clock,
        failures=Failures(
            lambda failures, _: exponential_backoff(failures, 2.0, 5.0), said="the work failed"
        ),
    )
    background.start()
    clock.step()
    background.wake()  # nothing shortens a pause after a failure
    while clock.step():
        pass
    assert work.times == [1000.0, 1002.0, 1006.0, 1011.0, 1011.0, 1013.0]
    assert [record.getMessage() for record in caplog.records] == ["the work failed: no room"] * 2
    assert all(record.exc_info for record in caplog.records)


def test_what_is_expected_is_logged_without_a_traceback(
    clock: SimulatedClock, caplog: pytest.LogCaptureFixture
):
    background = Background(
        "work", Recorded(clock, OSError()), clock, failures=Failures(7.0, OSError)
    )
    assert background.run_once() == 7.0
    assert [record.getMessage() for record in caplog.records] == ["work: OSError"]
    assert not caplog.records[0].exc_info


def test_work_that_is_done_once_is_tried_until_it_succeeds(clock: SimulatedClock):
    done: list[str] = []
    work = Recorded(clock, OSError(), 0.0, 0.0)
    background = Background(
        "work",
        work,
        clock,
        once=True,
        failures=Failures(3.0),
        cleanup=lambda: done.append("cleanup"),
    )
    background.start()
    while clock.step():
        pass
    background.wake()
    assert work.times == [1000.0, 1003.0]
    assert done == ["cleanup"]
    assert not clock.step()


def test_a_simulated_worker_cleans_up_when_it_is_stopped(
    clock: SimulatedClock, caplog: pytest.LogCaptureFixture
):
    def cleanup() -> None:
        raise OSError("too late")

    background = Background("work", Recorded(clock, 5.0), clock, cleanup=cleanup)
    background.start()
    clock.step()
    background.stop()
    assert "too late" in caplog.text
    assert not clock.step()


def test_the_simulation_takes_the_steps_of_several_in_the_order_in_which_they_are_due(
    clock: SimulatedClock,
):
    order: list[str] = []

    def noted(name: str, pause: float) -> Callable[[], float]:
        return lambda: order.append(name) or pause  # type: ignore[func-returns-value]

    for name, pause in (("slow", 3.0), ("quick", 1.0)):
        Background(name, noted(name, pause), clock).start(pause)
    assert not clock.run_until(lambda: False, 4.5)
    assert order == ["quick", "quick", "slow", "quick", "quick"]
    assert clock() == 1004.0
    assert clock.run_until(lambda: len(order) > 5)


def test_nobody_waits_for_ever_in_one_thread(clock: SimulatedClock):
    condition = threading.Condition()
    with condition:
        assert not clock.wait(condition, 2.0)
        assert clock.monotonic() == 1002.0
        with pytest.raises(RuntimeError):
            clock.wait(condition, None)


# -- in threads ----------------------------------------------------------------------------------


def test_several_threads_run_the_work_side_by_side_and_all_end():
    meeting, cleaned = threading.Barrier(3), list[str]()

    def work() -> None:
        meeting.wait(PATIENCE)

    def cleanup() -> None:
        cleaned.append(threading.current_thread().name)

    background = Background("crew", work, threads=2, cleanup=cleanup)
    background.start()
    meeting.wait(PATIENCE)
    background.wake()
    meeting.wait(PATIENCE)
    background.stop(PATIENCE)
    assert sorted(cleaned) == ["crew-0", "crew-1"]


def test_a_wake_up_ends_a_pause_and_none_is_lost_while_the_work_runs():
    runs, begun, go_on = count(), threading.Event(), threading.Event()
    done = threading.Event()

    def work() -> float:
        if next(runs) == 0:
            begun.set()
            go_on.wait(PATIENCE)
        else:
            done.set()
        return 1000.0

    background = Background("work", work)
    background.start()
    assert begun.wait(PATIENCE)
    background.wake()
    go_on.set()
    assert done.wait(PATIENCE)
    done.clear()
    background.wake()
    assert done.wait(PATIENCE)
    background.stop(PATIENCE)


def test_work_may_stop_itself_and_a_thread_that_pauses_is_stopped_at_once():
    ended = threading.Event()
    background = Background("work", lambda: background.stop(), cleanup=ended.set)
    background.start()
    assert ended.wait(PATIENCE)
    pausing = Background("work", lambda: 1000.0, cleanup=ended.set)
    ended.clear()
    pausing.start()
    began = time.monotonic()
    pausing.stop(PATIENCE)
    assert ended.is_set()
    assert time.monotonic() - began < PATIENCE


def test_waits_in_an_event_loop_take_simulated_time_only() -> None:
    clock = SimulatedClock(1000.0)

    async def waits() -> None:
        event = asyncio.Event()
        assert not await clock.wait_async(event, 3600.0)
        assert clock() == 4600.0
        await clock.sleep_async(400.0)
        assert clock() == 5000.0
        asyncio.get_running_loop().call_soon(event.set)
        assert await clock.wait_async(event, 3600.0)
        assert await clock.wait_async(event)
        assert clock() == 5000.0, "the event was set before any time passed"

    asyncio.run(waits())


def test_the_system_clock_tells_in_an_event_loop_whether_an_event_was_set() -> None:
    async def waits() -> None:
        event = asyncio.Event()
        assert not await SYSTEM_CLOCK.wait_async(event, 0.0)
        asyncio.get_running_loop().call_soon(event.set)
        assert await SYSTEM_CLOCK.wait_async(event, PATIENCE)

    asyncio.run(waits())
