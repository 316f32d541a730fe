"""A training as a study: play a generation, fit weights to it, play the next one with them."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from diablerie.engine.arrays import Floats32
from diablerie.lab.fit.config import TrainingChunk, TrainingConfig, training_chunks
from diablerie.lab.fit.fitting import fit, predicted_returns
from diablerie.lab.fit.worker import (
    PackedPositions,
    SelfPlayWorker,
    TrainingPositions,
    unpack_positions,
)
from diablerie.lab.running.errors import write_whole
from diablerie.lab.running.results_file import check_writable
from diablerie.lab.running.settings import seed_for
from diablerie.lab.running.study import Study
from diablerie.lab.statistics import Estimate, mean_estimate
from diablerie.values.observation import features_of
from diablerie.values.weights_file import FORMAT, WeightsFile, pack_weights

REPLAY_WINDOW = 3  # generations that a fit learns from


class GenerationMetrics(NamedTuple):
    """How well the results of a generation's games were predicted before they were played.

    hand, learnt: mean squared errors of the game's own evaluation and of the weights so far (None
    in the first generation); better: by how much smaller the second is.
    """

    generation: int
    seats: int
    hand: Estimate
    learnt: Estimate | None
    better: Estimate | None


class TrainingResult(NamedTuple):
    """The summary of a training: its metrics and the weights file."""

    config: TrainingConfig
    metrics: list[GenerationMetrics]
    learnt: WeightsFile

    @property
    def by_seats(self) -> list[GenerationMetrics]:
        """The metrics, sorted by the number of seats."""
        return sorted(self.metrics, key=lambda one: (one.seats, one.generation))

    def write_weights(self, out: Path) -> None:
        """Write the weights file, whole or not at all. Raises OSError."""
        write_whole(out, msgspec.json.format(msgspec.json.encode(self.learnt)) + b"\n")


class Training(Study[TrainingConfig, PackedPositions, TrainingResult]):
    """The chunks of a training so far; only those of the current generation are to be done.

    command: is noted in the weights file; out: where that file is written once it is learnt.
    """

    row = PackedPositions
    generation = 0

    def __init__(
        self,
        config: TrainingConfig,
        file: str | Path | None = None,
        *,
        command: str = "",
        out: Path | None = None,
    ) -> None:
        self.command, self.out = command, out
        if out:
            check_writable(out)
        self.weights: dict[int, Floats32] = {}  # by the number of seats
        self.metrics: list[GenerationMetrics] = []
        super().__init__(config, file)

    def all_jobs(self) -> Iterator[TrainingChunk]:
        """The chunks of all generations."""
        return training_chunks(self.config)

    @property
    def missing(self) -> list[TrainingChunk]:
        """The chunks of this generation that are still to be played."""
        return [job for job in super().missing if job.generation == self.generation]

    def worker(self) -> Callable[[], SelfPlayWorker]:
        """Makes a SelfPlayWorker."""
        return partial(SelfPlayWorker, self.config, self.weights)

    def stages(self) -> Iterator[None]:
        """The generations; after each, measure and fit."""
        for generation in range(self.config.generations):
            self.generation = generation
            yield
            self.metrics += [self._measure(seats) for seats in self.config.seats]
            self.weights = {seats: self._fit(seats) for seats in self.config.seats}

    def status(self) -> str:
        """The last generation whose weights are fitted."""
        if not self.metrics:
            return ""
        return f"generation {self.metrics[-1].generation + 1} of {self.config.generations} learnt"

    def summary(self, rate: float | None) -> TrainingResult | None:
        """Metrics and weights; None before the last generation is played."""
        if self.missing:
            return None
        result = TrainingResult(self.config, self.metrics, self._weights_file())
        if self.out:
            result.write_weights(self.out)
        return result

    # -- positions ---------------------------------------------------------------------------------

    def is_sound(self, job: TrainingChunk, row: PackedPositions) -> bool:
        """Whether a row holds positions, with returns that sum to 0."""
        try:
            positions = self._unpack(row)
        except (ValueError, zlib.error):
            return False
        return bool(
            np.isfinite(positions.known).all()
            and (np.abs(positions.targets) <= 1 + 1e-5).all()
            and (np.abs(positions.ends) <= 1).all()
            and (np.abs(positions.ends.sum(axis=1)) < 1e-5).all()
        )

    def _unpack(self, row: PackedPositions) -> TrainingPositions:
        return unpack_positions(row, self.jobs[row.job].seats, len(self.config.entries))

    def _chunks(self, generations: Iterable[int], seats: int) -> list[TrainingPositions]:
        """The positions of these generations with so many seats, chunk by chunk."""
        wanted = set(generations)
        return [
            self._unpack(self.played[number])
            for number, job in self.jobs.items()
            if job.generation in wanted and job.seats == seats
        ]

    # -- learning ----------------------------------------------------------------------------------

    @property
    def _sign(self) -> float:
        """-1 if a high score means losing."""
        return -1.0 if features_of(self.config.rules).last_loses else 1.0

    def _fit(self, seats: int) -> Floats32:
        """The weights fitted to the last generations."""
        last = self.generation
        parts = self._chunks(range(max(0, last - REPLAY_WINDOW + 1), last + 1), seats)
        positions = TrainingPositions(*(np.concatenate(part) for part in zip(*parts, strict=True)))
        seed = seed_for(self.config.seed, "fit", seats, last)
        return fit(positions, self.config.units, self._sign, seed)

    def _measure(self, seats: int) -> GenerationMetrics:
        """How well this generation's results were predicted; the intervals are over chunks."""
        parts, weights = self._chunks([self.generation], seats), self.weights.get(seats)
        hand = np.array([np.mean((p.hand - p.ends) ** 2) for p in parts])
        if weights is None:
            return GenerationMetrics(self.generation, seats, mean_estimate(hand), None, None)
        predicted = [predicted_returns(weights, p.known, self._sign) for p in parts]
        pairs = zip(predicted, parts, strict=True)
        learnt = np.array([np.mean((returns - p.ends) ** 2) for returns, p in pairs])
        estimates = (mean_estimate(errors) for errors in (hand, learnt, hand - learnt))
        return GenerationMetrics(self.generation, seats, *estimates)

    def _weights_file(self) -> WeightsFile:
        config, tables = self.config, {}
        for seats, weights in self.weights.items():
            last = [one for one in self.metrics if one.seats == seats][-1]
            figures = {"generations": float(last.generation + 1), "error of hand": last.hand.value}
            if last.learnt:
                figures["error of the last but one"] = last.learnt.value
            tables[seats] = pack_weights(
                weights, {name: round(x, 5) for name, x in figures.items()}
            )
        return WeightsFile(
            FORMAT,
            config.diablerie,
            config.game,
            config.version,
            self.command,
            config.seed,
            datetime.now(UTC).date().isoformat(),
            config.entries,
            tables,
        )
