"""Observations: a redacted record as one row of float32, counted from the seat that reads it.

`ObservationLayout.planes` says what the entries mean, by the names of the record's fields;
`encoding` generates the function that fills them.
"""

from math import prod

import numpy as np

from diablerie.engine import interpreted, verbs
from diablerie.engine.compile import Floats32, Ints, Records, rule
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.verbs import SEATS
from diablerie.values.columns import ENCODINGS, Columns, Plane, convert_rows, encoded_planes
from diablerie.values.encoding import (
    AROUND,
    AS_IS,
    BITS,
    NUMBER,
    ONE_HOT,
    PLACES,
    TURNED_BITS,
    FieldEncoding,
    encode,
    register_encoder,
)
from diablerie.values.features import Features, around

WHOLE_TYPES = {"i1", "i2", "i4", "i8"}  # the types of fields that can be encoded


@rule
def _encode(a: Records, turns: Ints, seat: int, out: Floats32) -> None:
    """Write a state that is redacted, a[0], into out[0]."""
    encode(a[0], turns, seat, out, 0)


@rule
def _observe(a: Records, turns: Ints, seat: int, out: Floats32) -> None:
    """Write what `seat` sees of the state in a[0], which is redacted in place, into out[0]."""
    verbs.redact(a[0], seat)
    encode(a[0], turns, seat, out, 0)


def features_of(game: Game) -> Features:
    """How the records of a game are read."""
    return getattr(game.policy, "FEATURES", Features())


class ObservationLayout:
    """The observation of a game at a number of seats: `size` entries, told apart by `planes`.

    turns: int64 (seats, 4), for each seat the rotations of seats and of places, as `encode` takes
    them; low, high: float32 (size,), the bounds of each entry. raw_size: the size of a row as
    `encode` writes it; columns: how the row of another encoding is made from it, None for "raw".
    """

    columns: Columns | None = None

    def __init__(self, game: Game, seats: int, encoding: str = "raw") -> None:
        """encoding: the numbers as they are ("raw"), divided by their bounds ("scaled"), or with an
        entry for each value that a number can take where these are at most 64 ("one-hot").

        Raises ValueError for another encoding.
        """  # noqa: D205
        if encoding not in ENCODINGS:
            raise ValueError(f"the encoding {encoding!r} is none of {', '.join(ENCODINGS)}")
        self.game = game
        self.seats = seats
        self.encoding = encoding
        self.features = features_of(game)
        names = [name for name in game.state.declared if name not in self.features.skip]
        self.planes = [Plane("seat", 0, (SEATS,), 0, 1, "one-hot: the seat that reads")]
        for name in names:
            last = self.planes[-1]
            self.planes.append(self._plane(name, last.start + last.size))
        self.raw_size = self.planes[-1].start + self.planes[-1].size
        self.turns = np.array(
            [[*around(seats, seat), *self.features.place(seats, seat)] for seat in range(seats)]
        )
        self.turns.flags.writeable = False
        register_encoder(game.state.dtype, map(self._reading, names, self.planes[1:]))
        if encoding != "raw":
            self.planes, self.columns = encoded_planes(self.planes, encoding)
        self.size = self.planes[-1].start + self.planes[-1].size
        sizes = [plane.size for plane in self.planes]
        self.low = np.repeat([np.float32(plane.low) for plane in self.planes], sizes)
        self.high = np.repeat([np.float32(plane.high) for plane in self.planes], sizes)

    def __reduce__(self) -> tuple[object, ...]:
        return ObservationLayout, (self.game, self.seats, self.encoding)

    def observe(self, s: Record, seat: int) -> Floats32:
        """The observation of `seat`, (size,). The state need not be redacted; it is not changed."""
        entry = np.empty(self.size, np.float32)
        self.write(s.copy(), seat, entry)
        return entry

    def write(self, s: Record, seat: int, out: Floats32) -> None:
        """Write the observation of `seat` into `out`, (size,). The state is redacted in place."""
        verbs.call_as_rules_run(type(s), self._write, s, seat, out)

    def _write(self, s: Record, seat: int, out: Floats32) -> None:
        row = out[np.newaxis]
        raw = row if self.columns is None else np.empty((1, self.raw_size), np.float32)
        if verbs.is_interpreted(type(s)) or interpreted.inside():
            verbs.redact(s, seat)
            _encode(s.array, self.turns, seat, raw)
        else:
            _observe(s.array, self.turns, seat, raw)
        if self.columns is not None:
            self.convert(raw, row)

    def convert(self, raw: Floats32, out: Floats32) -> None:
        """Write raw observations (n, raw_size) in this encoding, (n, size), which is not "raw"."""
        assert self.columns is not None
        convert_rows(raw, *self.columns, out)

    def table(self) -> str:
        """The planes as a table in Markdown."""
        rows = ["| entries | plane | shape | range | meaning |", "|---|---|---|---|---|"]
        for p in self.planes:
            shape = " × ".join(map(str, p.shape)) or "1"
            entries = f"{p.start}–{p.start + p.size - 1}" if p.size > 1 else f"{p.start}"
            rows.append(
                f"| {entries} | `{p.name}` | {shape} | {p.low:g} to {p.high:g} | {p.meaning} |"
            )
        return "\n".join(rows)

    def _field(self, name: str) -> tuple[str, tuple[int, ...]]:
        """The code of a field's numbers, and its shape."""
        kind = self.game.state.dtype.fields[name][0]
        if kind.base.str[1:] not in WHOLE_TYPES:
            raise TypeError(f"{name} is no whole number: the game's FEATURES have to skip it")
        return kind.base.str[1:], kind.shape

    def _plane(self, name: str, start: int) -> Plane:
        code, shape = self._field(name)
        wide = self._width(name)
        if name == "node":
            nodes = ", ".join(node.name for node in self.game.node)
            return Plane(name, start, (wide,), 0, 1, f"one-hot: {nodes}")
        if wide > 1:
            return Plane(name, start, (*shape, wide), 0, 1, f"bits{self._turned(name)}")
        bound = 2 ** (8 * int(code[1:]) - 1)
        low, high = self.features.ranges.get(name, (-bound, bound - 1))
        return Plane(name, start, shape, low, high, f"number{self._turned(name)}")

    def _turned(self, name: str) -> str:
        f = self.features
        if name in f.by_seat | f.seats | f.seat_bits:
            return ", seats counted from the reader's"
        return ", places counted from the reader's" if name in {*f.by_place, *f.places} else ""

    def _width(self, name: str) -> int:
        """The number of entries for one number of a field."""
        if name == "node":
            return len(self.game.node)
        if name in self.features.seat_bits:
            return SEATS
        whole = 64 if self._field(name)[0] == "i8" else 1
        return self.features.bits.get(name, whole)

    def _reading(self, name: str, plane: Plane) -> FieldEncoding:
        """How a field becomes the entries of its plane."""
        f = self.features
        _, shape = self._field(name)
        turn = AROUND if name in f.by_seat | f.seats | f.seat_bits else PLACES
        block = prod(shape[1:]) if name in f.by_seat else f.by_place.get(name, 0)
        wide = self._width(name)
        return FieldEncoding(name, shape, plane.start, wide, self._kind(name), turn, block)

    def _kind(self, name: str) -> int:
        if name == "node":
            return ONE_HOT
        if name in self.features.seat_bits:
            return TURNED_BITS
        if name in self.features.seats | self.features.places:
            return NUMBER
        return BITS if self._width(name) > 1 else AS_IS
