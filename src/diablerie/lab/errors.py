"""What is wrong with a tournament, as a sentence."""

from diablerie.engine.text import Problem


class BadConfig(Problem):
    """A tournament that cannot be held."""


class BadFile(Problem):
    """A file that does not hold these results; the sentence names file and line."""


class BotFailure(Problem):
    """A bot did what it must not; the sentence names it, the game and what it did."""


class WorkersLost(Problem):
    """A worker process ended unexpectedly."""
