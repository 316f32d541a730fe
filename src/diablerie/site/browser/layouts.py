"""Stand-ins for NumPy's dtypes: numbers of fixed size, and records of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from struct import Struct
from typing import Any

Text = str  # which a dtype has a field of this name for
Field = tuple[Text, object, *tuple[int | tuple[int, ...], ...]]  # name, layout, perhaps a shape


class Number:
    """A kind of number. Called, it makes a Python number; elsewhere it stands for its layout."""

    code = "q"  # of the module struct
    kind = "i"  # as in NumPy: i, u, f or b

    def __new__(cls, value: Any = 0) -> Any:
        """The value as a Python number."""
        if cls.kind == "f":
            return float(value)
        return bool(value) if cls.kind == "b" else int(value)

    def __class_getitem__(cls, _: object) -> type[Number]:
        return cls


def _number(name: str, kind: str, code: str) -> type[Number]:
    return type(name, (Number,), {"kind": kind, "code": code})


int8 = _number("int8", "i", "b")
int16 = _number("int16", "i", "h")
int32 = _number("int32", "i", "i")
int64 = _number("int64", "i", "q")
uint8 = _number("uint8", "u", "B")
uint64 = _number("uint64", "u", "Q")
float32 = _number("float32", "f", "f")
float64 = _number("float64", "f", "d")
float16 = _number("float16", "f", "e")
bool_ = _number("bool_", "b", "?")
integer = number = Number
BY_CODE = {"i1": int8, "i2": int16, "i4": int32, "i8": int64, "<f2": float16, "<f4": float32}
BY_CODE |= {"f4": float32, "f8": float64, "u1": uint8, "u8": uint64}
BY_TYPE: dict[type, type[Number]] = {int: int64, float: float64, bool: bool_}


class dtype:  # noqa: N801 (NumPy's names)
    """A layout: of one number, of an array of them (a field's), or of a record with fields.

    fields: by name, the layout and offset of each.
    """

    def __class_getitem__(cls, _: object) -> type[dtype]:
        return cls

    def __new__(cls, given: Any = float, align: bool = True) -> dtype:  # noqa: ARG004
        """The layout that NumPy's dtype(given, align=True) describes."""
        if isinstance(given, dtype):
            return given
        if isinstance(given, tuple):  # (record, layout)
            return dtype(given[1])
        self = super().__new__(cls)
        self.shape = ()
        self.base = self
        self.fields = None
        if isinstance(given, list):
            self._lay_out(given)
            return self
        number = BY_TYPE.get(given) or BY_CODE.get(given) or given
        if number not in _numbers:
            self.codec = Struct("=" + number.code)
            self.kind = number.kind
            self.itemsize = self.alignment = self.codec.size
            self.str = f"<{self.kind}{self.itemsize}"
            _numbers[number] = self
        return _numbers[number]

    codec: Struct
    kind: Text
    str: Text  # as in NumPy, such as <i1, of numbers alone
    itemsize: int
    alignment: int
    shape: tuple[int, ...]
    base: dtype
    fields: dict[Text, tuple[dtype, int]] | None

    def _lay_out(self, fields: Sequence[Field]) -> None:
        self.fields = {}
        self.kind = "V"
        at = 0
        widest = 1
        for name, kind, *shape in fields:
            field = dtype(kind).of_shape(shape[0] if shape else ())
            at += -at % field.alignment
            self.fields[name] = field, at
            at = at + field.itemsize
            widest = max(widest, field.alignment)
        self.itemsize = at + -at % widest
        self.alignment = widest

    def of_shape(self, shape: int | tuple[int, ...]) -> dtype:
        """The layout of an array of these."""
        lengths = (shape,) if isinstance(shape, int) else tuple(shape)
        if not lengths:
            return self
        field = object.__new__(dtype)
        field.base = self
        field.shape = lengths
        field.kind = "V"
        field.fields = None
        field.itemsize = self.itemsize * prod(lengths)
        field.alignment = self.alignment
        return field


_numbers: dict[type[Number], dtype] = {}
