"""A simulation as a study."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from diablerie.lab.running.results_file import check_writable
from diablerie.lab.running.study import Study
from diablerie.lab.simulate.columns import game_columns, pyarrow_module, write_games
from diablerie.lab.simulate.config import SimulationChunk, SimulationConfig, simulation_chunks
from diablerie.lab.simulate.summary import SimulationSummary, simulation_summary
from diablerie.lab.simulate.worker import ChunkResult, Simulator


class Simulation(Study[SimulationConfig, ChunkResult, SimulationSummary]):
    """The chunks of a simulation so far.

    parquet: a Parquet file of all games, which every run writes. Raises as Study, and BadConfig
    if pyarrow is missing.
    """

    row = ChunkResult

    def __init__(
        self,
        config: SimulationConfig,
        file: str | Path | None = None,
        *,
        parquet: Path | None = None,
    ) -> None:
        self.parquet = parquet
        if parquet:
            pyarrow_module()  # fail now rather than after the games
            check_writable(parquet)
        super().__init__(config, file)

    def all_jobs(self) -> Iterator[SimulationChunk]:
        """The chunks of all settings."""
        return simulation_chunks(self.config)

    def worker(self) -> Callable[[], Simulator]:
        """Makes a Simulator."""
        return partial(Simulator, self.config)

    def is_sound(self, job: SimulationChunk, row: ChunkResult) -> bool:
        """Whether all lists have the right lengths, and returns sum to 0."""
        seats, nodes = self.config.settings[job.setting].seats, len(self.config.rules.node)
        points = seats if self.config.rules.points else 0
        lists = row.decisions, row.draws, row.first, row.ending, row.returns, row.visits
        return (
            all(len(one) == job.games for one in lists)
            and len(row.points) == (job.games if points else 0)
            and all(len(one) == seats for one in row.returns)
            and all(len(one) == points for one in row.points)
            and all(len(one) == nodes for one in row.visits)
            and all(-1 <= one < seats for one in row.first)
            and all(abs(sum(one)) < 1e-9 for one in row.returns)
        )

    def summary(self, rate: float | None) -> SimulationSummary | None:
        """The summary; None if there is a setting without games."""
        columns = game_columns(self.config, self.jobs, self.played)
        if self.parquet:
            write_games(self.config, columns, self.parquet)
        if not all(len(one.decisions) for one in columns):
            return None
        return simulation_summary(self.config, columns, rate)
