"""A lock on a database file, because two servers on one file would show outdated tables."""

import fcntl
import os
import struct
from pathlib import Path

from diablerie.table.storage.database import identity

OPEN_FILE_LOCK = getattr(fcntl, "F_OFD_SETLK", None)  # Linux; elsewhere a hard link is not noticed
# the byte of the database file that is locked: SQLite locks some at 2**30, by fcntl
LOCK_BYTE = 2**62
_held: set[tuple[int, int]] = set()  # devices and inodes of the files this process holds


class Lock:
    """Holds a database file, by two locks that die with the process.

    One is on `FILE.lock` beside it, which names the process. The other is on the file itself and
    so holds for every hard link to it, too. A process that closes a file loses all the locks that
    SQLite has there: so the file is opened before SQLite opens it, and never closed.
    """

    def __init__(self, database: Path) -> None:
        """Raises ValueError, with a sentence, if another process holds it, or nobody can."""
        beside = database.resolve()
        beside.parent.mkdir(parents=True, exist_ok=True)
        self._beside = os.open(f"{beside}.lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._beside, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = os.read(self._beside, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._beside)
            raise ValueError(
                f"another diablerie (process {other}) serves {database}: stop it, or try --db"
            ) from None
        except OSError as error:  # as where a network's file system locks nothing
            os.close(self._beside)
            raise ValueError(
                f"{beside}.lock cannot be locked ({error.strerror}): put the database elsewhere by --db"
            ) from None
        os.ftruncate(self._beside, 0)
        os.write(self._beside, f"{os.getpid()}\n".encode())
        self._inode: tuple[int, int] | None = None
        if OPEN_FILE_LOCK is not None:
            self._hold(beside)

    def _hold(self, database: Path) -> None:
        try:
            if identity(database) in _held:
                raise BlockingIOError
            self._file = os.open(database, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _set(self._file, fcntl.F_WRLCK)
            except OSError:
                os.close(self._file)
                raise
        except BlockingIOError:
            os.close(self._beside)
            raise ValueError(
                f"another diablerie serves {database} under another name: stop it, or try --db"
            ) from None
        except OSError:  # whoever opens it as a database says what is wrong
            return
        self._inode = identity(database)
        if self._inode:
            _held.add(self._inode)

    def release(self) -> None:
        """Release both locks."""
        if self._inode:
            _set(self._file, fcntl.F_UNLCK)
            _held.discard(self._inode)
        os.close(self._beside)


def _set(file: int, kind: int) -> None:
    """Lock or unlock one byte. Raises BlockingIOError if another open file has it locked."""
    assert OPEN_FILE_LOCK is not None
    fcntl.fcntl(file, OPEN_FILE_LOCK, struct.pack("hhqqi0q", kind, os.SEEK_SET, LOCK_BYTE, 1, 0))
