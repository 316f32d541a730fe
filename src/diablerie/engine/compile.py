"""`@rule`: the one way rules are compiled, and where their machine code is kept.

Numba's disk cache notices a change only in the file a function is in, never in the functions it
calls. So the cache lives in a folder named by a digest of the sources that compiled code is made
from: see `sources.cache_folder`.
"""

import itertools
import os
import secrets
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import UserProvidedCacheLocator

from diablerie.engine.sources import cache_folder, roots

Rule = TypeVar("Rule", bound=Callable[..., Any])
_writable: set[str] = set()  # folders of code


class ByModule(UserProvidedCacheLocator):  # type: ignore[misc]
    """Keeps a module's code under the module's name, wherever the package lies on this machine.

    Numba's own locator takes the path instead, so that every checkout would compile anew.
    """

    @classmethod
    @cache
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder of a file's code, inside `cache_folder`."""
        folder = Path(py_file).resolve().parent
        for name, root in roots().items():
            if folder.is_relative_to(root):
                return ".".join([name, *folder.relative_to(root).parts])
        return str(super().get_suitable_cache_subpath(py_file))

    def ensure_cache_path(self) -> None:
        """Make the folder and try to write there: once, and not for each function as Numba does."""
        if self._cache_path not in _writable:
            super().ensure_cache_path()
            _writable.add(self._cache_path)


def _number_functions() -> None:
    """Have Numba number functions from a random start, in each process and fork another.

    It counts from 1, and symbols of machine code differ by these numbers alone where names and
    signatures agree. Code of two processes, met again from the cache in a third, then had symbols
    in common, and one game ran the code of another.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


_number_functions()
if hasattr(os, "register_at_fork"):  # not in a browser
    from diablerie.engine import compile_notice as compile_notice

    os.register_at_fork(after_in_child=_number_functions)

if not numba.config.DISABLE_JIT:
    numba.config.CACHE_DIR = str(cache_folder())
    numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{ByModule.__name__}"


# No references are counted (`_nrt`), since nothing is allocated: to count those of arrays that are
# handed from rule to rule took as long as the rules, and most of the compiling. Arrays belong to
# whoever calls from Python; a rule that makes one is refused by Numba. Nobody calls rules through
# C's convention, and the wrapper for that was an eighth of compiling.
OPTIONS = {"cache": True, "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}


def rule(function: Rule) -> Rule:
    """Compile `function` with Numba: cached on disk, without the interpreter's lock."""
    return numba.njit(**OPTIONS)(function)  # type: ignore[no-any-return]


def inlined(function: Rule) -> Rule:
    """As `rule`, but copied into its callers: for what is shared by the inmost loops of games."""
    return numba.njit(**OPTIONS, inline="always")(function)  # type: ignore[no-any-return]


def summing(function: Rule) -> Rule:
    """As `rule`, but sums of floats are added in any order, so that the processor adds many at once.

    The order is fixed when the function is compiled: equal arguments give equal results.
    """
    freedoms = {"reassoc", "contract", "nsz", "arcp"}
    decorator = numba.njit(**OPTIONS, fastmath=freedoms, error_model="numpy")
    return decorator(function)  # type: ignore[no-any-return]
