"""Batches of jobs for a pool of workers. A job's result does not depend on where it runs.

A job is any value that says what to do, including its seed: one game of a tournament, or a chunk
of a simulation's games. `processes` runs jobs in processes of this machine, `cluster` on Ray.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeVar

from diablerie.engine.text import Line
from diablerie.lab.running.errors import Artifact, BotFailure, JobStopped

BATCH_SECONDS = 0.25  # a batch takes about as long: far more than handing it out does
MAX_BATCH = 64  # jobs in one batch
Job = TypeVar("Job", contravariant=True)
Outcome = TypeVar("Outcome", covariant=True)


class Worker(Protocol[Job, Outcome]):
    """Runs the jobs of a study; every process makes one and gives it job after job."""

    def warm(self) -> None:
        """Compile everything that the jobs need."""

    def play(self, job: Job, stop: Callable[[], bool], /) -> Outcome:
        """Run one job. Raises BotFailure, or JobStopped soon after `stop()` becomes true."""


class JobBatch(NamedTuple):
    """The results of a few jobs, a bot's failure if there was one, and the seconds they took."""

    results: list[Any]
    failure: tuple[Line, Artifact | None] | None
    seconds: float


def run_batch(worker: Worker[Any, Any], jobs: Iterable[Any], stop: Callable[[], bool]) -> JobBatch:
    """Run jobs one after the other, until `stop()` is true or a bot fails."""
    results: list[Any] = []
    began = perf_counter()
    failure = None
    try:
        for job in jobs:
            results.append(worker.play(job, stop))
    except JobStopped:
        pass
    except BotFailure as error:
        failure = error.line, error.artifact
    return JobBatch(results, failure, perf_counter() - began)


class WorkerPool:
    """Hands out batches of jobs to workers; a subclass says where the workers are.

    halt: an event; once it is set, the pool hands out no more batches.
    """

    def __init__(self, halt: Any) -> None:
        self.halt = halt
        self.running: set[Any] = set()  # one handle for each batch under way
        self._size = 1  # jobs in the next batch

    def room(self) -> int:
        """How many batches may be under way: one for each worker, and a few that wait."""
        raise NotImplementedError

    def submit(self, jobs: tuple[Any, ...]) -> Any:
        """Hand out a batch and return a handle of it."""
        raise NotImplementedError

    def finished(self) -> Iterator[JobBatch]:
        """Wait for batches to end and remove them from `running`. Raises WorkersLost."""
        raise NotImplementedError

    def run(self, jobs: Iterator[Any]) -> Generator[Any, None, None]:
        """Yield the results as they come. Raises BotFailure after them, and as `finished`."""
        failure = None
        while self._hand_out(jobs):
            for batch in self.finished():
                yield from batch.results
                self._resize(len(batch.results), batch.seconds)
                if batch.failure:
                    failure = failure or batch.failure
                    self.halt.set()
        if failure:
            raise BotFailure(*failure)

    def _hand_out(self, jobs: Iterator[Any]) -> bool:
        """Keep every worker busy; say whether any batch is under way."""
        room = self.room()
        while not self.halt.is_set() and len(self.running) < room:
            batch = tuple(islice(jobs, self._size))
            if not batch:
                break
            self.running.add(self.submit(batch))
        return bool(self.running)

    def _resize(self, jobs: int, seconds: float) -> None:
        if jobs and seconds:
            self._size = max(1, min(MAX_BATCH, int(BATCH_SECONDS * jobs / seconds)))
