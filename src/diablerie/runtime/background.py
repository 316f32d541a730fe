"""Background work: one function that is run again and again, with pauses, until it is stopped."""

import logging
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass

from diablerie.runtime.clock import SYSTEM_CLOCK, Clock

log = logging.getLogger(__name__)
Work = Callable[[], float | None]  # returns the seconds until the next run; None: when woken
Backoff = Callable[[int, Exception], float]  # of failures in a row, and the last one: seconds
FIRST_RETRY_SECONDS = 1.0  # after a failure; doubled after each further one
LONGEST_RETRY_SECONDS = 60.0  # after however many


def exponential_backoff(
    failures: int, first: float = FIRST_RETRY_SECONDS, longest: float = LONGEST_RETRY_SECONDS
) -> float:
    """The pause after so many failures in a row, in seconds: it doubles up to the longest."""
    return float(min(longest, first * 2 ** min(failures - 1, 30)))


@dataclass(frozen=True)
class Failures:
    """What is done when work fails: how long it pauses, in seconds, and what is logged.

    Failures are logged after the words `said` (else the name of the work), those of an `expected`
    kind without a traceback.
    """

    backoff: float | Backoff = lambda failures, _: exponential_backoff(failures)
    expected: type[Exception] | tuple[type[Exception], ...] = ()
    said: str = ""


class Background:
    """Runs `work` from `start` to `stop`: in threads, or in steps of a simulated clock.

    Work that raises is run again after a pause, and only the first of several failures in a row
    is logged. Nothing shortens that pause but `stop`.
    """

    def __init__(
        self,
        name: str,
        work: Work,
        clock: Clock = SYSTEM_CLOCK,
        *,
        threads: int | None = None,
        once: bool = False,
        failures: Failures = Failures(),
        setup: Callable[[], None] = lambda: None,
        cleanup: Callable[[], None] = lambda: None,
    ) -> None:
        """`threads` run `work` side by side: `name`-0, `name`-1, …; None: one, called `name`.

        With `once`, work that has succeeded is not run again. `setup` is called in each thread
        before the first run, and `cleanup` after the last run.
        """
        self.name = name
        self._work = work
        self._clock = clock
        self._once = once
        self._on_failure = failures
        self._setup = setup
        self._cleanup = cleanup
        self._news = threading.Condition()
        self._failures = 0  # in a row
        self._stopping = False
        self._joins: list[Callable[[float], None]] = []
        names = [name] if threads is None else [f"{name}-{i}" for i in range(threads)]
        self._workers = [_Worker(self, name) for name in names]

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop, which work that takes long may ask."""
        return self._stopping

    def start(self, delay: float = 0.0) -> None:
        """Begin, with the first run after `delay` seconds. Only once."""
        self.wake(delay)
        self._joins = [self._clock.run(worker) for worker in self._workers]

    def wake(self, within: float = 0.0) -> None:
        """Have `work` run in at most so many seconds; from any thread, never waits.

        If it runs just now, it is run again afterwards.
        """
        due = self._clock.monotonic() + within
        with self._news:
            if not self._stopping:
                for worker in self._workers:
                    worker.wake(due)
                self._news.notify_all()

    def stop(self, timeout: float = 3.0) -> None:
        """End after the run that is going on, for which each thread is waited `timeout` seconds."""
        with self._news:
            self._stopping = True
            for worker in self._workers:
                worker.due = -math.inf
            self._news.notify_all()
        self.join(timeout)

    def join(self, timeout: float = 3.0) -> None:
        """Wait at most so many seconds for each thread to end."""
        for join in self._joins:
            join(timeout)

    def run_once(self) -> float | None:
        """Run `work` in this thread, and log its failure if it is the first in a row.

        Returns the seconds until it is to run again; None: not before it is woken.
        """
        return self._attempt(self._work)[0]

    def _attempt(self, work: Work) -> tuple[float | None, bool]:
        """The seconds until the next run, and whether this one succeeded."""
        try:
            pause = work()
        except Exception as error:
            self._failures += 1
            if self._failures == 1:
                known = isinstance(error, self._on_failure.expected)
                what = " ".join(str(error).split()) or type(error).__name__
                said = self._on_failure.said or self.name
                log.error("%s: %s", said, what, exc_info=not known)
            backoff = self._on_failure.backoff
            if callable(backoff):
                return backoff(self._failures, error), False
            return backoff, False
        self._failures = 0
        return pause, True


class _Worker:
    """One of those who run the work of a `Background`."""

    def __init__(self, background: Background, name: str) -> None:
        self._background = background
        self.name = name
        self.due = math.inf
        self._not_before = -math.inf  # after a failure
        self._set_up = False

    def wake(self, due: float) -> None:
        """Be due then, if not sooner anyway. Who calls this holds the condition."""
        self.due = max(self._not_before, min(self.due, due))

    def step(self) -> bool:
        """Run the work once, or clean up if it is to stop; false after that."""
        of = self._background
        if not self._set_up:
            self._set_up = True
            of._setup()
        if not of._stopping and self._run():
            return True
        of._attempt(of._cleanup)
        return False

    def _run(self) -> bool:
        """Run the work and note when it is due again; whether it ever is."""
        of = self._background
        with of._news:
            self.due = math.inf
            self._not_before = -math.inf
        pause, succeeded = of._attempt(of._work)
        if succeeded and of._once:
            return False
        with of._news:
            if pause is not None:
                until = of._clock.monotonic() + pause
                self._not_before = -math.inf if succeeded else until
                self.wake(until)
            if of._stopping:
                self.due = -math.inf
        return True

    def loop(self) -> None:
        """Take steps, and wait between them, until the background is stopped."""
        self._rest()
        while self.step():
            self._rest()

    def _rest(self) -> None:
        """Wait until the next step is due. A wait that times out is not measured again."""
        of = self._background
        with of._news:
            while (left := self.due - of._clock.monotonic()) > 0:
                if not of._clock.wait(of._news, None if left == math.inf else left):
                    return
