"""A stand-in for NumPy: arrays over bytes, with the few operations that the pages and bots use.

Loops over items run in Python, so this is for small arrays. What is heavy, the rules and the search,
is compiled and works on the same bytes (`libraries`).
"""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, SupportsIndex

from diablerie.site.browser.layouts import (  # noqa: F401 (NumPy's names)
    bool_,
    dtype,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    integer,
    number,
    uint8,
    uint64,
)

newaxis = None
inf = math.inf
_set = object.__setattr__


class Memory:
    """Bytes, and their address for compiled code."""

    __slots__ = ("_address", "obj")

    def __init__(self, obj: bytearray) -> None:
        self.obj = obj
        self._address: Any = None

    @property
    def address(self) -> int:
        """Where the bytes begin; they stay there as long as this lives."""
        if self._address is None:
            self._address = ctypes.c_char.from_buffer(self.obj)
        return ctypes.addressof(self._address)


class record:  # noqa: N801
    """One record of an array; its fields are attributes. It shares the array's bytes."""

    __slots__ = ("_memory", "_offset", "dtype")

    def __init__(self, memory: Memory, offset: int, layout: dtype) -> None:
        _set(self, "_memory", memory)
        _set(self, "_offset", offset)
        _set(self, "dtype", layout)

    def _field(self, name: str) -> tuple[dtype, int]:
        try:
            layout, offset = self.dtype.fields[name]
        except KeyError:
            raise AttributeError(name) from None
        return layout, offset + self._offset

    def __getattr__(self, name: str) -> Any:
        layout, offset = self._field(name)
        return _item(self._memory, offset, layout)

    def __setattr__(self, name: str, value: Any) -> None:
        layout, offset = self._field(name)
        if layout.shape:
            _item(self._memory, offset, layout)[...] = value
        else:
            layout.codec.pack_into(self._memory.obj, offset, value)

    @property
    def address(self) -> int:
        """Where it begins, for compiled code."""
        return self._memory.address + self._offset

    def tobytes(self) -> bytes:
        """The bytes."""
        return bytes(self._memory.obj[self._offset : self._offset + self.dtype.itemsize])


def _item(memory: Memory, offset: int, layout: dtype) -> Any:
    if layout.shape:
        return ndarray(
            memory, offset, layout.shape, _contiguous(layout.shape, layout.base), layout.base
        )
    if layout.fields:
        return record(memory, offset, layout)
    return layout.codec.unpack_from(memory.obj, offset)[0]


def _contiguous(shape: Sequence[int], layout: dtype) -> tuple[int, ...]:
    strides, size = [], layout.itemsize
    for n in reversed(shape):
        strides.append(size)
        size *= n
    return tuple(reversed(strides))


class ndarray:  # noqa: N801
    """An array over bytes, of any shape."""

    __slots__ = ("dtype", "memory", "offset", "shape", "strides")

    def __init__(
        self,
        memory: Memory,
        offset: int,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        layout: dtype,
    ) -> None:
        self.memory, self.offset, self.dtype = memory, offset, layout
        self.shape, self.strides = shape, strides

    def __class_getitem__(cls, _: Any) -> type[ndarray]:
        return cls

    @property
    def address(self) -> int:
        """Where the first item is, for compiled code."""
        return self.memory.address + self.offset

    @property
    def base(self) -> Memory:
        """What holds the bytes."""
        return self.memory

    @property
    def size(self) -> int:
        """The number of items."""
        return prod(self.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """The bytes of all items."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(self.shape[0]))

    def __getattr__(self, name: str) -> Any:
        if not self.dtype.fields or name not in self.dtype.fields:
            raise AttributeError(name)
        return self[name]

    # -- items -------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int and len(self.shape) == 1:
            n = self.shape[0]
            if not -n <= key < n:
                raise IndexError(key)
            return _item(self.memory, self.offset + key % n * self.strides[0], self.dtype)
        if isinstance(key, str):
            return self._field(key)
        if isinstance(key, ndarray | list):
            return self._chosen(key)
        offset, shape, strides = self._place(key)
        if not shape and not (isinstance(key, tuple) and Ellipsis in key):
            return _item(self.memory, offset, self.dtype)
        return ndarray(self.memory, offset, shape, strides, self.dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, ndarray):
            places = [i for i, on in enumerate(key) if on] if key.dtype.kind == "b" else list(key)
            values = value if isinstance(value, ndarray | list) else [value] * len(places)
            for place, one in zip(places, values, strict=True):
                self[place] = one
            return
        offset, shape, strides = self._place(key)
        if not shape:
            self._put(offset, value)
            return
        target = ndarray(self.memory, offset, shape, strides, self.dtype)
        source = value if isinstance(value, ndarray) else array(value, self.dtype)
        items = (
            list(source._spread(shape)) if source.memory is self.memory else source._spread(shape)
        )
        for at, item in zip(target._offsets(), items, strict=True):
            self._put(at, item)

    def _put(self, offset: int, value: Any) -> None:
        if isinstance(value, record):
            data = value.tobytes()
            self.memory.obj[offset : offset + len(data)] = data
        else:
            self.dtype.codec.pack_into(self.memory.obj, offset, value)

    def _field(self, name: str) -> ndarray:
        layout, offset = self.dtype.fields[name]  # type: ignore[index]
        inner = _contiguous(layout.shape, layout.base)
        shape, strides = (*self.shape, *layout.shape), (*self.strides, *inner)
        return ndarray(self.memory, self.offset + offset, shape, strides, layout.base)

    def _chosen(self, key: Any) -> ndarray:
        if isinstance(key, ndarray) and key.dtype.kind == "b":
            key = [i for i, on in enumerate(key) if on]
        rows = [self[int(i)] for i in key]
        if rows:
            return array(rows, self.dtype)
        return zeros((0, *self.shape[1:]), self.dtype)

    def _place(self, key: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """The offset, shape and strides of a part of the array."""
        keys = list(key) if isinstance(key, tuple) else [key]
        if Ellipsis in keys:
            at = keys.index(Ellipsis)
            given = sum(k is not None for k in keys) - 1
            keys[at : at + 1] = [slice(None)] * (len(self.shape) - given)
        offset, shape, strides, axis = self.offset, list[int](), list[int](), 0
        for k in keys:
            if k is None:
                shape.append(1)
                strides.append(0)
                continue
            n, step = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(k, slice):
                first, last, stride = k.indices(n)
                shape.append(len(range(first, last, stride)))
                strides.append(step * stride)
                offset += first * step if shape[-1] else 0
            else:
                i = operator.index(k)
                if not -n <= i < n:
                    raise IndexError(i)
                offset += i % n * step
        return offset, (*shape, *self.shape[axis:]), (*strides, *self.strides[axis:])

    def _offsets(self) -> Iterator[int]:
        if len(self.shape) == 1:
            start, step = self.offset, self.strides[0]
            return iter([start + i * step for i in range(self.shape[0])])
        steps = self.strides
        places = product(*map(range, self.shape))
        return (self.offset + sum(map(operator.mul, at, steps)) for at in places)

    def _items(self) -> list[Any]:
        return [_item(self.memory, offset, self.dtype) for offset in self._offsets()]

    def _spread(self, shape: tuple[int, ...]) -> Iterable[Any]:
        """The items, repeated to this shape (broadcasting)."""
        if shape == self.shape:
            return self._items()
        missing = len(shape) - len(self.shape)
        own = (*[1] * missing, *self.shape)
        if any(n not in (1, m) for n, m in zip(own, shape, strict=True)):
            raise ValueError(f"shapes {self.shape} and {shape} differ")
        steps = [0] * missing + [*self.strides]
        strides = tuple(0 if n == 1 else step for n, step in zip(own, steps, strict=True))
        return ndarray(self.memory, self.offset, shape, strides, self.dtype)._items()

    # -- as something else -------------------------------------------------------------------------

    def tolist(self) -> Any:
        """The items as nested lists."""
        if len(self.shape) == 1:
            return self._items()
        return [row.tolist() for row in self] if self.shape else self._items()[0]

    def tobytes(self) -> bytes:
        """The bytes of all items, in order."""
        data, n = self.memory.obj, self.dtype.itemsize
        return b"".join(bytes(data[at : at + n]) for at in self._offsets())

    def copy(self) -> ndarray:
        """An independent copy."""
        memory = Memory(bytearray(self.tobytes()))
        return ndarray(memory, 0, self.shape, _contiguous(self.shape, self.dtype), self.dtype)

    def astype(self, kind: Any) -> ndarray:
        """A copy as other numbers."""
        return array(self, dtype(kind))

    def view(self, kind: Any) -> ndarray:
        """The same bytes read as another layout; the array must be contiguous."""
        if kind is recarray:
            return self
        layout, n = dtype(kind), self.nbytes
        shape = (n // layout.itemsize,)
        return ndarray(self.memory, self.offset, shape, (layout.itemsize,), layout)

    def reshape(self, *shape: Any) -> ndarray:
        """The same items, of a contiguous array, in another shape."""
        lengths = shape[0] if isinstance(shape[0], tuple) else shape
        if -1 in lengths:
            known = prod(n for n in lengths if n != -1)
            lengths = tuple(self.size // known if n == -1 else n for n in lengths)
        return ndarray(
            self.memory, self.offset, lengths, _contiguous(lengths, self.dtype), self.dtype
        )

    # -- all items at once -------------------------------------------------------------------------

    def _over(self, function: Callable[[Any], Any], axis: int | None, keepdims: bool) -> Any:
        if axis is None or len(self.shape) == 1:
            result = function(self._items())
            return array([result]) if keepdims else result
        axis %= len(self.shape)
        rest = self.shape[:axis] + self.shape[axis + 1 :]
        results = []
        for at in product(*map(range, rest)):
            line = self[(*at[:axis], slice(None), *at[axis:])]
            results.append(function(line.tolist()))
        kept = (*rest[:axis], 1, *rest[axis:]) if keepdims else rest
        return array(results).reshape(kept)

    def max(self, axis: int | None = None, initial: Any = None, keepdims: bool = False) -> Any:
        """The largest item, at least `initial`."""
        first = [] if initial is None else [initial]
        return self._over(lambda items: max([*first, *items]), axis, keepdims)

    def min(self, axis: int | None = None) -> Any:
        """The smallest item."""
        return self._over(min, axis, False)

    def sum(self, axis: int | None = None, keepdims: bool = False) -> Any:
        """The sum of the items."""
        return self._over(sum, axis, keepdims)

    def mean(self, axis: int | None = None) -> Any:
        """The mean of the items."""
        return self._over(lambda items: sum(items) / len(items), axis, False)

    def argmax(self) -> int:
        """The place of the first largest item."""
        items = self._items()
        return items.index(max(items))

    def argmin(self) -> int:
        """The place of the first smallest item."""
        items = self._items()
        return items.index(min(items))

    def all(self) -> bool:
        """Whether all items are true."""
        return all(self._items())

    def any(self) -> bool:
        """Whether any item is true."""
        return any(self._items())

    def fill(self, value: Any) -> None:
        """Set all items."""
        self[...] = value

    __hash__ = None  # type: ignore[assignment]


recarray = ndarray


def _operator(function: Callable[[Any, Any], Any], swapped: bool = False) -> Any:
    def apply(self: ndarray, other: Any) -> ndarray:
        return _combined(function, other, self) if swapped else _combined(function, self, other)

    return apply


def _combined(function: Callable[[Any, Any], Any], a: Any, b: Any) -> ndarray:
    """An operation on the items of two arrays (or numbers), broadcast to a common shape."""
    left, right = asarray(a), asarray(b)
    if not left.shape:
        pairs: Any = ((a, y) for y in right._items())
        shape = right.shape
    elif not right.shape:
        pairs = ((x, b) for x in left._items())
        shape = left.shape
    else:
        n = max(left.ndim, right.ndim)
        padded = [(*[1] * (n - one.ndim), *one.shape) for one in (left, right)]
        shape = tuple(map(max, *padded))
        pairs = zip(left._spread(shape), right._spread(shape), strict=True)
    return array([function(x, y) for x, y in pairs]).reshape(shape)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_"):
    _function = getattr(operator, _name)
    _bare = _name.strip("_")
    setattr(ndarray, f"__{_bare}__", _operator(_function))
    setattr(ndarray, f"__r{_bare}__", _operator(_function, swapped=True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(ndarray, f"__{_name}__", _operator(getattr(operator, _name)))


def _each(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def apply(values: Any) -> Any:
        if not isinstance(values, ndarray | list):
            return function(values)
        given = asarray(values)
        return array([function(x) for x in given._items()]).reshape(given.shape)

    return apply


setattr(ndarray, "__neg__", _each(operator.neg))  # noqa: B010
setattr(ndarray, "__abs__", _each(abs))  # noqa: B010
sqrt, exp, rint, absolute = _each(math.sqrt), _each(math.exp), _each(round), _each(abs)
isfinite = _each(math.isfinite)


def largest(a: Any) -> Any:
    """The largest item: NumPy's `max`."""
    return asarray(a).max()


def argmin(a: Any) -> int:
    """The place of the first smallest item."""
    return asarray(a).argmin()


def maximum(a: Any, b: Any) -> ndarray:
    """The larger item of each pair."""
    return _combined(max, a, b)


def minimum(a: Any, b: Any) -> ndarray:
    """The smaller item of each pair."""
    return _combined(min, a, b)


def where(condition: Any, a: Any, b: Any) -> ndarray:
    """Items of `a` where the condition holds, else of `b`."""
    chosen = asarray(condition)
    both = [asarray(x) for x in (a, b)]
    spread = [
        list(x._spread(chosen.shape)) if x.shape else [x._items()[0]] * chosen.size for x in both
    ]
    pairs = zip(chosen._items(), *spread, strict=True)
    return array([x if on else y for on, x, y in pairs]).reshape(chosen.shape)


# -- making arrays -----------------------------------------------------------------------------------


def zeros(shape: Any, kind: Any = float, dtype: Any = None) -> ndarray:
    """An array of zeros."""
    layout = _layout(dtype or kind)
    lengths = tuple(shape) if isinstance(shape, tuple | list) else (operator.index(shape),)
    memory = Memory(bytearray(max(1, prod(lengths) * layout.itemsize)))
    return ndarray(memory, 0, lengths, _contiguous(lengths, layout), layout)


empty = zeros
_layout = dtype


def zeros_like(a: ndarray) -> ndarray:
    """Zeros of the same shape and layout."""
    return zeros(a.shape, a.dtype)


def full(shape: Any, value: Any, kind: Any = None) -> ndarray:
    """An array in which every item is this value."""
    result = zeros(shape, kind or type(value))
    result[...] = value
    return result


def array(values: Any, kind: Any = None, dtype: Any = None) -> ndarray:
    """An array with these (nested) values."""
    kind = dtype or kind
    if isinstance(values, ndarray):
        if kind is None or _layout(kind) is values.dtype:
            return values.copy()
        shape, flat = values.shape, values._items()
    else:
        shape, flat = _flattened(values)
    if kind is None:
        kind = next((k for k in (float, int, bool) if any(type(x) is k for x in flat)), float)
    result = zeros(shape, kind)
    for at, x in zip(result._offsets() if shape else iter([0]), flat, strict=True):
        result._put(at, x)
    return result


def _flattened(values: Any) -> tuple[tuple[int, ...], list[Any]]:
    if isinstance(values, ndarray):
        return values.shape, values._items()
    if isinstance(values, SupportsIndex | float | record):
        return (), [values]
    rows = [_flattened(x) for x in values]
    shape = rows[0][0] if rows else ()
    return (len(rows), *shape), [x for _, flat in rows for x in flat]


def asarray(values: Any, kind: Any = None) -> ndarray:
    """The array itself, or one of these values."""
    if isinstance(values, ndarray) and (kind is None or dtype(kind) is values.dtype):
        return values
    return array(values, kind)


def frombuffer(data: Any, kind: Any = float) -> ndarray:
    """An array over the bytes of a bytearray, or over a copy of other bytes."""
    memory = Memory(data if isinstance(data, bytearray) else bytearray(data))
    layout = _layout(kind)
    return ndarray(memory, 0, (len(data) // layout.itemsize,), (layout.itemsize,), layout)


def arange(*limits: int) -> ndarray:
    """Whole numbers as of `range`."""
    return array(list(range(*limits)), int64)


def repeat(values: ndarray, n: int) -> ndarray:
    """Every item so many times."""
    return array([x for x in values for _ in range(n)], values.dtype)


def concatenate(arrays: Sequence[Any]) -> ndarray:
    """Arrays one after the other, along their first axis."""
    parts = [asarray(x) for x in arrays]
    rows = sum(len(x) for x in parts)
    kind = next((x.dtype for x in parts if len(x)), parts[0].dtype)
    flat = [x for part in parts for x in part._items()]
    result = array(flat, kind) if flat else zeros(0, kind)
    return result.reshape((rows, *parts[0].shape[1:]))


def append(a: Any, b: Any) -> ndarray:
    """The items of both."""
    return array([*asarray(a)._items(), *asarray(b)._items()], float)


def diff(a: ndarray, axis: int = 0) -> ndarray:
    """The difference of each row to the one before; of the first axis only."""
    return a[1:] - a[:-1]


def argsort(a: ndarray, kind: str = "stable") -> ndarray:
    """The places of the items in ascending order; of equals the first comes first."""
    items = a._items()
    return array(sorted(range(len(items)), key=items.__getitem__), int64)


def seterr(**_: str) -> None:
    """Nothing: numbers here are Python's."""
