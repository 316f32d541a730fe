"""A calibration as a study."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from diablerie.lab.calibration.config import CalibrationConfig, CalibrationGame, calibration_games
from diablerie.lab.calibration.reliability import (
    Reliability,
    fit_temperature,
    predictions,
    reliability,
)
from diablerie.lab.calibration.worker import CalibrationWorker, PredictedGame
from diablerie.lab.running.study import Study
from diablerie.lab.statistics import Estimate


class CalibrationSummary(msgspec.Struct, frozen=True):
    """The summary of a calibration.

    raw: of the shares of playouts; told: of the chances that people see, after the temperature;
    fitted: the temperature that would have been best for these games.
    """

    config: CalibrationConfig
    games: int
    raw: Reliability
    temperature: float
    told: Reliability
    fitted: Estimate


class Calibration(Study[CalibrationConfig, PredictedGame, CalibrationSummary]):
    """The games of a calibration so far. temperature: instead of the game's."""

    row = PredictedGame
    unit = "game"

    def __init__(
        self,
        config: CalibrationConfig,
        file: str | Path | None = None,
        *,
        temperature: float | None = None,
    ) -> None:
        self.temperature = config.rules.temperature if temperature is None else temperature
        super().__init__(config, file)

    def all_jobs(self) -> Iterator[CalibrationGame]:
        """The games."""
        return calibration_games(self.config)

    def worker(self) -> Callable[[], CalibrationWorker]:
        """Makes a CalibrationWorker."""
        return partial(CalibrationWorker, self.config)

    @property
    def specs(self) -> tuple[str, ...]:
        """The players."""
        return self.config.players

    def number(self, row: PredictedGame) -> int:
        """The number of a row's game."""
        return row.game

    def games(self, job: CalibrationGame) -> int:
        """A job is one game."""
        return 1

    def is_sound(self, job: CalibrationGame, row: PredictedGame) -> bool:
        """Whether there are chances for each seat, between 0 and 1."""
        return (
            len(row.won) == job.seats
            and 0 < len(row.chances) <= self.config.positions
            and all(len(one) == job.seats for one in row.chances)
            and all(0 <= x <= 1 for one in row.chances for x in one)
        )

    def summary(self, rate: float | None) -> CalibrationSummary | None:
        """How far chances agree with who won; None if there are no games."""
        if not self.played:
            return None
        data = predictions(self.rows)
        return CalibrationSummary(
            config=self.config,
            games=len(self.played),
            raw=reliability(data),
            temperature=self.temperature,
            told=reliability(data, self.temperature),
            fitted=fit_temperature(data),
        )
