"""`@record`: a game's state as one NumPy record of fixed size, declared as an annotated class.

    @record
    class State:
        node: i8
        chips: i32[6]
        front: i8[6, 7]

`State.dtype` is the layout, `State.zero()` a fresh record. A record is copied, compared and kept
as its bytes.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np

# At run time an np.record. Its fields are known to Numba, not to mypy: the looseness is named here.
Record: TypeAlias = Any


class Scalar:
    """A field type: `i8` alone is a number, `i8[6]` or `i8[6, 7]` an array in the record."""

    def __init__(self, code: str) -> None:
        self.code = code

    def __getitem__(self, shape: int | tuple[int, ...]) -> tuple[str, int | tuple[int, ...]]:
        return (self.code, shape)


i8, i16, i32, i64, f64 = (Scalar(code) for code in ("i1", "i2", "i4", "i8", "f8"))

Declared = TypeVar("Declared")


def record(declaration: type[Declared]) -> type[Declared]:
    """Give an annotated class its `dtype` and `zero()`."""
    fields: list[Any] = []
    for name, kind in declaration.__annotations__.items():
        if hasattr(np.record, name):
            raise TypeError(f"{name!r} is an attribute of every NumPy record: name it otherwise")
        fields.append((name, kind.code) if isinstance(kind, Scalar) else (name, *kind))
    layout = np.dtype((np.record, np.dtype(fields, align=True)))
    make: Callable[[], Record] = lambda: np.zeros(1, layout).view(np.recarray)[0]  # noqa: E731
    declaration.dtype = layout  # type: ignore[attr-defined]
    declaration.zero = staticmethod(make)  # type: ignore[attr-defined]
    return declaration


def copy(s: Record) -> Record:
    """An independent copy of a record."""
    return from_bytes(s.dtype, s.tobytes())


def from_bytes(layout: np.dtype[Any], data: bytes) -> Record:
    """The record of this layout that `data` holds. Raises ValueError if the size is wrong."""
    if len(data) != layout.itemsize:
        raise ValueError(f"a state of {layout.itemsize} bytes expected, {len(data)} found")
    made: Record = np.frombuffer(bytearray(data), layout).view(np.recarray)[0]
    return made


def same(a: Record, b: Record) -> bool:
    """Whether two records are equal, byte for byte (padding is always zero)."""
    return bool(a.tobytes() == b.tobytes())
