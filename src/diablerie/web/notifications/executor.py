"""The post: a few threads with a bounded pile, so that who sends never waits."""

import logging
import queue
from collections.abc import Callable

from diablerie.runtime.background import Background
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock

log = logging.getLogger(__name__)
PILE = 500  # jobs that wait; more are dropped
WORKERS = 2
Job = Callable[[], object]


class BoundedExecutor:
    """Does jobs in threads of its own, which survive whatever a job raises."""

    def __init__(
        self, workers: int = WORKERS, pile: int = PILE, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self._pile: queue.Queue[Job] = queue.Queue(pile)
        self._full = False
        self._background = Background("post", self._run, clock, threads=workers)

    def start(self) -> None:
        """Begin."""
        self._background.start()

    def put(self, job: Job) -> bool:
        """Have something done; False if there is no room for it. Never waits."""
        try:
            self._pile.put_nowait(job)
        except queue.Full:
            if not self._full:
                log.warning("too much to send: some is dropped")
            self._full = True
            return False
        self._full = False
        self._background.wake()
        return True

    def stop(self, timeout: float = 1.0) -> None:
        """End; what has not been sent by then is not."""
        self.put(lambda: self._background.stop(0.0))  # after what waits already
        self._background.join(timeout)
        self._background.stop(0.0)

    def _run(self) -> float | None:
        try:
            job = self._pile.get_nowait()
        except queue.Empty:
            return None
        try:
            job()
        except Exception:
            log.exception("something could not be sent")
        return 0.0
