"""Time that tests let pass: no second of it is waited for."""

import asyncio
import math
from collections.abc import Callable

from diablerie.runtime.clock import SingleThreadClock


class SimulatedClock(SingleThreadClock):
    """Time that is simulated, and background work in the thread that calls `step` or `run_until`.

    For simulations and tests. Time passes only when somebody sleeps, or until the next step is due.
    """

    def __init__(self, now: float = 0.0) -> None:
        """`now` is the Unix time at which the simulation begins, in seconds."""
        self._now = now
        super().__init__(self.monotonic, self.monotonic)

    def __call__(self) -> float:
        """Unix time now, in seconds."""
        return self._now

    def monotonic(self) -> float:
        """The same as Unix time."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let so many seconds pass; background work that is due meanwhile runs later."""
        self._now += max(0.0, seconds)

    async def sleep_async(self, seconds: float) -> None:
        """Let so many seconds pass at once, and the event loop do what is ready."""
        self.sleep(seconds)
        await asyncio.sleep(0)

    async def wait_async(self, event: asyncio.Event, timeout: float | None = None) -> bool:
        """Let `timeout` seconds pass, unless the event is set when the loop has done what is ready.

        Without a timeout it waits for other tasks of the loop, and no time passes.
        """
        await asyncio.sleep(0)
        if event.is_set() or timeout is None:
            return await event.wait()
        self.sleep(timeout)
        return False

    def step(self, until: float | None = math.inf) -> bool:
        """Take the step that is due first, and let time pass until then.

        Returns False, and takes none, if none is due by `until` (Unix time in seconds).
        """
        return super().step(until)

    def _pass_until(self, due: float) -> None:
        self._now = max(self._now, due)

    def run_until(self, done: Callable[[], bool], seconds: float = math.inf) -> bool:
        """Take steps until `done()`, or until so many seconds have passed; whether it is done."""
        until = self._now + seconds
        while not done():
            if not self.step(until):
                return False
        return True
