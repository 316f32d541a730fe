"""`@rule`: the one way rules are compiled, and where their machine code is kept.

Numba's disk cache notices a change only in the file a function is in, never in the functions it
calls. So the cache lives in a folder named by a digest of the sources that compiled code is made
from: any edit of those starts clean, and two versions never share code. See `sources` for which.
Two checkouts of one version do share it.
"""

import hashlib
import itertools
import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import UserProvidedCacheLocator

from diablerie.engine.sources import roots, sources

Rule = TypeVar("Rule", bound=Callable[..., Any])
PACKAGE = Path(__file__).resolve().parent.parent
KEPT = 3  # older digests left on disk, so that two checkouts in use do not evict each other


def source_digest() -> str:
    """Digest of every source file that compiled code depends on, and of the compiler."""
    h = hashlib.sha256(numba.__version__.encode())
    for name, data in sources():
        h.update(f"{name}\0{len(data)}\0".encode() + data)
    return h.hexdigest()[:16]


def cache_root() -> Path:
    """The folder of all digests: `DIABLERIE_CACHE`, or the platform's cache folder."""
    named = os.environ.get("DIABLERIE_CACHE")
    return Path(named) if named else Path(platformdirs.user_cache_dir("diablerie"))


def cache_folder() -> Path:
    """The folder of this version's machine code; oldest others are removed."""
    root = cache_root() / "rules"
    here = root / source_digest()
    here.mkdir(parents=True, exist_ok=True)
    os.utime(here)
    by_age = sorted(root.iterdir(), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in by_age[KEPT + 1 :]:
        shutil.rmtree(old, ignore_errors=True)
    return here


class ByModule(UserProvidedCacheLocator):  # type: ignore[misc]
    """Keeps a module's code under the module's name, wherever the package lies on this machine.

    Numba's own locator takes the path instead, so that every checkout would compile anew.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder of a file's code, inside `cache_folder`."""
        folder = Path(py_file).resolve().parent
        for name, root in roots().items():
            if folder.is_relative_to(root):
                return ".".join([name, *folder.relative_to(root).parts])
        return str(super().get_suitable_cache_subpath(py_file))


# Numba numbers functions and types in each process from 1, and symbols of machine code differ by these
# numbers alone where names and signatures agree. Code of two processes, met again from the cache in
# a third, then had symbols in common, and one game ran the code of another.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))

if not numba.config.DISABLE_JIT:
    numba.config.CACHE_DIR = str(cache_folder())
    numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{ByModule.__name__}"


def rule(function: Rule) -> Rule:
    """Compile `function` with Numba: cached on disk, without the interpreter's lock.

    No references are counted (`_nrt`), since nothing is allocated: to count those of arrays that
    are handed from rule to rule took as long as the rules, and most of the compiling. Arrays
    belong to whoever calls from Python; a rule that makes one is refused by Numba.
    """
    return numba.njit(cache=True, nogil=True, _nrt=False)(function)  # type: ignore[no-any-return]


def inlined(function: Rule) -> Rule:
    """As `rule`, but copied into its callers: for what is shared by the inmost loops of games."""
    decorator = numba.njit(cache=True, nogil=True, _nrt=False, inline="always")
    return decorator(function)  # type: ignore[no-any-return]


def summing(function: Rule) -> Rule:
    """As `rule`, but sums of floats are added in any order, so that the processor adds many at once.

    The order is fixed when the function is compiled: equal arguments give equal results.
    """
    freedoms = {"reassoc", "contract", "nsz", "arcp"}
    decorator = numba.njit(
        cache=True, nogil=True, _nrt=False, fastmath=freedoms, error_model="numpy"
    )
    return decorator(function)  # type: ignore[no-any-return]
