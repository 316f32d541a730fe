"""Files that workers make and do not write: they may be on another machine."""

from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple


class File(NamedTuple):
    """A file to be written."""

    name: str
    text: str

    def save(self, folder: Path | None) -> Path:
        """Write it, whole or not at all, into a folder, a new temporary one if there is none."""
        path = (folder or Path(mkdtemp(prefix="diablerie-"))) / self.name
        half = path.with_name(f"{path.name}.part")
        half.write_text(self.text, "utf-8")
        half.replace(path)
        return path


class Filed(NamedTuple):
    """A result with a file of it, for whoever keeps both."""

    row: Any
    file: File
