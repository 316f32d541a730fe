"""What is wrong with a tournament, as a sentence."""

from diablerie.engine.text import Line, Problem
from diablerie.lab.filed import File


class BadConfig(Problem):
    """A tournament that cannot be held."""


class BadFile(Problem):
    """A file that does not hold these results; the sentence names file and line."""


class BotFailure(Problem):
    """A bot did what it must not; the sentence names it, the game and what it did.

    file: the match up to there, if it is still to be written.
    """

    def __init__(self, line: Line, file: File | None = None) -> None:
        super().__init__(line)
        self.file = file


class WorkersLost(Problem):
    """A worker process, or a whole cluster, ended unexpectedly."""


class BadCluster(Problem):
    """A cluster that is not there, or that cannot play what is asked."""


class Stopped(Exception):
    """A game was broken off from outside."""
