"""The errors of the laboratory. All but the last are `UserError`s: one sentence for a person."""

from diablerie.engine.text import Line, UserError
from diablerie.lab.running.artifacts import Artifact


class BadConfig(UserError):
    """The settings of a study are wrong, or a library that it needs is missing."""


class BadFile(UserError):
    """A results file does not hold results of this study; the sentence names file and line."""


class BotFailure(UserError):
    """A bot broke the rules or raised an exception; the sentence names bot, game and mistake.

    artifact: the match up to the mistake, if there is one and nobody has saved it yet.
    """

    def __init__(self, line: Line, artifact: Artifact | None = None) -> None:
        super().__init__(line)
        self.artifact = artifact


class WorkersLost(UserError):
    """A worker process, or a whole cluster, ended unexpectedly."""


class BadCluster(UserError):
    """There is no Ray cluster at the address, or it cannot run the jobs."""


class JobStopped(Exception):
    """A worker gave up a job because the run was told to stop."""
