"""Files that are written while a study runs: whether they can be, whether another process has them."""

from pathlib import Path
from typing import IO, Any

import msgspec

from diablerie.engine.text import Line, say

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def different_config(name: str, theirs: Any, ours: Any) -> Line:
    """The sentence that a file's config differs in one field."""
    a, b = (msgspec.json.encode(x).decode()[:80] for x in (theirs, ours))
    return say("another config, {name} {a}, not {b}", name=name, a=a, b=b)


def check_writable(path: Path) -> None:
    """Find out whether a file can be written, before anything is played; leave it as it is.

    Raises OSError.
    """
    there = path.exists()
    with path.open("ab"):
        pass
    if not there:
        path.unlink()


def lock_file(file: IO[bytes], wait: bool = False) -> bool:
    """Lock a file against other processes, where the system can; False if one has the lock.

    wait: return only once no other process has it.
    """
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if wait:
                fcntl.flock(file, fcntl.LOCK_SH)
            return False
    return True
