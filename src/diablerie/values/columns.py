"""Other encodings of an observation: its numbers scaled, or one-hot.

A table says for each entry of the new row which entry of the raw row it is made from.
"""

from collections.abc import Iterable
from math import prod
from typing import NamedTuple

import numpy as np

from diablerie.engine.compile import Floats32, Ints32, rule

ENCODINGS = ("raw", "scaled", "one-hot")
MOST_VALUES = 64  # a number that can take more is scaled in the one-hot encoding, too


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


class Columns(NamedTuple):
    """How a row of numbers is made from a raw observation; each array has an entry for each number.

    A number is the raw entry times `scale`, plus 1 if the raw entry is `value`.
    """

    source: Ints32  # the index of the raw entry
    scale: Floats32
    value: Floats32  # NaN where it is compared with none


def encoded_planes(planes: Iterable[Plane], encoding: str) -> tuple[list[Plane], Columns]:
    """The planes of a raw observation in another encoding, "scaled" or "one-hot", and their columns."""
    made: list[Plane] = []
    parts: list[Columns] = []
    start = 0
    for plane in planes:
        values = plane.high - plane.low + 1
        one_hot = encoding == "one-hot" and 2 < values <= MOST_VALUES
        encoded, columns = (_one_hot if one_hot else _scaled)(plane, start)
        made.append(encoded)
        parts.append(columns)
        start += encoded.size
    return made, Columns(*map(np.concatenate, zip(*parts, strict=True)))


def _scaled(plane: Plane, start: int) -> tuple[Plane, Columns]:
    """Every number divided by the greatest amount that it can have, so that 0 stays 0."""
    bound = max(abs(plane.low), abs(plane.high))
    meaning = plane.meaning if bound == 1 else f"{plane.meaning} / {bound:g}"
    # Rounded as `convert_rows` rounds the numbers, so that these stay inside.
    scale = np.float32(1 / bound)
    low = float(np.float32(plane.low) * scale)
    high = float(np.float32(plane.high) * scale)
    encoded = plane._replace(start=start, low=low, high=high, meaning=meaning)
    source = np.arange(plane.start, plane.start + plane.size, dtype=np.int32)
    scales = np.full(plane.size, scale)
    return encoded, Columns(source, scales, np.full(plane.size, np.nan, np.float32))


def _one_hot(plane: Plane, start: int) -> tuple[Plane, Columns]:
    """An entry for each value that a number can have."""
    values = np.arange(plane.low, plane.high + 1, dtype=np.float32)
    meaning = f"{plane.meaning}, one-hot: {plane.low:g} to {plane.high:g}"
    encoded = Plane(plane.name, start, (*plane.shape, len(values)), 0, 1, meaning)
    source = np.arange(plane.start, plane.start + plane.size, dtype=np.int32)
    return encoded, Columns(
        np.repeat(source, len(values)),
        np.zeros(encoded.size, np.float32),
        np.tile(values, plane.size),
    )


@rule
def convert_rows(
    raw: Floats32, source: Ints32, scale: Floats32, value: Floats32, out: Floats32
) -> None:
    """Write rows (n, size) of `Columns` made from raw observations (n, raw size) to `out`."""
    for i in range(len(out)):
        for k in range(len(source)):
            x = raw[i, source[k]]
            out[i, k] = x * scale[k] + np.float32(x == value[k])
