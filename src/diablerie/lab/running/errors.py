"""The errors of the laboratory, and the files that workers hand to the main process.

All errors but `JobStopped` are `UserError`s: one sentence for a person.
"""

from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import msgspec

from diablerie.engine.text import Line, UserError


class Artifact(NamedTuple):
    """A text file that a worker makes and the main process writes: they may be on two machines."""

    name: str
    text: str

    def save(self, folder: Path | None) -> Path:
        """Write the file into `folder`, or into a new temporary folder, and return its path.

        The file appears whole or not at all. Raises OSError.
        """
        from diablerie.engine.files import write_whole  # which imports Numba

        path = (folder or Path(mkdtemp(prefix="diablerie-"))) / self.name
        write_whole(path, self.text.encode())
        return path


class WithArtifact(NamedTuple):
    """The result of a job, and a file that belongs to it."""

    row: msgspec.Struct
    artifact: Artifact


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
