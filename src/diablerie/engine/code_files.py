"""The machine code of functions on disk, in place of the files that Numba keeps.

Numba keeps an index beside each function's code. Two processes that compile the same function for
different games at once read and write that index one after the other, and the code of one game
then lies under the other's name; and Numba believes whatever a file holds. Here each signature has
a file of its own, which says what it is of, and is checked before it is read.
"""

import hashlib
import logging
import pickle
from functools import cache
from pathlib import Path
from typing import Any

from numba import __version__
from numba.core.serialize import dumps

from diablerie.engine.checked_files import read_checked, write_checked

log = logging.getLogger(__name__)
used: set[Path] = set()  # the files that this process has read or written


class CodeFiles:
    """The files of one function. It has the methods of Numba's `IndexDataCacheFile`."""

    def __init__(self, cache_path: str, filename_base: str, source_stamp: object) -> None:
        """source_stamp: tells versions of the function's source file apart."""
        self._folder = Path(cache_path)
        self._base = filename_base
        self._version = __version__, source_stamp

    def load(self, key: object) -> Any:
        """The code for this key of signature and machine; None if there is none that can be used."""
        path = self._path(key)
        if (content := read_checked(path)) is None:
            return None
        try:
            version, kept, data = pickle.loads(content)
        except Exception as error:  # what was pickled by other versions of libraries fails anyhow
            log.info("%s cannot be read: %r", path, error)
            return None
        if (version, kept) != (self._version, key):
            return None
        used.add(path)
        return data

    def save(self, key: object, data: object) -> None:
        """Keep the code for this key. Where that fails, it is compiled again another time."""
        path = self._path(key)
        try:
            write_checked(path, dumps((self._version, key, data)))
        except OSError as error:
            _tell_unkept(str(self._folder.parent), error.strerror or type(error).__name__)
        else:
            used.add(path)

    def flush(self) -> None:
        """Forget the code of this function."""
        for path in self._folder.glob(f"{self._base}.*.nbc"):
            path.unlink(missing_ok=True)

    @property
    def base(self) -> Path:
        """Folder and beginning of the names of these files."""
        return self._folder / self._base

    def _path(self, key: object) -> Path:
        name = hashlib.sha256(repr((self._version, key)).encode()).hexdigest()[:16]
        return self._folder / f"{self._base}.{name}.nbc"


@cache
def _tell_unkept(folder: str, why: str) -> None:
    log.warning("compiled code cannot be kept in %s: %s", folder, why)
