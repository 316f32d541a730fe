"""The random numbers of search, playouts and bots: SplitMix64 in a one-element uint64 array.

SplitMix64 and its constants: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
generators". The dice of a match do not come from here but from `diablerie.engine.fair`.
"""

import reprlib
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.compile import Floats, rule, wrapping

Rng = NDArray[np.uint64]  # one entry, the state of the generator
GOLDEN_STEP = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio, odd
MIX1 = np.uint64(0xBF58476D1CE4E5B9)
MIX2 = np.uint64(0x94D049BB133111EB)
U27, U30, U31, U32, U11 = (np.uint64(k) for k in (27, 30, 31, 32, 11))


def whole(name: str, number: object) -> int:
    """A whole number, of Python or NumPy. Raises TypeError, with this name, for all else."""
    if not isinstance(number, Integral) or isinstance(number, bool):
        raise TypeError(f"{name} is one whole number, not {reprlib.repr(number)}")
    return int(number)


def seeded(seed: int) -> Rng:
    """A generator that starts at `seed` (mod 2^64). Raises TypeError for no whole number."""
    return np.array([whole("seed", seed) % 2**64], np.uint64)


@wrapping
def bits(rng: Rng) -> Any:
    """The next 64 random bits, as uint64."""
    rng[0] = rng[0] + GOLDEN_STEP
    z = rng[0]
    z = (z ^ (z >> U30)) * MIX1
    z = (z ^ (z >> U27)) * MIX2
    return z ^ (z >> U31)


@rule
def below(rng: Rng, n: int) -> int:
    """A random integer from 0 to n-1 (n below 2^32; bias at most n/2^32).

    The upper half of a product instead of a remainder: Lemire 2019, "Fast random integer
    generation in an interval", without its rejection step.
    """
    return int(np.int64(((bits(rng) >> U32) * np.uint64(n)) >> U32))


@rule
def unit(rng: Rng) -> float:
    """A random number from 0 up to, but not including, 1: 53 random bits times 2^-53."""
    return float(bits(rng) >> U11) * (1.0 / 9007199254740992.0)


@rule
def weighted(rng: Rng, p: Floats, n: int) -> int:
    """An index below n, drawn with the probabilities p[:n] (which sum to 1)."""
    left = unit(rng)
    for i in range(n - 1):
        left -= p[i]
        if left < 0.0:
            return i
    return n - 1
