"""Files that a worker makes but does not write, since it may run on another machine."""

from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple


class Artifact(NamedTuple):
    """A text file that the main process is to write."""

    name: str
    text: str

    def save(self, folder: Path | None) -> Path:
        """Write the file into `folder`, or into a new temporary folder, and return its path.

        The file appears whole or not at all. Raises OSError.
        """
        path = (folder or Path(mkdtemp(prefix="diablerie-"))) / self.name
        part = path.with_name(f"{path.name}.part")
        part.write_text(self.text, "utf-8")
        part.replace(path)
        return path


class WithArtifact(NamedTuple):
    """The result of a job, and a file that belongs to it."""

    row: Any
    artifact: Artifact
