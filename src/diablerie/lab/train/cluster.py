"""A learner's shards on the workers of a Ray cluster.

Each worker is an actor, which has some of the shards until the training ends. In every step of the
optimizer the weights go to all workers, and a gradient comes back from each shard. What a shard goes
on with comes back, too; so when a worker is lost, the round is played again, with those that are
left.
"""

import pickle
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic, process_time
from typing import Any

import numpy as np

from diablerie.bots.spec import parse_bot
from diablerie.engine.arrays import Floats, Floats32
from diablerie.engine.text import Line
from diablerie.lab.running.cluster import (
    POLL_SECONDS,
    failures_in_a_sentence,
    processors,
    said_here,
    this_version,
    worker_here,
)
from diablerie.lab.running.errors import BadCluster, WorkersLost
from diablerie.lab.train.config import PolicyTrainingConfig
from diablerie.learning.learner import ADVICE
from diablerie.learning.rivals import MakeRival
from diablerie.learning.settings import SHARDS
from diablerie.learning.shards import TOLD, Batch, Played, Shards, ShardState

START_SECONDS = 60.0  # that workers get to start; then those that have not are left out


def rival_of(config: PolicyTrainingConfig) -> MakeRival | None:
    """Makes the bots that it is measured against; None if that is the game's advice."""
    if config.opponent == ADVICE:
        return None
    return partial(parse_bot(config.opponent, imports=True).make, config.rules)


def shards_of(config: PolicyTrainingConfig, numbers: Sequence[int]) -> Shards:
    """The shards of a training that have these numbers."""
    return Shards(config.rules, config.learner, rival=rival_of(config), numbers=numbers)


class ClusterCrew:
    """The workers of a cluster that have the shards of a training: a `learning.shards.Crew`.

    workers: the most that work; None: as many as the cluster has processors. There are never more
    than shards. Methods raise BadCluster, and WorkersLost, after which new workers begin: then
    `restore` and begin the round again.
    """

    def __init__(self, ray: Any, config: PolicyTrainingConfig, workers: int | None) -> None:
        self._ray, self._make, self._most = ray, partial(shards_of, config), workers or SHARDS
        self._remote = ray.remote(num_cpus=1)(_Member)
        self._members: list[Any] = []
        self._states: list[ShardState] = []
        self.elsewhere = 0.0

    def close(self) -> None:
        """End the workers."""
        for member in self._members:
            self._end(member)
        self._members = []

    def _end(self, member: Any) -> None:
        with suppress(self._ray.exceptions.RayError, ConnectionError, ValueError):
            self._ray.kill(member)

    # -- a round -----------------------------------------------------------------------------------

    def play(self, flat: Floats32) -> list[Played]:
        """See `learning.shards.Crew`."""
        played: list[Any] = [None] * SHARDS
        for its, some in self._ask("play", flat, lambda its: (self._states[its],)):
            played[its] = some
        return played

    def add_slopes(self, flat: Floats32, batch: Batch, out: Floats32) -> Floats:
        """See `learning.shards.Crew`."""
        told = np.zeros((SHARDS, TOLD))
        for its, (slopes, some, states) in self._ask("add_slopes", flat, lambda _: (batch,)):
            out[its] += slopes
            told[its], self._states[its] = some, states
        return told

    def match(self, flat: Floats32, seats: int, seed: int, parts: Sequence[range]) -> list[Floats]:
        """See `learning.shards.Crew`."""
        returns: list[Any] = [None] * len(parts)
        for its, some in self._ask("match", flat, lambda its: (seats, seed, parts[its])):
            returns[its] = some
        return returns

    def state(self) -> list[ShardState]:
        """See `learning.shards.Crew`. Asks no worker."""
        return list(self._states)

    def restore(self, states: Sequence[ShardState]) -> None:
        """See `learning.shards.Crew`. Tells no worker before the next round."""
        self._states = list(states)

    # -- the workers -------------------------------------------------------------------------------

    def _ask(
        self, what: str, flat: Floats32, given: Callable[[slice], tuple[Any, ...]]
    ) -> list[tuple[slice, Any]]:
        """Have all workers do something with their parts of a list; return parts and results."""
        try:
            with failures_in_a_sentence(self._ray):
                if not self._members:
                    self._begin()
                weights, n = self._ray.put(flat), len(self._members)
                parts = [slice(j, None, n) for j in range(n)]
                asked = [
                    member.do.remote(what, weights, *given(its))
                    for member, its in zip(self._members, parts, strict=True)
                ]
                answers = self._ray.get(asked)
        except WorkersLost:
            self.close()
            raise
        self.elsewhere += sum(seconds for _, seconds in answers)
        return [(its, result) for its, (result, _) in zip(parts, answers, strict=True)]

    def _begin(self) -> None:
        """Start workers and share the shards out among those that have started in time."""
        n = min(SHARDS, self._most, processors(self._ray))
        self._members = [self._remote.remote() for _ in range(n)]
        begun = {member.start.remote(): member for member in self._members}
        done = self._started(list(begun))
        for late in set(begun).difference(done):
            self._end(begun[late])
        self._members = [begun[ref] for ref in done]
        self._prepare()

    def _started(self, refs: list[Any]) -> list[Any]:
        """Those that have started: all, or as many as there are processors now, or after a while one.

        The cluster takes some time to notice that it has lost a node.
        """
        end = monotonic() + START_SECONDS
        while True:
            done, late = self._ray.wait(refs, num_returns=len(refs), timeout=POLL_SECONDS)
            enough = processors(self._ray) if monotonic() < end else 1
            if not late or len(done) >= enough:
                return list(done)

    def _prepare(self) -> None:
        n, version = len(self._members), this_version()
        makers = [pickle.dumps(partial(self._make, range(j, SHARDS, n))) for j in range(n)]
        prepared = [
            member.prepare.remote(maker, version)
            for member, maker in zip(self._members, makers, strict=True)
        ]
        for why in filter(None, self._ray.get(prepared)):
            raise BadCluster(why)


# -- in the worker process -------------------------------------------------------------------------


class _Member:
    """A worker with some of the shards, made by `prepare`."""

    def start(self) -> None:
        """Tell that the process is there."""

    def prepare(self, maker: bytes, wanted: tuple[str, str]) -> Line | None:
        """Make the shards and compile what they need; return why that cannot be."""
        try:
            self._shards: Shards = worker_here(maker, wanted)
        except ValueError as error:
            return said_here(error)
        return None

    def do(self, what: str, flat: Floats32, *given: Any) -> tuple[Any, float]:
        """The result of a method below, and the seconds of processor time that it took."""
        began = process_time()
        writable = np.array(flat)  # as compiled code wants it
        return getattr(self, f"_{what}")(writable, *given), process_time() - began

    def _play(self, flat: Floats32, states: Sequence[ShardState]) -> list[Played]:
        self._shards.restore(states)
        return self._shards.play(flat)

    def _add_slopes(
        self, flat: Floats32, batch: Batch
    ) -> tuple[Floats32, Floats, list[ShardState]]:
        out = np.zeros((len(self._shards.numbers), len(flat)), np.float32)
        told = self._shards.add_slopes(flat, batch, out)
        return out, told, self._shards.state()

    def _match(self, flat: Floats32, *given: Any) -> list[Floats]:
        return self._shards.match(flat, *given)
