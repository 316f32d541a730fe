"""The file of a tournament: its config, then one line per finished game.

Where it was extended there is a line that says to what; the config stays as it was.
"""

from collections.abc import Iterable
from math import isfinite
from pathlib import Path

import msgspec

from diablerie.engine.text import Line, say
from diablerie.lab.config import Config
from diablerie.lab.errors import BadFile
from diablerie.lab.kept import Kept
from diablerie.lab.pairing import Fixture
from diablerie.lab.runner import Result
from diablerie.lab.schedule import schedule


class Extension(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From here on there are more games, or more players behind the former ones."""

    extended: tuple[str, ...]  # all players
    games: int  # as in a config


class Results(Kept[Result]):
    """The results of a tournament so far, in memory and, with a path, on disk.

    A file of fewer games or players is extended: `config` is then to what, and `before` the
    configs it had, the oldest first.
    """

    config: Config
    row = Result

    def __init__(
        self, config: Config, jobs: Iterable[Fixture], path: str | Path | None = None
    ) -> None:
        self.before: list[Config] = []
        super().__init__(config, jobs, path)

    def _read(self, data: bytes) -> None:
        asked = self.config
        super()._read(data)
        if self.config == asked:
            return
        same = asked.players == self.config.players
        if asked.mixed and not same and asked.games <= self.config.games:
            raise BadFile(say("{file}: more players at mixed tables need more games than {n}",
                              file=self.path, n=self.config.games))  # fmt: skip
        self._write(Extension(asked.players, asked.games))
        self._extend(asked.players, asked.games)

    def _same(self, found: msgspec.Struct) -> None:
        super()._same(found)
        assert isinstance(found, Config)
        self._asked, self.config = self.config, found
        self.jobs = {job.number: job for job in schedule(found)}

    def _take(self, row: bytes, n: int) -> None:
        if not row.startswith(b'{"extended"'):
            super()._take(row, n)
            return
        line = self._line(row, Extension, n)
        grown = msgspec.structs.replace(self.config, players=line.extended, games=line.games)
        wrong = differs(self._asked, grown) or differs(grown, self.config)
        if wrong:
            raise self._bad(n, wrong)
        self._extend(line.extended, line.games)

    def _extend(self, players: tuple[str, ...], games: int) -> None:
        self.before.append(self.config)
        self.config = msgspec.structs.replace(self.config, players=players, games=games)
        self.jobs = {job.number: job for job in schedule(self.config, self.before)}

    @property
    def specs(self) -> tuple[str, ...]:
        """The players."""
        return self.config.players

    def of(self, row: Result) -> int:
        """The number of a result's game."""
        return row.game

    def other(self, found: msgspec.Struct) -> Line | None:
        """In what a config is another one; None if it is the same."""
        assert isinstance(found, Config)
        if found.tournament != self.config.tournament:
            return say("its games were played with other dice, by diablerie {version} in format "
                       "{format}; only that can go on with it",
                       version=found.diablerie, format=found.tournament)  # fmt: skip
        return differs(self.config, found)

    def fault(self, row: Result) -> Line | None:
        """What is wrong with a result that a file holds; None if nothing is."""
        n, seats = row.game, self.config.seats
        if n not in self.jobs:
            return say("there is no game {n}", n=n)
        if n in self.played:
            return say("game {n} is there twice", n=n)
        if row.players != names(self.config, self.jobs[n]):
            return say("game {n} is not between these players", n=n)
        lists = row.returns, row.decisions, row.seconds, row.opening or row.returns
        if any(len(one) != seats for one in lists):
            return say("game {n} has not a number for each of {seats} seats", n=n, seats=seats)
        sound = all(-1 <= x <= 1 for x in row.returns) and abs(sum(row.returns)) < 1e-9
        if not sound or min(row.decisions) < 0 or not all(isfinite(x) for x in row.seconds):
            return say("game {n} cannot have ended so", n=n)
        return None


def differs(asked: Config, found: Config) -> Line | None:
    """In what a tournament is another one than asked for; None if it can be extended to that."""
    for name in asked.__struct_fields__:
        theirs, ours = getattr(found, name), getattr(asked, name)
        if name == "players":
            same = ours[: len(theirs)] == theirs
        else:
            same = theirs <= ours if name == "games" else theirs == ours
        if not same:
            a, b = (msgspec.json.encode(x).decode()[:80] for x in (theirs, ours))
            return say("another config, {name} {a}, not {b}", name=name, a=a, b=b)
    return None


def names(config: Config, fixture: Fixture) -> tuple[str, ...]:
    """The players of a game, by seat."""
    return tuple(config.players[player] for player in fixture.players)
