"""The clock through which table and web read the time, sleep, wait and run background work.

The system's clock runs background work in threads. A `SimulatedClock` runs it in one thread, where
time passes only when somebody sleeps or nothing is due. Whoever makes an authority or a server
chooses between them once, by the clock that is handed through.
"""

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from operator import attrgetter
from typing import Protocol, TypeVar

from diablerie.runtime import serving

T = TypeVar("T")


class Worker(Protocol):
    """What a clock runs: one worker of a `Background`."""

    name: str
    due: float  # when its next step is due, by the monotonic clock; infinity: not before a wake-up

    def loop(self) -> None:
        """Take steps, and wait between them, until the worker is stopped."""

    def step(self) -> bool:
        """Take one step; false when there will be no more."""


class Clock:
    """The system's clock. Called, it gives Unix time in seconds, which never goes back.

    A machine's clock that is set forward is followed. When it is set back, Unix time goes on by
    the seconds that really pass, so nobody waits until the other clock is there again.
    """

    threaded = True  # whether there are other threads, for background work and for what waits

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._last = wall(), monotonic()

    def __call__(self) -> float:
        """Unix time now, in seconds."""
        with self._lock:
            last, then = self._last
            passed = self._monotonic()
            now = max(self._wall(), last + passed - then)
            self._last = now, passed
        return now

    def monotonic(self) -> float:
        """Seconds since some moment, to measure how much time passes."""
        return self._monotonic()

    @serving.suspends
    def sleep(self, seconds: float) -> None:
        """Return after so many seconds; below `serve` the event loop goes on meanwhile."""
        serving.sleep(seconds)

    async def serve(self, work: Callable[[], T]) -> T:
        """What `work` returns, called in this thread; where it waits, the event loop goes on."""
        return await serving.serve(work) if self.threaded else work()

    @serving.suspends
    def apart(self, work: Callable[[], T], threads: Executor | None = None) -> T:
        """What `work` returns, which may wait: below `serve`, one of `threads` does it."""
        return serving.apart(work, threads) if self.threaded else work()

    @serving.suspends
    @contextmanager
    def held(self, lock: threading.Lock) -> Iterator[None]:
        """A context with a lock that whoever has it may keep while they wait; see `sleep`."""
        if self.threaded:
            serving.acquire(lock)
        else:
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def wait(self, condition: threading.Condition, timeout: float | None) -> bool:
        """Wait for a condition, which is held; False if nobody notified it in `timeout` seconds."""
        return condition.wait(timeout)

    async def sleep_async(self, seconds: float) -> None:
        """Return after so many seconds, while the event loop does other work."""
        await asyncio.sleep(seconds)

    async def wait_async(self, event: asyncio.Event, timeout: float | None = None) -> bool:
        """Wait until an event is set; False if nobody set it in `timeout` seconds."""
        try:
            async with asyncio.timeout(timeout):  # wait_for would begin a task
                return await event.wait()
        except TimeoutError:
            return False

    def run(self, worker: Worker) -> Callable[[float], None]:
        """Run a worker from now on, in a thread; returns the function that joins it.

        That function waits at most so many seconds, and returns at once in the thread itself.
        """
        thread = threading.Thread(target=worker.loop, name=worker.name, daemon=True)
        thread.start()

        def join(timeout: float) -> None:
            if thread is not threading.current_thread():
                thread.join(timeout)

        return join


SYSTEM_CLOCK = Clock()


class SingleThreadClock(Clock):
    """The system's time, and background work in the thread that calls `step`.

    For interpreters without threads, as in a browser.
    """

    threaded = False

    def __init__(self, *sources: Callable[[], float]) -> None:
        self._workers = list[Worker]()
        super().__init__(*sources)

    @property
    def due(self) -> float:
        """When the next step is due, by the monotonic clock; infinity: none is."""
        return min((worker.due for worker in self._workers), default=math.inf)

    def wait(self, condition: threading.Condition, timeout: float | None) -> bool:
        """Sleep for `timeout` seconds: in one thread nobody can notify whoever waits.

        Raises RuntimeError without a timeout, for the wait would never end.
        """
        if timeout is None:
            raise RuntimeError("nobody can end this wait: there is only one thread")
        self.sleep(timeout)
        return False

    def run(self, worker: Worker) -> Callable[[float], None]:
        """Have a worker take its steps in `step`; to join one that was stopped lets it clean up."""
        self._workers.append(worker)

        def join(timeout: float) -> None:
            if worker in self._workers and worker.due == -math.inf:
                self._workers.remove(worker)
                worker.step()

        return join

    def step(self, until: float | None = None) -> bool:
        """Take the step that is due first.

        Returns False, and takes none, if none is due by `until` (by the monotonic clock; None:
        now).
        """
        worker = min(self._workers, key=attrgetter("due"), default=None)
        limit = self.monotonic() if until is None else until
        if worker is None or worker.due == math.inf or worker.due > limit:
            return False
        self._pass_until(worker.due)
        if not worker.step() and worker in self._workers:
            self._workers.remove(worker)
        return True

    def _pass_until(self, due: float) -> None:
        """Nothing: time passes by itself, but in a simulation."""
