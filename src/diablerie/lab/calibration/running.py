"""Conduct a calibration: play what its file lacks, then say how far chances can be trusted."""

from functools import partial
from pathlib import Path

import msgspec

from diablerie.engine.text import Line, say
from diablerie.lab.calibration.config import Played, Sampling, jobs
from diablerie.lab.calibration.fitting import fitted
from diablerie.lab.calibration.measuring import Reliability, answers, reliability
from diablerie.lab.calibration.playing import Sampler, Told
from diablerie.lab.intervals import Estimate
from diablerie.lab.jobs import Progress, finish, silent
from diablerie.lab.kept import Kept


class Calibration(msgspec.Struct, frozen=True):
    """What a calibration says.

    raw: of shares of games as they are; told: of what people are told, by the game's temperature;
    fitted: the temperature that would have been best for these games.
    """

    config: Sampling
    games: int
    raw: Reliability
    temperature: float
    told: Reliability
    fitted: Estimate


class Games(Kept[Told]):
    """The games of a calibration so far."""

    config: Sampling
    row = Told

    @property
    def specs(self) -> tuple[str, ...]:
        """The players."""
        return self.config.players

    def of(self, row: Told) -> int:
        """The number of a row's game."""
        return row.game

    def fault(self, row: Told) -> Line | None:
        """What is wrong with a row that a file holds; None if nothing is."""
        if row.game not in self.jobs:
            return say("there is no game {n}", n=row.game)
        if row.game in self.played:
            return say("game {n} is there twice", n=row.game)
        job: Played = self.jobs[row.game]
        sound = (
            len(row.won) == job.seats
            and 0 < len(row.chances) <= self.config.positions
            and all(len(one) == job.seats for one in row.chances)
            and all(0 <= x <= 1 for one in row.chances for x in one)
        )
        return None if sound else say("game {n} cannot have ended so", n=row.game)


class Interrupted(Exception):
    """Ctrl-C ended a calibration early; `calibration` is of the games so far, if there are any."""

    def __init__(self, done: int, of: int, found: Calibration | None) -> None:
        super().__init__(str(say("stopped after {done} of {of} games", done=done, of=of)))
        self.calibration = found


def calibrate(
    config: Sampling,
    *,
    file: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = silent,
    temperature: float | None = None,
) -> Calibration:
    """Conduct the calibration of this config; temperature: instead of the one of the game.

    Raises Interrupted after Ctrl-C, and as `jobs.finish`.
    """
    with Games(config, jobs(config), file) as kept:
        finish(kept, partial(Sampler, config), workers, progress, on=on)
        rows = [kept.played[number] for number in sorted(kept.played)]
        told = measured(config, rows, temperature) if rows else None
        if kept.missing or told is None:
            raise Interrupted(kept.done, config.games, told)
        return told


def measured(config: Sampling, rows: list[Told], temperature: float | None = None) -> Calibration:
    """What these games say."""
    found = answers(rows)
    chosen = config.rules.temperature if temperature is None else temperature
    return Calibration(
        config=config,
        games=len(rows),
        raw=reliability(found),
        temperature=chosen,
        told=reliability(found, chosen),
        fitted=fitted(found),
    )
