"""Conduct a training: play what its file lacks, generation by generation, and fit in between."""

import zlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.learnt import FORMAT, Learnt, features_of, packed
from diablerie.engine.text import Line, say
from diablerie.lab.intervals import Estimate
from diablerie.lab.jobs import Progress, finish, silent
from diablerie.lab.kept import Kept
from diablerie.lab.pairing import seed_for
from diablerie.lab.simulate.summary import mean
from diablerie.lab.train.config import Chunk, Training, chunks
from diablerie.lab.train.fitting import fit, judged
from diablerie.lab.train.playing import Played, Positions, Trainee, unpacked

WINDOW = 3  # generations that a fit learns from

Weights = dict[int, NDArray[Any]]  # by the number of seats


class Lessons(Kept[Played]):
    """The chunks of a training so far; only those of one generation are to be done."""

    config: Training
    row = Played
    generation = 0

    def of(self, row: Played) -> int:
        """The number of a row's chunk."""
        return row.job

    def games(self, job: Chunk) -> int:
        """How many games a chunk has."""
        return job.games

    @property
    def missing(self) -> list[Chunk]:
        """The chunks of this generation that are still to be played."""
        return [job for job in super().missing if job.generation == self.generation]

    def positions(self, row: Played) -> Positions:
        """What a row holds. Raises ValueError or zlib.error if it does not."""
        return unpacked(row, self.jobs[row.job].seats, len(self.config.entries))

    def fault(self, row: Played) -> Line | None:
        """What is wrong with a row that a file holds; None if nothing is."""
        if row.job not in self.jobs:
            return say("there is no chunk {n}", n=row.job)
        if row.job in self.played:
            return say("chunk {n} is there twice", n=row.job)
        try:
            found = self.positions(row)
        except (ValueError, zlib.error):
            found = None
        sound = found is not None and all(map(np.all, (
            np.isfinite(found.known), np.abs(found.targets) <= 1 + 1e-5,
            np.abs(found.ends) <= 1, np.abs(found.ends.sum(axis=1)) < 1e-5,
        )))  # fmt: skip
        return None if sound else say("chunk {n} cannot have ended so", n=row.job)

    def chunks(self, generations: Iterable[int], seats: int) -> list[Positions]:
        """What was played in these generations with so many seats, chunk by chunk."""
        wanted = set(generations)
        return [self.positions(self.played[number]) for number, job in self.jobs.items()
                if job.generation in wanted and job.seats == seats]  # fmt: skip


class Lap(NamedTuple):
    """How well games of a generation were judged before they were played.

    hand, learnt: mean squared errors, of the game's own value and of what was learnt until then
    (None in the first generation); better: by how much smaller the second is.
    """

    generation: int
    seats: int
    hand: Estimate
    learnt: Estimate | None
    better: Estimate | None


class Trained(NamedTuple):
    """What came of a training."""

    config: Training
    laps: list[Lap]
    learnt: Learnt


class Interrupted(Exception):
    """Ctrl-C ended a training early."""

    def __init__(self, done: int, of: int) -> None:
        super().__init__(str(say("stopped after {done} of {of} games", done=done, of=of)))


def conduct(
    config: Training,
    *,
    file: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = silent,
    command: str = "",
    heard: Callable[[Lap], None] | None = None,
) -> Trained:
    """Conduct the training of this config; see `train`. heard: is told how it goes."""
    weights: Weights = {}
    laps = []
    with Lessons(config, chunks(config), file) as kept:
        for kept.generation in range(config.generations):
            finish(kept, partial(Trainee, config, weights), workers, progress, on=on)
            if kept.missing:
                raise Interrupted(kept.done, sum(map(kept.games, kept.jobs.values())))
            for seats in config.seats:
                laps.append(lap(kept, seats, weights.get(seats)))
                if heard:
                    heard(laps[-1])
            weights = {seats: learn(kept, seats) for seats in config.seats}
    return Trained(config, laps, learnt(config, weights, laps, command))


def learn(kept: Lessons, seats: int) -> NDArray[Any]:
    """The weights that the last generations lead to."""
    config, last = kept.config, kept.generation
    parts = kept.chunks(range(max(0, last - WINDOW + 1), last + 1), seats)
    found = Positions(*(np.concatenate(part) for part in zip(*parts, strict=True)))
    return fit(found, config.units, sign(config), seed_for(config.seed, "fit", seats, last))


def sign(config: Training) -> float:
    """-1 where the scores say who loses."""
    return -1.0 if features_of(config.rules).last_loses else 1.0


def lap(kept: Lessons, seats: int, weights: NDArray[Any] | None) -> Lap:
    """How well the games of this generation were judged; the intervals are over chunks."""
    parts = kept.chunks([kept.generation], seats)
    hand = np.array([np.mean((p.hand - p.ends) ** 2) for p in parts])
    if weights is None:
        return Lap(kept.generation, seats, mean(hand), None, None)
    signed = sign(kept.config)
    ours = np.array([np.mean((judged(weights, p.known, signed) - p.ends) ** 2) for p in parts])
    return Lap(kept.generation, seats, mean(hand), mean(ours), mean(hand - ours))


def learnt(config: Training, weights: Weights, laps: list[Lap], command: str) -> Learnt:
    """The file of what was learnt."""
    tables = {}
    for seats, found in weights.items():
        last = [one for one in laps if one.seats == seats][-1]
        figures = {"generations": float(last.generation + 1), "error of hand": last.hand.value}
        if last.learnt:
            figures["error of the last but one"] = last.learnt.value
        tables[seats] = packed(found, {name: round(x, 5) for name, x in figures.items()})
    today = datetime.now(UTC).date().isoformat()
    return Learnt(FORMAT, config.diablerie, config.game, config.version, command, config.seed,
                  today, config.entries, tables)  # fmt: skip
