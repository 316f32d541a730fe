"""One server for one database file: two would each show what the other has made old."""

import fcntl
import os
from pathlib import Path


class Lock:
    """Holds a database file, by a lock on `FILE.lock` beside it that dies with the process.

    Not on the file itself, for closing that would let go of SQLite's own locks.
    """

    def __init__(self, database: Path) -> None:
        """Raises ValueError, with a sentence, if another process holds it."""
        beside = database.resolve()
        beside.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(f"{beside}.lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            other = os.read(self._file, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._file)
            raise ValueError(
                f"another diablerie (process {other}) serves {database}: stop it, or try --db"
            ) from None
        os.ftruncate(self._file, 0)
        os.write(self._file, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Let others have it."""
        os.close(self._file)
