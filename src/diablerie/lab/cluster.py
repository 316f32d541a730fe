"""Jobs done on many machines, by Ray.

A batch of jobs is a task of Ray's, which finds a place for it, and another one where a worker or
a node is lost. All that a job depends on is in the job, its seed too, so it gives there what it
gives here. Ray asks nobody who they are: trusted networks only. See docs/scaling.md.
"""

import os
import pickle
import re
import socket
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

import diablerie
from diablerie.bots.spec import KINDS
from diablerie.engine import extras
from diablerie.engine.compile import cache_folder, digest
from diablerie.engine.text import say
from diablerie.lab.batches import Batch, Pool, Work, played
from diablerie.lab.errors import BadCluster, WorkersLost
from diablerie.lab.workers import undisturbed

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

ADDRESS = re.compile(r"(?:ray://)?(\[[\da-fA-F:]+\]|[\w.-]+):(\d{1,5})")
RETRIES = 5  # times that a batch is begun again because its worker or node was lost
PATIENCE = 5.0  # seconds for a cluster to answer
ATTEMPTS = 3  # to become a client of a cluster that listens
GRACE = 2.0  # seconds that batches under way have to end when the work is stopped
LOOK = 0.2  # seconds between looks whether it is
COUNT = 5.0  # seconds between looks at how large the cluster is: nodes come and go


def checked(on: str) -> str:
    """Where to play: `ray` or `ray://HOST:PORT`. Raises BadCluster for anything else, or no Ray."""
    if on != "ray" and not (on.startswith("ray://") and ADDRESS.fullmatch(on)):
        raise BadCluster(say("a cluster is “ray” or “ray://HOST:PORT”, not “{text}”", text=on[:80]))
    library()
    return on


def library() -> Any:
    """The module of Ray. Raises BadCluster where it is missing."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    try:
        import ray
    except ImportError:
        raise BadCluster(say("Ray is missing: {command}", command=extras.install("ray"))) from None
    return ray


def play(
    make: Callable[[], Work[Any, Any]],
    jobs: Iterable[Any],
    on: str,
    workers: int | None,
    halt: Any,
    specs: Sequence[str] = (),
) -> Generator[Any, None, None]:
    """What the jobs give, as they end, until `halt` (an event) is set.

    on: see `checked`; plain `ray` is the cluster that RAY_ADDRESS names or that this machine
    belongs to, else one that is started here and ends with the work. workers: how many batches
    may be played at once; None: as many as the cluster has processors. specs: the players, whose
    modules are sent along if they lie in the current folder.

    Raises BadCluster, BotFailure after the results that are there already, and WorkersLost.
    """
    with connected(on, own_modules(specs)) as ray:
        yield from Cluster(ray, make, workers, halt).play(iter(jobs))


@contextmanager
def connected(on: str, modules: Sequence[str] = ()) -> Iterator[Any]:
    """Ray, connected to a cluster. One that the caller has connected to already stays so."""
    ray = library()
    if ray.is_initialized():
        yield ray
        return
    address = on if on != "ray" else os.environ.get("RAY_ADDRESS", "")
    if found := ADDRESS.fullmatch(address):
        _reach(address, found[1].strip("[]"), int(found[2]))
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    more = {"runtime_env": {"py_modules": modules}} if modules else {}
    try:
        with undisturbed():
            if on == "ray":
                ray.init(include_dashboard=False, **quiet, **more)
            else:
                _enter(ray, on, {**quiet, **more})
    except Exception as error:
        raise _unusable(address or on, error) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _reach(address: str, host: str, port: int) -> None:
    """Raise BadCluster unless somebody listens there; Ray itself would try for minutes."""
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise _unusable(address, error) from error


def _enter(ray: Any, address: str, settings: dict[str, Any]) -> None:
    """Connect as a client, for whom Ray starts a server; a busy machine may need a few attempts."""
    for left in reversed(range(ATTEMPTS)):
        try:
            ray.init(address, **settings)
            return
        except ConnectionError:
            if not left:
                raise


def _unusable(address: str, error: Exception) -> BadCluster:
    why = (str(error).strip() or type(error).__name__).splitlines()[0]
    return BadCluster(say("no Ray cluster can be used at {address}: {why}",
                          address=address, why=why))  # fmt: skip


def own_modules(specs: Iterable[str]) -> list[str]:
    """The modules (or the folders of whole packages) of bots that lie in the current folder."""
    here, found = Path.cwd(), []
    for name in sorted({re.split(r"[.:]", spec.strip())[0] for spec in specs} - set(KINDS)):
        module = import_module(name)
        path = Path(next(iter(getattr(module, "__path__", ())), module.__file__ or ""))
        if path.is_relative_to(here) and "site-packages" not in path.parts:
            found.append(str(path))
    return found


class Cluster(Pool):
    """The processors of a cluster, which may become more or fewer."""

    def __init__(self, ray: Any, make: Callable[[], Any], workers: int | None, halt: Any) -> None:
        super().__init__(halt)
        self._ray, self._workers = ray, workers
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_batch)
        self._told = pickle.dumps(make), (diablerie.__version__, digest())
        self._counted, self._processors, self._stopped = -COUNT, 1, 0.0

    def play(self, jobs: Iterator[Any]) -> Generator[Any, None, None]:
        """See `play`."""
        errors = self._ray.exceptions
        try:
            yield from super().play(jobs)
        except errors.RayTaskError as error:
            why = str(error).strip().splitlines()[-1]
            raise BadCluster(say("a worker of the cluster cannot play: {why}", why=why)) from error
        except (errors.RayError, ConnectionError) as error:
            raise WorkersLost(
                say("the cluster lost the same games again and again, or itself ({kind})",
                    kind=type(error).__name__)
            ) from error  # fmt: skip
        finally:
            self._dismiss()

    def room(self) -> int:
        """As many as asked for, else two for each processor that there is now."""
        if self._workers is not None:
            return self._workers
        if monotonic() - self._counted >= COUNT:
            self._counted = monotonic()
            self._processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return 2 * self._processors

    def submit(self, jobs: tuple[Any, ...]) -> Any:
        """Hand out a batch, as a reference to what will come of it."""
        return self._task.remote(*self._told, jobs)

    def finished(self) -> Iterator[Batch]:
        """Wait a moment for batches to end."""
        wait, refs = self._ray.wait, list(self.running)
        done, _ = wait(refs, timeout=LOOK)
        if done:  # take all that are ready
            done, _ = wait(refs, num_returns=len(refs), timeout=0)
        self.running.difference_update(done)
        yield from self._ray.get(done)
        if self.halt.is_set():
            self._stopped = self._stopped or monotonic()
            if monotonic() - self._stopped > GRACE:
                self._dismiss()

    def _dismiss(self) -> None:
        """End what is under way; it is not waited for."""
        for ref in self.running:
            self._ray.cancel(ref, force=True)
        self.running.clear()


# -- in the worker -----------------------------------------------------------------------------


def _batch(made: bytes, wanted: tuple[str, str], jobs: tuple[Any, ...]) -> Batch:
    try:
        work = _work(made, wanted)
    except ValueError as error:
        why = say("on {node}: {why}", node=socket.gethostname(), why=str(error))
        return Batch([], (why, None), 0.0)
    return played(work, jobs, lambda: False)


@lru_cache(maxsize=1)
def _work(made: bytes, wanted: tuple[str, str]) -> Work[Any, Any]:
    """The work, made once in every worker. Raises ValueErrors."""
    here = diablerie.__version__, digest()
    if here != wanted:
        a, b = ("{} ({})".format(*one) for one in (here, wanted))
        raise BadCluster(
            say("the cluster has another diablerie, {there}, not {here}", there=a, here=b)
        )
    work: Work[Any, Any] = pickle.loads(made)()
    with _in_turn():
        work.warm()
    return work


@contextmanager
def _in_turn() -> Iterator[None]:
    """The first of a node's workers compiles what its cache lacks, then all others find it."""
    with (cache_folder() / "compiling").open("ab") as file:
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                fcntl.flock(file, fcntl.LOCK_SH)
        yield
