"""The encoder that writes a game's record into an observation: generated code for each record class.

The fields of a record are few and known beforehand, so the generated function has a loop for each
field, with constant bounds; Numba compiles it into the callers of `encode`. An interpreter of a
table of fields took longer than a move of a game.
"""

from collections.abc import Callable, Iterable
from math import prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numba import types
from numba.extending import overload
from numba.np.numpy_support import as_dtype

from diablerie.engine.compile import Floats32, Ints, Layout, inlined
from diablerie.engine.record import Record
from diablerie.engine.verbs import SEATS

# How a number of the record is encoded: as it is; bit by bit; as a mask of seats, rotated; one-hot;
# as a number of a seat or place, rotated
AS_IS, BITS, TURNED_BITS, ONE_HOT, NUMBER = range(5)
# The variables of the generated code by which seats, and places, are rotated
AROUND = "shift, mod"
PLACES = "place_shift, place_mod"
# The four bits of each number below 16, float32 (16, 4)
NIBBLES = np.array([[x >> k & 1 for k in range(4)] for x in range(16)], np.float32)


class FieldEncoding(NamedTuple):
    """How one field of a record becomes entries of an observation."""

    name: str
    shape: tuple[int, ...]
    start: int  # the first entry
    entries: int  # for each number
    kind: int  # AS_IS, BITS, …
    turn: str = AROUND  # or PLACES: how its numbers are rotated
    block: int = 0  # numbers that belong to one seat or place, which rotate together; 0: none do


def encode(s: Record, turns: Ints, seat: int, out: Floats32, row: int) -> None:
    """Write the observation of `seat` into `out[row]`; `s` must be redacted for that seat.

    turns: (seats, 4), of the layout; out: float32 (rows, entries).
    """
    _readers[s.dtype](s, turns, seat, out, row)


def register_encoder(layout: Layout, readings: Iterable[FieldEncoding]) -> None:
    """Compile an encoder for states of this record class, unless it has one."""
    if layout not in _readers:
        _readers[layout] = compiled_encoder(readings)


Type: TypeAlias = types.Type  # Numba wants what it picks annotated as what picks it
_readers: dict[Layout, Callable[..., None]] = {}


def _pick(s: Type, turns: Type, seat: Type, out: Type, row: Type) -> Callable[..., None]:
    return _readers[as_dtype(s)]


overload(encode)(_pick)


@inlined
def rotated_index(k: int, shift: int, n: int) -> int:
    """The index at place k after a rotation of the first n indices that begins with `shift`."""
    if k >= n:
        return k
    return k + shift - n if k + shift >= n else k + shift


@inlined
def rotated_number(x: int, shift: int, n: int) -> int:
    """The place of index x after that rotation, (x - shift) mod n; other numbers stay."""
    if x < 0 or x >= n:
        return x
    return x - shift + n if x < shift else x - shift


@inlined
def rotated_bits(x: int, shift: int, n: int) -> int:
    """A mask whose first n bits are rotated, so that bit `shift` becomes bit 0."""
    whole = (1 << n) - 1
    low = x & whole
    return x & ~whole | low >> shift | low << (n - shift) & whole


def compiled_encoder(readings: Iterable[FieldEncoding]) -> Callable[..., None]:
    """The function that encodes these fields, with the parameters of `encode`."""
    known = {
        "Type": Type,
        "NIBBLES": NIBBLES,
        "turned": rotated_index,
        "counted": rotated_number,
        "turned_bits": rotated_bits,
    }
    exec(encoder_source(readings), known)  # of our own making, from names of fields and numbers
    reader: Callable[..., None] = known["read"]
    return reader


def encoder_source(readings: Iterable[FieldEncoding]) -> str:
    """The source of that function."""
    lines = [
        "def read(s: Type, turns: Type, seat: Type, out: Type, row: Type):",
        "    shift, mod = turns[seat, 0], turns[seat, 1]",
        "    place_shift, place_mod = turns[seat, 2], turns[seat, 3]",
        *("    " + line for line in _one_hot("seat", "0", SEATS)),
    ]
    for reading in readings:
        lines += ["    " + line for line in _lines(reading)]
    return "\n".join(lines)


def _lines(r: FieldEncoding) -> list[str]:
    """The loops of one field. Raises TypeError if its blocks are not rows of the field."""
    if not r.block:
        at = [f"i{axis}" for axis in range(len(r.shape))]
        return _loops(r.shape, at, _store(r, _number(r, at), _flat(r.shape, at)))
    sizes: tuple[int, ...]
    if len(r.shape) == 1:
        sizes = (r.shape[0] // r.block, r.block)
        at = ["g", "j"]
        index = [f"{r.block} * first + j"]
    else:
        sizes = r.shape
        at = ["g", *(f"i{axis}" for axis in range(1, len(r.shape)))]
        index = ["first", *at[1:]]
    if prod(sizes[1:]) != r.block:
        raise TypeError(f"{r.name} cannot go round by {r.block}")
    store = [f"first = turned(g, {r.turn})", *_store(r, _number(r, index), _flat(sizes, at))]
    return _loops(sizes, at, store)


def _number(r: FieldEncoding, index: list[str]) -> str:
    return f"s.{r.name}[{', '.join(index)}]" if index else f"s.{r.name}"


def _flat(shape: tuple[int, ...], at: list[str]) -> str:
    """The expression for the flat index of these indices in an array of this shape."""
    sizes = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return " + ".join(f"{size} * {i}" for size, i in zip(sizes, at, strict=True)) or "0"


def _loops(shape: tuple[int, ...], at: list[str], lines: list[str]) -> list[str]:
    """These lines for each index in an array of this shape."""
    for size, i in zip(reversed(shape), reversed(at), strict=True):
        lines = [f"for {i} in range({size}):", *("    " + line for line in lines)]
    return lines


def _store(r: FieldEncoding, number: str, before: str) -> list[str]:
    """The lines that write the entries of one number."""
    to = f"{r.start} + {r.entries} * ({before})"
    if r.kind == AS_IS:
        return [f"out[row, {to}] = {number}"]
    if r.kind == NUMBER:
        return [f"out[row, {to}] = counted(int({number}), {r.turn})"]
    if r.kind == ONE_HOT:
        return _one_hot(f"int({number})", to, r.entries)
    x = f"turned_bits(int({number}), {r.turn})" if r.kind == TURNED_BITS else f"int({number})"
    return _bits(x, to, r.entries)


def _one_hot(x: str, to: str, entries: int) -> list[str]:
    return [
        f"x = {x}",
        f"for k in range({entries}):",
        f"    out[row, {to} + k] = 0.0",
        f"if 0 <= x < {entries}:",
        f"    out[row, {to} + x] = 1.0",
    ]


def _bits(x: str, to: str, entries: int) -> list[str]:
    """Four bits at a time, since a row of the table is copied by one instruction."""
    lines = [f"x = {x}"]
    if entries >= 4:
        lines += [
            f"for q in range({entries // 4}):",
            "    for k in range(4):",
            f"        out[row, {to} + 4 * q + k] = NIBBLES[x >> 4 * q & 15, k]",
        ]
    done = entries // 4 * 4
    if done < entries:
        lines += [
            f"for k in range({entries - done}):",
            f"    out[row, {to} + {done} + k] = NIBBLES[x >> {done} & 15, k]",
        ]
    return lines
