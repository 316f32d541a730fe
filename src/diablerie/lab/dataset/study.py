"""A data set as a study: workers play games and return their events as numbers.

When all games are there, `writing` plays them again and writes a row for each decision.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from diablerie.engine.match import Match
from diablerie.engine.verbs import CHANCE
from diablerie.lab.dataset.writing import write_decisions
from diablerie.lab.running.results_file import check_writable
from diablerie.lab.running.study import Study
from diablerie.lab.simulate.columns import pyarrow_module
from diablerie.lab.simulate.config import SimulationChunk, SimulationConfig
from diablerie.lab.simulate.worker import SettingPlayer
from diablerie.lab.tournament.pairing import Fixture
from diablerie.lab.tournament.runner import replayed

CHUNK_GAMES = 20


class RecordedGames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The events of a chunk of games: a line of the file."""

    job: int
    games: list[list[int]]  # for each game seat (or CHANCE) and number, one after the other


class GameRecorder:
    """The worker of a data set: it plays chunks of games."""

    def __init__(self, config: SimulationConfig) -> None:
        self.player = SettingPlayer(config, config.settings[0])

    def warm(self) -> None:
        """Compile everything that a game needs, by a game that does not count."""
        self.player.runner().warm()

    def play(
        self, chunk: SimulationChunk, stop: Callable[[], bool] = lambda: False
    ) -> RecordedGames:
        """Play a chunk. Raises BotFailure, or JobStopped as soon as `stop()` is true."""
        runner, games = self.player.runner(), []
        for number in range(chunk.first, chunk.first + chunk.games):
            fixture = Fixture(number, number, self.player.seating(number))
            games.append(event_numbers(runner.play_match(fixture, stop)[0]))
        return RecordedGames(chunk.number, games)


def event_numbers(match: Match) -> list[int]:
    """All events of a match as numbers: seat and number, one after the other."""
    return [n for _, seat, number in replayed(match) for n in (seat, number)]


class DecisionDataset(Study[SimulationConfig, RecordedGames, int]):
    """The games of a data set so far; the summary is the number of decisions.

    out: the Parquet file, which is written when all games are there. Raises as Study, and BadConfig
    if pyarrow is missing, OSError if `out` cannot be written.
    """

    row = RecordedGames

    def __init__(
        self, config: SimulationConfig, file: str | Path | None = None, *, out: Path
    ) -> None:
        self.out = out
        pyarrow_module()  # fail now rather than after the games
        check_writable(out)
        super().__init__(config, file)

    def all_jobs(self) -> Iterator[SimulationChunk]:
        """The chunks."""
        games = self.config.games
        for number, first in enumerate(range(0, games, CHUNK_GAMES)):
            yield SimulationChunk(number, 0, first, min(CHUNK_GAMES, games - first))

    def worker(self) -> Callable[[], GameRecorder]:
        """Makes a GameRecorder."""
        return partial(GameRecorder, self.config)

    def is_sound(self, job: SimulationChunk, row: RecordedGames) -> bool:
        """Whether seats and numbers are ones that the game has."""
        game, seats = self.config.rules, self.config.settings[0].seats
        most = max(game.actions, game.outcomes)
        return len(row.games) == job.games and all(
            len(one) % 2 == 0
            and all(seat == CHANCE or 0 <= seat < seats for seat in one[::2])
            and all(0 <= number < most for number in one[1::2])
            for one in row.games
        )

    def summary(self, rate: float | None) -> int | None:
        """Write the file and return its number of rows; None while games are missing."""
        if self.missing:
            return None
        return write_decisions(
            self.config, (game for row in self.rows for game in row.games), self.out
        )
