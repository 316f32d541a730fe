"""Observations: a redacted record as one row of float32, counted from the seat that reads it.

What the entries are is told by `Layout.planes`, by the names of the record's fields. A layout is a
table of runs, one list for each seat; `flatten` follows it, compiled once for all games.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import verbs
from diablerie.engine.compile import rule
from diablerie.engine.features import Features, around
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.verbs import SEATS

AS_IS, BITS, TURNED_BITS, ONE_HOT, NUMBER = range(5)  # how a run is read
CODES = {"i1": 0, "i2": 1, "i4": 2, "i8": 3}
KIND, CODE, SOURCE, TARGET, COUNT, SHIFT, MOD = range(7)  # the columns of a table of runs


class Plane(NamedTuple):
    """A part of an observation: entries `start` to `start` + size, read as an array of `shape`."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str

    @property
    def size(self) -> int:
        """The number of entries."""
        return prod(self.shape)


class Cell(NamedTuple):
    """Where one or more entries come from: a number of the record, and how it is read."""

    kind: int
    code: int
    source: int
    entries: int = 1
    shift: int = 0
    mod: int = 0


class Seen(NamedTuple):
    """Room for some states, each for the eyes of one seat, and their bytes as numbers."""

    states: Any  # array of records
    i8: NDArray[Any]
    i16: NDArray[Any]
    i32: NDArray[Any]
    i64: NDArray[Any]


def seen_of(layout: np.dtype[Any], n: int = 1) -> Seen:
    """Room for n states of this layout."""
    words = np.zeros(-(-n * layout.itemsize // 8), np.int64)
    states = words.view(np.uint8)[: n * layout.itemsize].view(layout)
    return Seen(states, *(words.view(kind) for kind in (np.int8, np.int16, np.int32, np.int64)))


@rule
def flatten(seen: Seen, size: int, runs: NDArray[Any], seats: NDArray[Any], out: NDArray[Any],
            low: int, high: int) -> None:  # fmt: skip
    """Write rows `low` to `high` of `out`: what seats[row] observes of the state in `seen`.

    The states, each redacted for its seat, begin with that of row `low`; size: bytes of one.
    runs: of the layout; out: float32 (at least high, entries).
    """
    i8, i16, i32, i64 = seen.i8, seen.i16, seen.i32, seen.i64
    for row in range(low, high):
        seat, base = np.uint64(seats[row]), np.uint64((row - low) * size)
        for k in range(SEATS):
            out[row, k] = k == seats[row]
        for r in range(runs.shape[1]):
            kind, code, count = runs[seat, r, KIND], runs[seat, r, CODE], runs[seat, r, COUNT]
            at, to = (base >> code) + runs[seat, r, SOURCE], runs[seat, r, TARGET]
            if kind == AS_IS:
                if code == 0:
                    for k in range(count):
                        out[row, to + k] = i8[at + k]
                elif code == 1:
                    for k in range(count):
                        out[row, to + k] = i16[at + k]
                elif code == 2:
                    for k in range(count):
                        out[row, to + k] = i32[at + k]
                else:
                    for k in range(count):
                        out[row, to + k] = i64[at + k]
                continue
            if code == 0:
                x = int(i8[at])
            elif code == 1:
                x = int(i16[at])
            else:
                x = int(i32[at]) if code == 2 else int(i64[at])
            if kind == BITS:
                for k in range(count):
                    out[row, to + k] = (x >> k) & 1
            elif kind == ONE_HOT:
                for k in range(np.int64(count)):
                    out[row, to + np.uint64(k)] = x == k
            else:
                shift, mod = np.int64(runs[seat, r, SHIFT]), np.int64(runs[seat, r, MOD])
                if kind == TURNED_BITS:
                    for k in range(np.int64(count)):
                        bit = (k + shift) % mod if k < mod else k
                        out[row, to + np.uint64(k)] = (x >> bit) & 1
                else:
                    out[row, to] = (x - shift) % mod if 0 <= x < mod else x


class Layout:
    """The observation of a game at a number of seats: `size` entries, told apart by `planes`.

    runs: uint64 (seats, n, 7), what `flatten` follows for each seat.
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.features: Features = getattr(game.policy, "FEATURES", Features())
        names = [name for name in game.state.declared if name not in self.features.skip]
        self.planes = [Plane("seat", 0, (SEATS,), 0, 1, "one-hot: the seat that reads")]
        for name in names:
            last = self.planes[-1]
            self.planes.append(self._plane(name, last.start + last.size))
        self.size = self.planes[-1].start + self.planes[-1].size
        tables = [list(self._runs(names, seat)) for seat in range(seats)]
        longest = max(map(len, tables))
        self.runs = np.zeros((seats, longest, 7), np.uint64)  # a run of no entries writes nothing
        for seat, table in enumerate(tables):
            self.runs[seat, : len(table)] = table
        self.runs.flags.writeable = False
        low, high = np.zeros(self.size, np.float32), np.zeros(self.size, np.float32)
        for plane in self.planes:
            low[plane.start : plane.start + plane.size] = plane.low
            high[plane.start : plane.start + plane.size] = plane.high
        self.low, self.high = low, high

    def observe(self, s: Record, seat: int) -> NDArray[np.float32]:
        """What `seat` observes: float32 (size,). The state is redacted here, not changed."""
        seen, out = seen_of(self.game.state.dtype), np.zeros((1, self.size), np.float32)
        copy = s.copy()
        verbs.redact(copy, seat)
        seen.states[:] = copy.array
        flatten(seen, len(s.data), self.runs, np.array([seat], np.int32), out, 0, 1)
        found: NDArray[np.float32] = out[0]
        return found

    def table(self) -> str:
        """The planes as a table in Markdown."""
        rows = ["| entries | plane | shape | range | meaning |", "|---|---|---|---|---|"]
        for p in self.planes:
            shape = " × ".join(map(str, p.shape)) or "1"
            entries = f"{p.start}–{p.start + p.size - 1}" if p.size > 1 else f"{p.start}"
            rows.append(f"| {entries} | `{p.name}` | {shape} | {p.low:g} to {p.high:g} "
                        f"| {p.meaning} |")  # fmt: skip
        return "\n".join(rows)

    def _field(self, name: str) -> tuple[str, tuple[int, ...], int]:
        """The code of a field's numbers, its shape and its offset."""
        kind, offset = self.game.state.dtype.fields[name][:2]
        if kind.base.str[1:] not in CODES:
            raise TypeError(f"{name} is no whole number: the game's FEATURES have to skip it")
        return kind.base.str[1:], kind.shape, offset

    def _plane(self, name: str, start: int) -> Plane:
        code, shape, _ = self._field(name)
        wide = self._width(name)
        if name == "node":
            nodes = ", ".join(node.name for node in self.game.node)
            return Plane(name, start, (wide,), 0, 1, f"one-hot: {nodes}")
        if wide > 1:
            return Plane(name, start, (*shape, wide), 0, 1, f"bits{self._turned(name)}")
        bound = 2 ** (8 * int(code[1:]) - 1)
        return Plane(name, start, shape, -bound, bound - 1, f"number{self._turned(name)}")

    def _turned(self, name: str) -> str:
        f = self.features
        if name in f.by_seat | f.seats | f.seat_bits:
            return ", seats counted from the reader's"
        return ", places counted from the reader's" if name in {*f.by_place, *f.places} else ""

    def _width(self, name: str) -> int:
        """How many entries one number of a field becomes."""
        if name == "node":
            return len(self.game.node)
        if name in self.features.seat_bits:
            return SEATS
        whole = 64 if self._field(name)[0] == "i8" else 1
        return self.features.bits.get(name, whole)

    def _runs(self, names: list[str], seat: int) -> Iterator[list[int]]:
        """The table of one seat: entries that lie side by side in both are one run."""
        cells = [cell for name in names for cell in self._cells(name, seat)]
        starts = np.cumsum([SEATS, *(cell.entries for cell in cells)])
        follows = [
            a.kind == b.kind == AS_IS and a.code == b.code and b.source == a.source + 1
            for a, b in pairwise(cells)
        ]
        first = 0
        for i in range(len(cells)):
            if i == len(cells) - 1 or not follows[i]:
                cell, count = cells[first], int(starts[i + 1] - starts[first])
                yield [*cell[:3], int(starts[first]), count, *cell[4:]]
                first = i + 1

    def _cells(self, name: str, seat: int) -> Iterator[Cell]:
        """Where the entries of a field come from, in order."""
        f, (code, shape, offset) = self.features, self._field(name)
        here = offset // int(code[1:])
        turn = around if name in f.by_seat | f.seats | f.seat_bits else f.place
        shift, mod = turn(self.seats, seat)
        block = prod(shape[1:]) if name in f.by_seat else f.by_place.get(name, 0)
        for k in range(prod(shape)):
            source = k
            if block and k // block < mod:
                source = (k // block + shift) % mod * block + k % block
            yield Cell(self._kind(name), CODES[code], here + source, self._width(name), shift, mod)

    def _kind(self, name: str) -> int:
        if name == "node":
            return ONE_HOT
        if name in self.features.seat_bits:
            return TURNED_BITS
        if name in self.features.seats | self.features.places:
            return NUMBER
        return BITS if self._width(name) > 1 else AS_IS
