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
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, SupportsIndex

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

inf = math.inf
_set = object.__setattr__


class Memory:
    """Bytes, and their address for compiled code."""

    __slots__ = ("_address", "obj")

    def __init__(self, obj: bytearray | memoryview) -> None:
        self.obj = obj
        self._address: ctypes.c_char | None = None

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

    def __setattr__(self, name: str, value: Item | Values) -> None:
        layout, offset = self._field(name)
        if layout.shape:
            _item(self._memory, offset, layout)[...] = value
        else:
            layout.codec.pack_into(self._memory.obj, offset, value)

    @property
    def address(self) -> int:
        """Where it begins, for compiled code."""
        return int(self._memory.address + self._offset)

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
    strides = []
    size = layout.itemsize
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
        self.memory = memory
        self.offset = offset
        self.dtype = layout
        self.shape = shape
        self.strides = strides

    def __class_getitem__(cls, _: object) -> type[ndarray]:
        return cls

    @property
    def address(self) -> int:
        """Where the first item is, for compiled code."""
        return self.memory.address + self.offset

    @property
    def data(self) -> memoryview:
        """The bytes of a contiguous array, not copied."""
        end = self.offset + self.size * self.dtype.itemsize
        return memoryview(self.memory.obj)[self.offset : end]

    @property
    def base(self) -> Memory:
        """What holds the bytes."""
        return self.memory

    @property
    def flags(self) -> SimpleNamespace:
        """Flags that may be set, without effect: nothing is locked here."""
        return SimpleNamespace(writeable=True)

    @property
    def size(self) -> int:
        """The number of items."""
        return prod(self.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

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
        if type(key) is tuple and len(key) == 2 == len(self.shape):
            i, j = key
            if type(i) is int and type(j) is int:  # tables are made by this when games are imported
                rows, columns = self.shape
                if not (-rows <= i < rows and -columns <= j < columns):
                    raise IndexError(key)
                row = i % rows * self.strides[0]
                column = j % columns * self.strides[1]
                return _item(self.memory, self.offset + row + column, self.dtype)
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
            self.put(offset, value)
            return
        target = ndarray(self.memory, offset, shape, strides, self.dtype)
        source = value if isinstance(value, ndarray) else array(value, self.dtype)
        items = list(source.spread(shape)) if source.memory is self.memory else source.spread(shape)
        for at, item in zip(target.offsets(), items, strict=True):
            self.put(at, item)

    def put(self, offset: int, value: Item) -> None:
        """Write an item that begins there."""
        if isinstance(value, record):
            data = value.tobytes()
            self.memory.obj[offset : offset + len(data)] = data
        else:
            self.dtype.codec.pack_into(self.memory.obj, offset, value)

    def _field(self, name: str) -> ndarray:
        layout, offset = self.dtype.fields[name]  # type: ignore[index]
        inner = _contiguous(layout.shape, layout.base)
        shape = (*self.shape, *layout.shape)
        strides = (*self.strides, *inner)
        return ndarray(self.memory, self.offset + offset, shape, strides, layout.base)

    def _chosen(self, key: ndarray | Sequence[int]) -> ndarray:
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
        # An index takes an axis away, a slice keeps it, None adds one of length 1.
        offset = self.offset
        shape = list[int]()
        strides = list[int]()
        axis = 0
        for k in keys:
            if k is None:
                shape.append(1)
                strides.append(0)
                continue
            n = self.shape[axis]
            step = self.strides[axis]
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

    def offsets(self) -> Iterator[int]:
        """Where each item begins."""
        if len(self.shape) == 1:
            start = self.offset
            step = self.strides[0]
            return iter([start + i * step for i in range(self.shape[0])])
        steps = self.strides
        places = product(*map(range, self.shape))
        return (self.offset + sum(map(operator.mul, at, steps)) for at in places)

    def items(self) -> list[Item]:
        """The items of all rows, one after the other."""
        return [_item(self.memory, offset, self.dtype) for offset in self.offsets()]

    def spread(self, shape: tuple[int, ...]) -> Iterable[Item]:
        """The items, repeated to this shape (broadcasting)."""
        if shape == self.shape:
            return self.items()
        missing = len(shape) - len(self.shape)
        own = (*[1] * missing, *self.shape)
        if any(n not in (1, m) for n, m in zip(own, shape, strict=True)):
            raise ValueError(f"shapes {self.shape} and {shape} differ")
        steps = [0] * missing + [*self.strides]
        strides = tuple(0 if n == 1 else step for n, step in zip(own, steps, strict=True))
        return ndarray(self.memory, self.offset, shape, strides, self.dtype).items()

    # -- as something else -------------------------------------------------------------------------

    def tolist(self) -> Any:
        """The items as nested lists."""
        if len(self.shape) == 1:
            return self.items()
        return [row.tolist() for row in self] if self.shape else self.items()[0]

    def tobytes(self) -> bytes:
        """The bytes of all items, in order."""
        data = self.memory.obj
        n = self.dtype.itemsize
        return b"".join(bytes(data[at : at + n]) for at in self.offsets())

    def copy(self) -> ndarray:
        """An independent copy."""
        memory = Memory(bytearray(self.tobytes()))
        return ndarray(memory, 0, self.shape, _contiguous(self.shape, self.dtype), self.dtype)

    def astype(self, kind: object) -> ndarray:
        """A copy as other numbers."""
        return array(self, dtype(kind))

    def view(self, kind: object) -> ndarray:
        """The same bytes read as another layout; the array must be contiguous."""
        if kind is recarray:
            return self
        layout = dtype(kind)
        shape = (self.size * self.dtype.itemsize // layout.itemsize,)
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
            result = function(self.items())
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

    def std(self) -> float:
        """The standard deviation of all items."""
        mean = self.mean()
        return float((sum((x - mean) ** 2 for x in self.items()) / self.size) ** 0.5)

    def argmax(self) -> int:
        """The place of the first largest item."""
        items = self.items()
        return items.index(max(items))

    def argmin(self) -> int:
        """The place of the first smallest item."""
        items = self.items()
        return items.index(min(items))

    def all(self) -> bool:
        """Whether all items are true."""
        return all(self.items())

    __hash__ = None  # type: ignore[assignment]


recarray = ndarray


def _operator(function: Binary, swapped: bool = False) -> object:
    def apply(self: ndarray, other: Values) -> ndarray:
        return combined(function, other, self) if swapped else combined(function, self, other)

    return apply


def combined(function: Binary, a: Values, b: Values) -> ndarray:
    """An operation on the items of two arrays (or numbers), broadcast to a common shape."""
    left = asarray(a)
    right = asarray(b)
    if not left.shape:
        pairs: Iterable[tuple[Values, Values]] = ((a, y) for y in right.items())
        shape = right.shape
    elif not right.shape:
        pairs = ((x, b) for x in left.items())
        shape = left.shape
    else:
        n = max(left.ndim, right.ndim)
        padded = [(*[1] * (n - one.ndim), *one.shape) for one in (left, right)]
        shape = tuple(map(max, *padded))
        pairs = zip(left.spread(shape), right.spread(shape), strict=True)
    return array([function(x, y) for x, y in pairs]).reshape(shape)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_"):
    _function = getattr(operator, _name)
    _bare = _name.strip("_")
    setattr(ndarray, f"__{_bare}__", _operator(_function))
    setattr(ndarray, f"__r{_bare}__", _operator(_function, swapped=True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(ndarray, f"__{_name}__", _operator(getattr(operator, _name)))


def each_item(function: Callable[[Any], Item]) -> Callable[[Values], Values]:
    """A function of one number as one of arrays, lists and numbers, item by item."""

    def apply(values: Values) -> Values:
        if not isinstance(values, ndarray | list):
            return function(values)
        given = asarray(values)
        return array([function(x) for x in given.items()]).reshape(given.shape)

    return apply


setattr(ndarray, "__neg__", each_item(operator.neg))  # noqa: B010
setattr(ndarray, "__abs__", each_item(abs))  # noqa: B010


# -- making arrays -----------------------------------------------------------------------------------


def zeros(shape: Shape, kind: object = float, dtype: object = None) -> ndarray:
    """An array of zeros."""
    layout = _layout(dtype or kind)
    lengths = tuple(shape) if isinstance(shape, Sequence) else (operator.index(shape),)
    memory = Memory(bytearray(max(1, prod(lengths) * layout.itemsize)))
    return ndarray(memory, 0, lengths, _contiguous(lengths, layout), layout)


empty = zeros
_layout = dtype


def array(values: Values, kind: object = None, dtype: object = None) -> ndarray:
    """An array with these (nested) values."""
    kind = dtype or kind
    if isinstance(values, ndarray):
        if kind is None or _layout(kind) is values.dtype:
            return values.copy()
        shape = values.shape
        flat = values.items()
    else:
        shape, flat = _flattened(values)
    if kind is None:
        kinds = set(map(type, flat))
        kind = next((k for k in (float, int, bool) if k in kinds), float)
    result = zeros(shape, kind)
    for at, x in zip(result.offsets() if shape else iter([0]), flat, strict=True):
        result.put(at, x)
    return result


def _flattened(values: Values) -> tuple[tuple[int, ...], list[Item]]:
    if isinstance(values, ndarray):
        return values.shape, values.items()
    if isinstance(values, SupportsIndex | float | record):
        return (), [values]
    rows = [_flattened(x) for x in values]
    shape = rows[0][0] if rows else ()
    return (len(rows), *shape), [x for _, flat in rows for x in flat]


def asarray(values: Values, kind: object = None) -> ndarray:
    """The array itself, or one of these values."""
    if isinstance(values, ndarray) and (kind is None or dtype(kind) is values.dtype):
        return values
    return array(values, kind)


def frombuffer(data: bytes | bytearray | memoryview, kind: object = float) -> ndarray:
    """An array over bytes that can be written to, or over a copy of other bytes."""
    fixed = isinstance(data, bytes) or (isinstance(data, memoryview) and data.readonly)
    memory = Memory(bytearray(data) if fixed else memoryview(data))
    layout = _layout(kind)
    return ndarray(memory, 0, (len(data) // layout.itemsize,), (layout.itemsize,), layout)


if TYPE_CHECKING:
    Item = float | record
    Values = ndarray | Item | Sequence["Values"]
    Shape = int | Sequence[int]
    Binary = Callable[[Any, Any], Item]
