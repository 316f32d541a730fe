"""`@record`: a game's state as one NumPy record of fixed size, declared as an annotated class.

    @record
    class State:
        node: i8
        chips: i32[6]
        front: i8[6, 7]

`State.dtype` is the layout, `State.zero()` a fresh state. In compiled code a state is a Numba
record; in Python it is an instance of the declared class over a buffer of bytes, since a NumPy
record costs some 10 µs whenever it is handed to compiled code, and a one-element array 0.4 µs.
"""

from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
from numba import config, types
from numba.core.dispatcher import Dispatcher
from numba.extending import typeof_impl
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray


class Record:
    """A state as Python holds it: fields by name, numbers as int, arrays as views.

    `data` are its bytes, `array` the same bytes as a structured array of one element, which is
    what compiled code takes fastest.
    """

    __slots__ = ("array", "data")
    dtype: ClassVar[np.dtype[Any]]
    declared: ClassVar[tuple[str, ...]]  # the names of the fields
    verbs: ClassVar[Any]  # the game's functions, once it is registered: see `verbs`

    def __init__(self, data: bytearray) -> None:
        self.data = data
        self.array: NDArray[Any] = np.frombuffer(data, self.dtype)

    if TYPE_CHECKING:  # the fields are known to Numba, not to mypy: the looseness is named here

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    @classmethod
    def zero(cls) -> Self:
        """A state whose every field is 0."""
        return cls(bytearray(cls.dtype.itemsize))

    def copy(self) -> Self:
        """An independent copy."""
        return type(self)(bytearray(self.data))

    def tobytes(self) -> bytes:
        """The bytes; padding is always zero."""
        return bytes(self.data)

    def asdict(self) -> dict[str, Any]:
        """The fields by name, as numbers and lists of numbers."""
        values = {name: getattr(self, name) for name in self.declared}
        return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in values.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.data,)


class Scalar:
    """A field type: `i8` alone is a number, `i8[6]` or `i8[6, 7]` an array in the record."""

    def __init__(self, code: str, packed: str) -> None:
        self.code, self.packed = code, packed

    def __getitem__(self, shape: int | tuple[int, ...]) -> tuple[str, int | tuple[int, ...]]:
        return (self.code, shape)


i8, i16, i32 = Scalar("i1", "=b"), Scalar("i2", "=h"), Scalar("i4", "=i")
i64, f64 = Scalar("i8", "=q"), Scalar("f8", "=d")

Declared = TypeVar("Declared")


def record(declaration: type[Declared]) -> type[Declared]:
    """The class of states with these fields: a Record with `dtype` and `zero()`.

    Raises TypeError for a field with a name that Record or NumPy's records need themselves.
    """
    fields: list[Any] = []
    for name, kind in declaration.__annotations__.items():
        if hasattr(np.record, name) or hasattr(Record, name):
            raise TypeError(f"{name!r} is an attribute of every record: name it otherwise")
        fields.append((name, kind.code) if isinstance(kind, Scalar) else (name, *kind))
    # An empty field tells games apart whose states are otherwise alike: verbs go by the type.
    mark = f"{declaration.__module__}.{declaration.__qualname__}".replace(".", "_")
    fields.append((mark, "i1", (0,)))
    layout = np.dtype((np.record, np.dtype(fields, align=True)))
    members: dict[str, Any] = {"__slots__": (), "__doc__": declaration.__doc__, "dtype": layout}
    members["declared"] = tuple(declaration.__annotations__)
    members |= {"__module__": declaration.__module__, "__qualname__": declaration.__qualname__}
    for name, kind in declaration.__annotations__.items():
        offset = layout.fields[name][1]  # type: ignore[index]
        members[name] = _number(kind, offset) if isinstance(kind, Scalar) else _table(name)
    return type(declaration.__name__, (Record,), members)


def _number(kind: Scalar, offset: int) -> property:
    packed = Struct(kind.packed)
    read, write = packed.unpack_from, packed.pack_into

    def get(self: Record) -> Any:
        return read(self.data, offset)[0]

    def put(self: Record, value: Any) -> None:
        write(self.data, offset, value)

    return property(get, put)


def _table(name: str) -> property:
    def get(self: Record) -> Any:
        return self.array[name][0]

    def put(self: Record, value: Any) -> None:
        self.array[name][0] = value

    return property(get, put)


@typeof_impl.register(Record)  # type: ignore[untyped-decorator]
def _typeof(value: Any, _: Any) -> types.Type:
    """Compiled functions may be handed a state itself, where speed does not matter."""
    kind: Any = type(value)
    return _type(kind)


@cache
def _type(kind: type[Record]) -> types.Type:
    return from_dtype(kind.dtype)


def _quickly(typeof: Callable[[Any, Any], types.Type]) -> Callable[[Any, Any], types.Type]:
    """Numba's search for an argument's type, which would take 4 µs more for that of a state."""

    def typeof_pyval(self: Any, value: Any) -> types.Type:
        kind: Any = type(value)
        return _type(kind) if issubclass(kind, Record) else typeof(self, value)

    return typeof_pyval


if not config.DISABLE_JIT:
    Dispatcher.typeof_pyval = _quickly(  # type: ignore[method-assign, assignment]
        Dispatcher.typeof_pyval
    )


copy: Callable[[Any], Any] = Record.copy


def from_bytes(kind: type[Any], data: bytes) -> Record:
    """The state of this class that `data` holds. Raises ValueError if the size is wrong."""
    if len(data) != kind.dtype.itemsize:
        raise ValueError(f"a state of {kind.dtype.itemsize} bytes expected, {len(data)} found")
    return kind(bytearray(data))  # type: ignore[no-any-return]


def same(a: Record, b: Record) -> bool:
    """Whether two states are equal, byte for byte (padding is always zero)."""
    return a.data == b.data
