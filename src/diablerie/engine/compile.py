"""`@rule`: the one way rules are compiled, and where their machine code is kept.

Numba's disk cache notices a change only in the file a function is in, never in the functions it
calls. So the cache lives in a folder named by a digest of the sources that compiled code is made
from: see `sources.cache_folder`.

Beside it the types of arrays, by their dtype. Docstrings say the shapes; rules read and write
C-contiguous arrays of one dimension where nothing else is said.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from diablerie.engine.interpreted import made
from diablerie.engine.numba_internals import OPTIONS, ByModule
from diablerie.engine.sources import cache_folder

Rule = TypeVar("Rule", bound=Callable[..., object])

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Records = NDArray[Any]  # of states, or of other records; an element has their fields
Layout = np.dtype[Any]  # of one

if not numba.config.DISABLE_JIT:
    from diablerie.engine import compile_notice as compile_notice

    numba.config.CACHE_DIR = str(cache_folder())
    numba.config.CACHE_LOCATOR_CLASSES = f"{ByModule.__module__}.{ByModule.__name__}"


def _rule(function: Rule, plain: Callable[..., object] | None = None, **options: object) -> Rule:
    """A rule with these options of Numba. plain: see `interpreted.made`."""
    compiled = numba.njit(**OPTIONS, **options)(function)
    if compiled is function:  # nothing is compiled in this process
        return plain or function  # type: ignore[return-value]
    made(compiled, plain)
    return compiled  # type: ignore[no-any-return]


def rule(function: Rule) -> Rule:
    """Compile `function` with Numba: cached on disk, without the interpreter's lock.

    Until the game that asks is compiled, it runs as Python: see `interpreted`.
    """
    return _rule(function)


def inlined(function: Rule) -> Rule:
    """As `rule`, but copied into its callers: for what is shared by the inmost loops of games."""
    return _rule(function, inline="always")


def wrapping(function: Rule) -> Rule:
    """As `rule`, for whole numbers that wrap around on purpose: NumPy does not warn of it.

    It would in each thread anew, for NumPy keeps what it warns of by thread.
    """
    return _rule(function, np.errstate(over="ignore")(function))


def summing(function: Rule) -> Rule:
    """As `rule`, but sums of floats are added in any order, so that the processor adds many at once.

    The order is fixed when the function is compiled: equal arguments give equal results.
    """
    freedoms = {"reassoc", "contract", "nsz", "arcp"}
    return _rule(function, fastmath=freedoms, error_model="numpy")
