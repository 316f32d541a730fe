"""Conduct a simulation: play what its file lacks, then say what it says."""

from functools import partial
from pathlib import Path

from diablerie.engine.text import Line, say
from diablerie.lab.jobs import Progress, finish, silent
from diablerie.lab.kept import Kept
from diablerie.lab.simulate.columns import columns
from diablerie.lab.simulate.config import Chunk, Study, chunks
from diablerie.lab.simulate.playing import Games, Simulator
from diablerie.lab.simulate.summary import Summary, summary


class Chunks(Kept[Games]):
    """The chunks of a simulation so far."""

    config: Study
    row = Games

    @property
    def specs(self) -> tuple[str, ...]:
        """The players."""
        return self.config.specs

    def of(self, row: Games) -> int:
        """The number of a row's chunk."""
        return row.job

    def games(self, job: Chunk) -> int:
        """How many games a chunk has."""
        return job.games

    def fault(self, row: Games) -> Line | None:
        """What is wrong with a row that a file holds; None if nothing is."""
        if row.job not in self.jobs:
            return say("there is no chunk {n}", n=row.job)
        if row.job in self.played:
            return say("chunk {n} is there twice", n=row.job)
        job: Chunk = self.jobs[row.job]
        seats, nodes = self.config.settings[job.setting].seats, len(self.config.rules.node)
        points = seats if self.config.rules.points else 0
        lists = row.decisions, row.draws, row.first, row.ending, row.returns, row.visits
        sound = (
            all(len(one) == job.games for one in lists)
            and len(row.points) == (job.games if points else 0)
            and all(len(one) == seats for one in row.returns)
            and all(len(one) == points for one in row.points)
            and all(len(one) == nodes for one in row.visits)
            and all(-1 <= one < seats for one in row.first)
            and all(abs(sum(one)) < 1e-9 for one in row.returns)
        )
        return None if sound else say("chunk {n} cannot have ended so", n=row.job)


class Interrupted(Exception):
    """Ctrl-C ended a simulation early; `summary` is what was played so far, if anything was."""

    def __init__(self, done: int, of: int, found: Summary | None) -> None:
        super().__init__(str(say("stopped after {done} of {of} games", done=done, of=of)))
        self.summary = found


def conduct(
    study: Study,
    *,
    file: str | Path | None = None,
    parquet: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = silent,
) -> Summary:
    """Conduct the simulation of this config; see `simulate`. `parquet`: a file of all games."""
    with Chunks(study, chunks(study), file) as kept:
        rate = finish(kept, partial(Simulator, study), workers, progress, on=on)
        found = columns(study, kept.jobs, kept.played)
        if parquet is not None:
            from diablerie.lab.simulate.parquet import write

            write(study, found, Path(parquet))
        whole = all(len(one.decisions) for one in found)
        told = summary(study, found, rate) if whole else None
        if kept.missing:
            raise Interrupted(kept.done, study.games * len(study.settings), told)
        assert told
        return told
