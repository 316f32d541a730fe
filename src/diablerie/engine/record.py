"""`@record`: a game's state as one NumPy record of fixed size, declared as an annotated class.

    @record
    class State(Record):
        node: i8
        chips: Annotated[Row, i32, 6]
        front: Annotated[Grid, i8, 6, 7]

`State.dtype` is the layout, `State.zero()` a fresh state. In compiled code a state is a Numba
record; in Python it is an instance of the declared class over a buffer of bytes, since a NumPy
record costs some 10 µs whenever it is handed to compiled code, and a one-element array 0.4 µs.
"""

from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    Protocol,
    Self,
    TypeVar,
    overload,
)

import numpy as np
from numba import config, types
from numba.extending import typeof_impl
from numba.np.numpy_support import from_dtype
from numpy.typing import ArrayLike

from diablerie.engine.compile import Ints, Layout, Records
from diablerie.engine.numba_internals import type_quickly


class Record:
    """A state as Python holds it: fields by name, numbers as int, arrays as views.

    `data` are its bytes, `array` the same bytes as a structured array of one element, which is
    what compiled code takes fastest.
    """

    __slots__ = ("array", "data")
    dtype: ClassVar[Layout]
    declared: ClassVar[tuple[str, ...]]  # the names of the fields
    verbs: ClassVar["GameVerbs"]  # the game's functions, once it is registered: see `verbs`

    def __init__(self, data: bytearray) -> None:
        self.data = data
        self.array: Records = np.frombuffer(data, self.dtype)

    if TYPE_CHECKING:
        node: int  # every game declares these two
        seats: int

    @classmethod
    def zero(cls) -> Self:
        """A state whose every field is 0."""
        return cls(bytearray(cls.dtype.itemsize))

    def copy(self) -> Self:
        """An independent copy."""
        return type(self)(bytearray(self.data))

    __copy__ = copy

    def tobytes(self) -> bytes:
        """The bytes; padding is always zero."""
        return bytes(self.data)

    def asdict(self) -> dict[str, object]:
        """The fields by name, as numbers and lists of numbers."""
        values = {name: getattr(self, name) for name in self.declared}
        return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in values.items()}

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.data,)


class GameVerbs(Protocol):
    """A game's functions, over an array of one state; `verbs` says what each does."""

    actor: Callable[..., int]
    pending: Callable[..., int]
    legal: Callable[..., int]
    forbids: Callable[..., int]
    chance: Callable[..., int]
    apply: Callable[..., None]
    returns: Callable[..., None]
    witness: Callable[..., int]
    redact: Callable[..., None]
    guess: Callable[..., None]
    advise: Callable[..., int]
    value: Callable[..., None]


class Scalar(NamedTuple):
    """How a number lies in a record: NumPy's code of its dtype, and `struct`'s."""

    code: str
    packed: str


i8 = Annotated[int, Scalar("i1", "=b")]
i16 = Annotated[int, Scalar("i2", "=h")]
i32 = Annotated[int, Scalar("i4", "=i")]
i64 = Annotated[int, Scalar("i8", "=q")]
f64 = Annotated[float, Scalar("f8", "=d")]

if TYPE_CHECKING:
    Base = Ints
else:
    Base = object


class Row(Base):
    """An array field of one dimension, of whole numbers: what type checkers know of it."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, index: int) -> int: ...
        @overload
        def __getitem__(self, index: slice) -> "Row": ...
        def __getitem__(self, index: object) -> object: ...


class Grid(Base):
    """An array field of two dimensions, of whole numbers."""

    if TYPE_CHECKING:

        @overload  # type: ignore[override]
        def __getitem__(self, index: int) -> Row: ...
        @overload
        def __getitem__(self, index: tuple[int, int]) -> int: ...
        @overload
        def __getitem__(self, index: slice | tuple[slice, int] | tuple[int, slice]) -> Ints: ...
        def __getitem__(self, index: object) -> object: ...


Declared = TypeVar("Declared", bound=Record)


def record(declaration: type[Declared]) -> type[Declared]:
    """The class of states with these fields: a Record with `dtype` and `zero()`.

    Raises TypeError for a field with a name that Record or NumPy's records need themselves.
    """
    fields = list[tuple[str, str] | tuple[str, str, tuple[int, ...]]]()
    for name, kind in declaration.__annotations__.items():
        if hasattr(np.record, name) or hasattr(Record, name):
            raise TypeError(f"{name!r} is an attribute of every record: name it otherwise")
        scalar, shape = _laid_out(kind)
        fields.append((name, scalar.code, shape) if shape else (name, scalar.code))
    # An empty field tells games apart whose states are otherwise alike: verbs go by the type.
    mark = f"{declaration.__module__}.{declaration.__qualname__}".replace(".", "_")
    fields.append((mark, "i1", (0,)))
    layout = np.dtype((np.record, np.dtype(fields, align=True)))
    members: dict[str, object] = {"__slots__": (), "__doc__": declaration.__doc__, "dtype": layout}
    members["declared"] = tuple(declaration.__annotations__)
    members |= {"__module__": declaration.__module__, "__qualname__": declaration.__qualname__}
    for name, kind in declaration.__annotations__.items():
        scalar, shape = _laid_out(kind)
        offset = layout.fields[name][1]  # type: ignore[index]
        members[name] = _table(name) if shape else _number(scalar, offset)
    return type(declaration.__name__, (Record,), members)


def _laid_out(kind: Any) -> tuple[Scalar, tuple[int, ...]]:
    """The number of an annotation, and its shape: (), or that of an array field."""
    scalar, *shape = kind.__metadata__
    return (scalar.__metadata__[0], tuple(shape)) if shape else (scalar, ())


def _number(kind: Scalar, offset: int) -> property:
    packed = Struct(kind.packed)
    read = packed.unpack_from
    write = packed.pack_into

    def get(self: Record) -> object:
        return read(self.data, offset)[0]

    def put(self: Record, value: float) -> None:
        write(self.data, offset, value)

    return property(get, put)


def _table(name: str) -> property:
    def get(self: Record) -> object:
        return self.array[name][0]

    def put(self: Record, value: ArrayLike) -> None:
        self.array[name][0] = value

    return property(get, put)


@typeof_impl.register(Record)  # type: ignore[untyped-decorator]
def _typeof(value: Record, _: object) -> types.Type:
    """Compiled functions may be handed a state itself, where speed does not matter."""
    kind: Any = type(value)
    return _type(kind)


@cache
def _type(kind: type[Record]) -> types.Type:
    return from_dtype(kind.dtype)


if not config.DISABLE_JIT:
    type_quickly(Record, _type)


class InterpretedStates:
    """An array of states whose elements are Records, as verbs that are not compiled need them."""

    def __init__(self, kind: type[Record], array: Records) -> None:
        self._kind = kind
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: int) -> Record:
        return of_array(self._kind, self._array[index : index + 1])

    def __setitem__(self, index: int, state: Any) -> None:
        self._array[index] = state.array[0] if isinstance(state, Record) else state


def of_array(kind: type[Declared], array: Records) -> Declared:
    """The state of this class on the bytes of an array of one element, which are not copied."""
    return kind(array.view(np.uint8).data)  # type: ignore[arg-type]  # used as a bytearray is


def copy(s: Declared) -> Declared:
    """An independent copy of a state."""
    return s.copy()


def from_bytes(kind: type[Declared], data: bytes) -> Declared:
    """The state of this class that `data` holds. Raises ValueError if the size is wrong."""
    if len(data) != kind.dtype.itemsize:
        raise ValueError(f"a state of {kind.dtype.itemsize} bytes expected, {len(data)} found")
    return kind(bytearray(data))


def same(a: Record, b: Record) -> bool:
    """Whether two states are equal, byte for byte (padding is always zero)."""
    return a.data == b.data
