"""The clock of the table: Unix time that never goes back, whatever is done to the machine's."""

import threading
import time
from collections.abc import Callable


class Clock:
    """Seconds since 1970. A machine's clock that is set forward is followed, one set back is not.

    Then this one goes on by the seconds that really pass, so nobody waits until the other clock
    is there again.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall, self._monotonic = wall, monotonic
        self._lock = threading.Lock()
        self._last = wall(), monotonic()

    def __call__(self) -> float:
        """The time now."""
        with self._lock:
            (last, then), passed = self._last, self._monotonic()
            now = max(self._wall(), last + passed - then)
            self._last = now, passed
        return now
