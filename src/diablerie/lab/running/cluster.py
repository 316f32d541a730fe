"""Jobs on many machines, by Ray.

A batch of jobs is a Ray task. Ray finds a node for it, and another one if that node is lost. A job
holds everything that its result depends on, including its seed, so its result is the same on any
node. Ray has no authentication: use it in trusted networks only. See docs/scaling.md.
"""

import os
import pickle
import re
import socket
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any

import diablerie
from diablerie.bots.spec import KINDS, external_kind
from diablerie.engine import extras
from diablerie.engine.sources import cache_folder, source_digest
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadCluster, WorkersLost
from diablerie.lab.running.processes import Halt, JobBatch, Work, WorkerPool, run_batch
from diablerie.lab.running.study import lock_file
from diablerie.runtime.child_processes import ctrl_c_blocked

ADDRESS = re.compile(r"(?:ray://)?(\[[\da-fA-F:]+\]|[\w.-]+):(\d{1,5})")
RETRIES = 5  # of a batch whose worker or node was lost
CONNECT_SECONDS = 5.0  # for a cluster to answer
CONNECT_TRIES = 3  # to become a client of a cluster that listens
GRACE_SECONDS = 2.0  # for batches under way to end, once the run is stopped
POLL_SECONDS = 0.2  # between checks whether batches have ended
RESIZE_SECONDS = 5.0  # between checks of the cluster's size: nodes come and go


def check_address(on: str) -> str:
    """Return `on` if it is `ray` or `ray://HOST:PORT`. Raises BadCluster if not, or without Ray."""
    if on != "ray" and not (on.startswith("ray://") and ADDRESS.fullmatch(on)):
        raise BadCluster(say("a cluster is “ray” or “ray://HOST:PORT”, not “{text}”", text=on[:80]))
    ray_module()
    return on


def ray_module() -> ModuleType:
    """The module `ray`. Raises BadCluster if it is not installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no statistics
    try:
        return import_module("ray")
    except ImportError:
        raise BadCluster(say("Ray is missing: {command}", command=extras.install("ray"))) from None


def run_on_cluster(
    work: Work,
    jobs: Iterable[object],
    on: str,
    workers: int | None,
    halt: Halt,
    specs: Sequence[str] = (),
) -> Generator[object, None, None]:
    """Yield the results of the jobs as they come, until the event `halt` is set.

    on: see `check_address`; plain `ray` is the cluster that RAY_ADDRESS names or that this machine
    belongs to, else a cluster that starts here and ends with the run. workers: how many batches
    may run at once; None: as many as the cluster has processors. specs: the bots; their modules
    are sent to the nodes if they lie in the current folder.

    Raises BadCluster, BotFailure after the results that are there already, and WorkersLost.
    """
    with ray_session(on, local_modules(specs)) as ray:
        yield from RayPool(ray, work, workers, halt).run(iter(jobs))


@contextmanager
def ray_session(on: str, modules: Sequence[str] = ()) -> Iterator[ModuleType]:
    """Connect Ray to a cluster; disconnect afterwards, unless the caller was connected before."""
    ray = ray_module()
    if ray.is_initialized():
        yield ray
        return
    address = on if on != "ray" else os.environ.get("RAY_ADDRESS", "")
    if match := ADDRESS.fullmatch(address):
        try:  # Ray itself would try for minutes
            host = match[1].strip("[]")
            socket.create_connection((host, int(match[2])), CONNECT_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise _unusable(address, error) from error
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    more = {"runtime_env": {"py_modules": modules}} if modules else {}
    try:
        with ctrl_c_blocked():
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


@contextmanager
def failures_in_a_sentence(ray: ModuleType) -> Iterator[None]:
    """Raise BadCluster for what fails on a worker, and WorkersLost for workers that are lost."""
    errors = ray.exceptions
    try:
        yield
    except errors.RayTaskError as error:
        why = str(error).strip().splitlines()[-1]
        raise BadCluster(say("a worker of the cluster cannot play: {why}", why=why)) from error
    except (errors.RayError, ConnectionError) as error:
        kind = type(error).__name__
        raise WorkersLost(
            say("the cluster lost the same games again and again, or itself ({kind})", kind=kind)
        ) from error


def _enter(ray: ModuleType, address: str, settings: dict[str, object]) -> None:
    """Connect as a client. Ray starts a server for it; a busy machine may need a few tries."""
    for left in reversed(range(CONNECT_TRIES)):
        try:
            ray.init(address, **settings)
            return
        except ConnectionError:
            if not left:
                raise


def _unusable(address: str, error: Exception) -> BadCluster:
    why = (str(error).strip() or type(error).__name__).splitlines()[0]
    return BadCluster(
        say("no Ray cluster can be used at {address}: {why}", address=address, why=why)
    )


def local_modules(specs: Iterable[str]) -> list[str]:
    """The modules, or the folders of packages, of those bots that lie in the current folder."""
    here = Path.cwd()
    modules = []
    names = {re.split(r"[.:]", spec.strip())[0] for spec in specs}
    for name in sorted(names - set(KINDS)):
        if external_kind(name):
            continue
        module = import_module(name)
        path = Path(next(iter(getattr(module, "__path__", ())), module.__file__ or ""))
        if path.is_relative_to(here) and "site-packages" not in path.parts:
            modules.append(str(path))
    return modules


class RayPool(WorkerPool):
    """The processors of a cluster, which may become more or fewer."""

    def __init__(self, ray: ModuleType, work: Work, workers: int | None, halt: Halt) -> None:
        super().__init__(halt)
        self._ray = ray
        self._workers = workers
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_batch)
        self._work = pickle.dumps(work), this_version()
        self._counted = -RESIZE_SECONDS
        self._processors = 1
        self._stopped = 0.0

    def run(self, jobs: Iterator[object]) -> Generator[object, None, None]:
        """See WorkerPool. Raises WorkersLost, and BadCluster if a job fails there."""
        try:
            with failures_in_a_sentence(self._ray):
                yield from super().run(jobs)
        finally:
            self._dismiss()

    def capacity(self) -> int:
        """As many as the caller asked for, else two for each processor that there is now."""
        if self._workers is not None:
            return self._workers
        if monotonic() - self._counted >= RESIZE_SECONDS:
            self._counted = monotonic()
            self._processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return 2 * self._processors

    def submit(self, jobs: tuple[object, ...]) -> Any:
        """Hand out a batch, as a reference to its future result."""
        return self._task.remote(*self._work, jobs)

    def finished(self) -> Iterator[JobBatch]:
        """Wait a moment for batches to end."""
        wait = self._ray.wait
        refs = list(self.running)
        done, _ = wait(refs, timeout=POLL_SECONDS)
        if done:  # take all that are ready
            done, _ = wait(refs, num_returns=len(refs), timeout=0)
        self.running.difference_update(done)
        yield from self._ray.get(done)
        if self.halt.is_set():
            self._stopped = self._stopped or monotonic()
            if monotonic() - self._stopped > GRACE_SECONDS:
                self._dismiss()

    def _dismiss(self) -> None:
        """Cancel the batches that are under way, without waiting for them."""
        for ref in self.running:
            self._ray.cancel(ref, force=True)
        self.running.clear()


# -- in the worker process----------------------------------------------------------------------


def this_version() -> tuple[str, str]:
    """Of diablerie, and a digest of its compiled sources: equal wherever one study runs."""
    return diablerie.__version__, source_digest()


def _batch(pickled: bytes, wanted: tuple[str, str], jobs: tuple[object, ...]) -> JobBatch:
    try:
        work = warm_here(pickled, wanted)
    except ValueError as error:
        why = say("on {node}: {why}", node=socket.gethostname(), why=str(error))
        return JobBatch([], (why, None), 0.0)
    return run_batch(work, jobs, lambda: False)


@lru_cache(maxsize=1)
def warm_here(pickled: bytes, wanted: tuple[str, str]) -> Work:
    """The pickled `Work`, warmed once in every process.

    wanted: the caller's `this_version`. Raises BadCluster, or as `Work.warm` does.
    """
    here = this_version()
    if here != wanted:
        a, b = ("{} ({})".format(*one) for one in (here, wanted))
        raise BadCluster(
            say("the cluster has another diablerie, {there}, not {here}", there=a, here=b)
        )
    work: Work = pickle.loads(pickled)
    # The first worker of a node compiles what its cache lacks; then the others find it there.
    with (cache_folder() / "compiling").open("ab") as file:
        lock_file(file, wait=True)
        work.warm()
    return work
