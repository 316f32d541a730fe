"""The post: a few threads with a bounded pile, so that who sends never waits."""

import logging
import queue
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)
PILE = 500  # jobs that wait; more are dropped
WORKERS = 2
Job = Callable[[], object]


class BoundedExecutor:
    """Does jobs in threads of its own, which survive whatever a job raises."""

    def __init__(self, workers: int = WORKERS, pile: int = PILE) -> None:
        self._pile: queue.Queue[Job] = queue.Queue(pile)
        self._full = False
        self._threads = [
            threading.Thread(target=self._work, name=f"post-{i}", daemon=True)
            for i in range(workers)
        ]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

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
        return True

    def stop(self, timeout: float = 1.0) -> None:
        """End; what has not been sent by then is not."""
        for _ in self._threads:
            self.put(_end)
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout)

    def _work(self) -> None:
        while True:
            job = self._pile.get()
            if job is _end:
                return
            try:
                job()
            except Exception:
                log.exception("something could not be sent")


def _end() -> None:
    """The last job of a thread."""
