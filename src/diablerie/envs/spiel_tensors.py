"""Observations as numbers: a redacted record as one row of float32."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record

SIZES = {"i1": np.int8, "i2": np.int16, "i4": np.int32}


class TensorLayout:
    """The observation of a game at a number of seats: `size` entries.

    First the seat and the node, one-hot; then every number of the record, by size of its type, as
    sign · log2(1 + |number|) over the bits of the type; then the bits of all its masks (i64).
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.numbers = [(kind, _places(game, code)) for code, kind in SIZES.items()]
        self.masks = _places(game, "i8")
        self.size = seats + len(game.node) + 64 * len(self.masks)
        self.size += sum(len(places) for _, places in self.numbers)

    def observe(self, s: Record, seat: int) -> NDArray[np.float32]:
        """What `seat` observes: float32 (size,). The state is redacted here, not changed."""
        words = np.zeros(-(-len(s.data) // 8), np.int64)
        words.view(np.uint8)[: len(s.data)] = np.frombuffer(redacted(s, seat).data, np.uint8)
        who, node = np.zeros(self.seats), np.zeros(len(self.game.node))
        who[seat] = node[int(s.node)] = 1
        parts = [who, node, *(_scaled(words.view(kind)[k]) for kind, k in self.numbers)]
        bits = np.unpackbits(words[self.masks].view(np.uint8), bitorder="little")
        return np.concatenate([*parts, bits], dtype=np.float32, casting="unsafe")


def _places(game: Game, code: str) -> NDArray[np.int64]:
    """Where the numbers of a type stand in a record, counted in numbers of that type."""
    found: list[int] = []
    for name in game.state.declared:
        kind, offset = game.state.dtype.fields[name][:2]
        if kind.base.str[1:] == code:
            first = offset // kind.base.itemsize
            found += range(first, first + int(np.prod(kind.shape)))
    return np.array(found, np.int64)


def _scaled(x: NDArray[np.signedinteger[Any]]) -> NDArray[np.float64]:
    bits = 8 * x.itemsize - 1
    wide: NDArray[np.float64] = x.astype(np.float64)
    scaled: NDArray[np.float64] = np.sign(wide) * np.log2(1 + np.abs(wide)) / bits
    return scaled
