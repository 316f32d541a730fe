"""A stand-in for NumPy's functions: see `arrays` for the arrays themselves."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, TypeVar

from diablerie.site.browser.arrays import (
    array,
    asarray,
    combined,
    each_item,
    ndarray,
    zeros,
)
from diablerie.site.browser.layouts import int64

if TYPE_CHECKING:
    from diablerie.site.browser.arrays import Item, Shape, Values

Decorated = TypeVar("Decorated")
sqrt = each_item(math.sqrt)
exp = each_item(math.exp)
rint = each_item(round)
absolute = each_item(abs)
isfinite = each_item(math.isfinite)


def largest(a: Values) -> Any:
    """The largest item: NumPy's `max`."""
    return asarray(a).max()


def argmin(a: Values) -> int:
    """The place of the first smallest item."""
    return asarray(a).argmin()


def maximum(a: Values, b: Values) -> ndarray:
    """The larger item of each pair."""
    return combined(max, a, b)


def minimum(a: Values, b: Values) -> ndarray:
    """The smaller item of each pair."""
    return combined(min, a, b)


def where(condition: Values, a: Values, b: Values) -> ndarray:
    """Items of `a` where the condition holds, else of `b`."""
    chosen = asarray(condition)
    both = [asarray(x) for x in (a, b)]
    spread = [
        list(x.spread(chosen.shape)) if x.shape else [x.items()[0]] * chosen.size for x in both
    ]
    pairs = zip(chosen.items(), *spread, strict=True)
    return array([x if on else y for on, x, y in pairs]).reshape(chosen.shape)


def zeros_like(a: ndarray) -> ndarray:
    """Zeros of the same shape and layout."""
    return zeros(a.shape, a.dtype)


def full(shape: Shape, value: Item, kind: object = None) -> ndarray:
    """An array in which every item is this value."""
    result = zeros(shape, kind or type(value))
    result[...] = value
    return result


def arange(*limits: int) -> ndarray:
    """Whole numbers as of `range`."""
    return array(list(range(*limits)), int64)


def ndindex(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The places of an array of this shape, the last index first."""
    return product(*map(range, shape))


def flatnonzero(values: Values) -> ndarray:
    """Where the items are that are not 0."""
    return array([i for i, x in enumerate(asarray(values)) if x], int64)


def repeat(values: Values, n: int | Sequence[int]) -> ndarray:
    """Every item so many times; n: the same number for all, or one for each."""
    items = asarray(values)
    counts = [n] * len(items) if isinstance(n, int) else n
    pairs = zip(items, counts, strict=True)
    return array([x for x, count in pairs for _ in range(count)], items.dtype)


def concatenate(arrays: Sequence[Values]) -> ndarray:
    """Arrays one after the other, along their first axis."""
    parts = [asarray(x) for x in arrays]
    rows = sum(len(x) for x in parts)
    kind = next((x.dtype for x in parts if len(x)), parts[0].dtype)
    flat = [x for part in parts for x in part.items()]
    result = array(flat, kind) if flat else zeros(0, kind)
    return result.reshape((rows, *parts[0].shape[1:]))


def append(a: Values, b: Values) -> ndarray:
    """The items of both."""
    return array([*asarray(a).items(), *asarray(b).items()], float)


def diff(a: ndarray, axis: int = 0) -> ndarray:
    """The difference of each row to the one before; of the first axis only."""
    return combined(operator.sub, a[1:], a[:-1])


def argsort(a: ndarray, kind: str = "stable") -> ndarray:
    """The places of the items in ascending order; of equals the first comes first."""
    items = a.tolist()
    return array(sorted(range(len(items)), key=items.__getitem__), int64)


def errstate(**_: str) -> Callable[[Decorated], Decorated]:
    """A decorator without effect: numbers here are Python's."""
    return lambda function: function
