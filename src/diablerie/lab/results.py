"""The file of a tournament: its config, then one line per finished game."""

from math import isfinite

import msgspec

from diablerie.engine.text import Line, say
from diablerie.lab.config import Config
from diablerie.lab.kept import Kept
from diablerie.lab.pairing import Fixture
from diablerie.lab.runner import Result


class Results(Kept[Result]):
    """The results of a tournament so far, in memory and, with a path, on disk."""

    config: Config
    row = Result

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
        return super().other(found)

    def fault(self, row: Result) -> Line | None:
        """What is wrong with a result that a file holds; None if nothing is."""
        n, seats = row.game, self.config.seats
        if n not in self.jobs:
            return say("there is no game {n}", n=n)
        if n in self.played:
            return say("game {n} is there twice", n=n)
        if row.players != names(self.config, self.jobs[n]):
            return say("game {n} is not between these players", n=n)
        if any(len(numbers) != seats for numbers in (row.returns, row.decisions, row.seconds)):
            return say("game {n} has not a number for each of {seats} seats", n=n, seats=seats)
        sound = all(-1 <= x <= 1 for x in row.returns) and abs(sum(row.returns)) < 1e-9
        if not sound or min(row.decisions) < 0 or not all(isfinite(x) for x in row.seconds):
            return say("game {n} cannot have ended so", n=n)
        return None


def names(config: Config, fixture: Fixture) -> tuple[str, ...]:
    """The players of a game, by seat."""
    return tuple(config.players[player] for player in fixture.players)
