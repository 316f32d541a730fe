"""Play the games of a data set, as numbers, and write them when all are there."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from diablerie.engine.match import Match
from diablerie.engine.replay import number_of
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import CHANCE, apply
from diablerie.lab.dataset.writing import write
from diablerie.lab.jobs import Progress, finish, silent
from diablerie.lab.kept import Kept
from diablerie.lab.pairing import Fixture
from diablerie.lab.simulate.config import Chunk, Study
from diablerie.lab.simulate.parquet import library
from diablerie.lab.simulate.playing import Table
from diablerie.lab.simulate.running import Interrupted

SIZE = 20  # games of a chunk


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was decided and drawn in a chunk of games: a line of the file."""

    job: int
    games: list[list[int]]  # by game: seat (or CHANCE) and number, one after the other


class Recorder:
    """Plays the chunks of a data set."""

    def __init__(self, study: Study) -> None:
        self.table = Table(study, study.settings[0])

    def warm(self) -> None:
        """Compile what is needed, by a game that is forgotten."""
        self.table.runner().warm()

    def play(self, chunk: Chunk, stop: Callable[[], bool] = lambda: False) -> Played:
        """Play a chunk. Raises BotFailure, or Stopped as soon as `stop` says so."""
        runner, games = self.table.runner(), []
        for number in range(chunk.first, chunk.first + chunk.games):
            fixture = Fixture(number, number, self.table.players(number))
            games.append(numbers(runner.whole(fixture, stop)[0]))
        return Played(chunk.number, games)


def numbers(match: Match) -> list[int]:
    """All events of a match as numbers: seat and number, one after the other."""
    found, s = [], match.game.start(match.seats, match.options)
    for event in match.events:
        number = number_of(match.game, s, event)
        found += [event.seat, number]
        apply(s, event.seat, number)
    return found


class Recorded(Kept[Played]):
    """The games of a data set so far."""

    config: Study
    row = Played

    @property
    def specs(self) -> tuple[str, ...]:
        """The players."""
        return self.config.specs

    def of(self, row: Played) -> int:
        """The number of a row's chunk."""
        return row.job

    def games(self, job: Chunk) -> int:
        """How many games a chunk has."""
        return job.games

    def fault(self, row: Played) -> Line | None:
        """What is wrong with a row that a file holds; None if nothing is."""
        if row.job not in self.jobs:
            return say("there is no chunk {n}", n=row.job)
        if row.job in self.played:
            return say("chunk {n} is there twice", n=row.job)
        game, seats = self.config.rules, self.config.settings[0].seats
        most = max(game.actions, game.outcomes)
        sound = len(row.games) == self.jobs[row.job].games and all(
            len(one) % 2 == 0
            and all(seat == CHANCE or 0 <= seat < seats for seat in one[::2])
            and all(0 <= number < most for number in one[1::2])
            for one in row.games
        )
        return None if sound else say("chunk {n} cannot have ended so", n=row.job)


def chunks(study: Study) -> Iterator[Chunk]:
    """All jobs."""
    for number, first in enumerate(range(0, study.games, SIZE)):
        yield Chunk(number, 0, first, min(SIZE, study.games - first))


def conduct(
    study: Study,
    out: Path,
    *,
    file: str | Path | None = None,
    workers: int | None = None,
    on: str = "",
    progress: Progress = silent,
) -> int:
    """Play what the file lacks and write the data set; see `dataset`."""
    library()  # refuse now what could not be written in the end
    with Recorded(study, chunks(study), file) as kept:
        finish(kept, partial(Recorder, study), workers, progress, on=on)
        if kept.missing:
            raise Interrupted(kept.done, study.games, None)
        games = (game for number in sorted(kept.played) for game in kept.played[number].games)
        return write(study, games, out)
