"""An executor with a bounded queue, so that callers never wait."""

import logging
import queue
from collections.abc import Callable

from diablerie.runtime.background import Background
from diablerie.runtime.clock import SYSTEM_CLOCK, Clock

log = logging.getLogger(__name__)
PILE = 500  # jobs in the queue; more are dropped
WORKERS = 2
Job = Callable[[], object]


class BoundedExecutor(Background):
    """Runs jobs in threads of its own. It logs what a job raises and goes on."""

    def __init__(
        self, workers: int = WORKERS, pile: int = PILE, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self._pile: queue.Queue[Job] = queue.Queue(pile)
        self._full = False
        super().__init__("post", self._run, clock, threads=workers)

    def put(self, job: Job) -> bool:
        """Queue a job; return False if the queue is full. Never waits."""
        try:
            self._pile.put_nowait(job)
        except queue.Full:
            if not self._full:
                log.warning("too much to send: some is dropped")
            self._full = True
            return False
        self._full = False
        self.wake()
        return True

    def stop(self, timeout: float = 1.0) -> None:
        """Stop after the jobs in the queue, or after `timeout` seconds; the rest is dropped."""
        stop = super().stop
        self.put(lambda: stop(0.0))  # after what waits already
        self.join(timeout)
        stop(0.0)

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
