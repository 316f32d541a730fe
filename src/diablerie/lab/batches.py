"""Jobs done elsewhere, a few at a time; what comes of a job does not depend on where that is.

A job is whatever says what to do, seed included: a game of a tournament, a chunk of simulated ones.
`workers` does them in processes of this machine, `cluster` on many machines.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple, Protocol, TypeVar

from diablerie.engine.text import Line
from diablerie.lab.errors import BotFailure, Stopped
from diablerie.lab.filed import File

CHUNK_SECONDS = 0.25
LARGEST = 64  # jobs handed out at once
Job = TypeVar("Job", contravariant=True)
Found = TypeVar("Found", covariant=True)


class Work(Protocol[Job, Found]):
    """What a worker does: made once, then given one job after another."""

    def warm(self) -> None:
        """Compile what the jobs need."""

    def play(self, job: Job, stop: Callable[[], bool], /) -> Found:
        """What a job gives. Raises BotFailure, or Stopped as soon as `stop` says so."""


class Batch(NamedTuple):
    """What came of a few jobs: results, a bot's failure if there was one, seconds they took."""

    results: list[Any]
    failure: tuple[Line, File | None] | None
    seconds: float


def played(work: Work[Any, Any], jobs: Iterable[Any], stop: Callable[[], bool]) -> Batch:
    """Do jobs one after the other, in the worker, until `stop` says so or a bot fails."""
    results: list[Any] = []
    began = perf_counter()
    failure = None
    try:
        for job in jobs:
            results.append(work.play(job, stop))
    except Stopped:
        pass
    except BotFailure as error:
        failure = error.line, error.file
    return Batch(results, failure, perf_counter() - began)


class Pool:
    """Workers that are handed batches of jobs, so large that each takes a moment.

    Where they are says a subclass. halt: an event that ends the work when it is set.
    """

    def __init__(self, halt: Any) -> None:
        self.halt = halt
        self.running: set[Any] = set()  # what stands for each batch that is under way
        self._size = 1

    def room(self) -> int:
        """How many batches may be under way: one for each worker, and some that wait."""
        raise NotImplementedError

    def submit(self, jobs: tuple[Any, ...]) -> Any:
        """Hand out a batch; what stands for it."""
        raise NotImplementedError

    def finished(self) -> Iterator[Batch]:
        """Wait for batches to end, take them from `running`. Raises WorkersLost."""
        raise NotImplementedError

    def play(self, jobs: Iterator[Any]) -> Generator[Any, None, None]:
        """What the jobs give, as they end. Raises BotFailure after that, and as `finished`."""
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
        """Keep every worker busy; whether any batch is under way."""
        room = self.room()
        while not self.halt.is_set() and len(self.running) < room:
            batch = tuple(islice(jobs, self._size))
            if not batch:
                break
            self.running.add(self.submit(batch))
        return bool(self.running)

    def _resize(self, jobs: int, seconds: float) -> None:
        if jobs and seconds:
            self._size = max(1, min(LARGEST, int(CHUNK_SECONDS * jobs / seconds)))
