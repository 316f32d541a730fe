"""The observers that OpenSpiel asks a game for: observations as text and as a row of float32."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.verbs import OVER, WATCHER
from diablerie.envs.spiel_memory import World

NOBODY = pyspiel.PrivateInfoType.NONE
ONE = pyspiel.PrivateInfoType.SINGLE_PLAYER
ALL = pyspiel.PrivateInfoType.ALL_PLAYERS
SIZES = {"i1": np.int8, "i2": np.int16, "i4": np.int32}


class TensorLayout:
    """The observation of a game at a number of seats: `size` entries.

    First the seat and the node, one-hot. Then every number of the record, ordered by the size of its
    type: sign · log2(1 + |number|) divided by the bits of the type. Then the bits of all masks (i64).
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.numbers = [(kind, _places(game, code)) for code, kind in SIZES.items()]
        self.masks = _places(game, "i8")
        self.size = seats + len(game.node) + 64 * len(self.masks)
        self.size += sum(len(places) for _, places in self.numbers)

    def observe(self, s: Record, seat: int) -> NDArray[np.float32]:
        """What `seat` observes: float32 (size,). `s` is redacted in a copy."""
        words = np.zeros(-(-len(s.data) // 8), np.int64)
        words.view(np.uint8)[: len(s.data)] = np.frombuffer(redacted(s, seat).data, np.uint8)
        who, node = np.zeros(self.seats), np.zeros(len(self.game.node))
        who[seat] = node[int(s.node)] = 1
        parts = [who, node, *(_scaled(words.view(kind)[k]) for kind, k in self.numbers)]
        bits = np.unpackbits(words[self.masks].view(np.uint8), bitorder="little")
        return np.concatenate([*parts, bits], dtype=np.float32, casting="unsafe")


def _places(game: Game, code: str) -> NDArray[np.int64]:
    """The indices of a type's numbers in a record that is read as an array of that type."""
    indices: list[int] = []
    for name in game.state.declared:
        kind, offset = game.state.dtype.fields[name][:2]
        if kind.base.str[1:] == code:
            first = offset // kind.base.itemsize
            indices += range(first, first + int(np.prod(kind.shape)))
    return np.array(indices, np.int64)


def _scaled(x: NDArray[np.signedinteger[Any]]) -> NDArray[np.float64]:
    bits = 8 * x.itemsize - 1
    wide: NDArray[np.float64] = x.astype(np.float64)
    scaled: NDArray[np.float64] = np.sign(wide) * np.log2(1 + np.abs(wide)) / bits
    return scaled


class Observer:
    """One kind of observation of a state: `tensor` (float32 (size,), or None), `dict`, and a string.

    It shows the record redacted for a seat, or for a watcher if private information is left out.
    While chance acts it stays what it was: how many outcomes follow each other can be a secret.
    Raises ValueError for kinds with perfect recall that mix what several seats know.
    """

    def __init__(self, game: Game, layout: TensorLayout, kind: Any = None) -> None:
        self.game, self.layout = game, layout
        self.kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        self.recall = self.kind.perfect_recall
        if self.recall and not (self.kind.public_info and self.kind.private_info in (ONE, NOBODY)):
            raise ValueError("perfect recall is of what is public, or of what a seat has seen")
        usual = self.kind.public_info and self.kind.private_info == ONE
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if usual and not self.recall:
            self.tensor = np.zeros(layout.size, np.float32)
            self.dict["observation"] = self.tensor

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what a player observes."""
        if self.tensor is not None:
            seen = self._seen(state.world, player)
            self.tensor[:] = self.layout.observe(seen, player)

    def string_from(self, state: Any, player: int) -> str:
        """What a player observes, as text."""
        world: World = state.world
        private = self.kind.private_info
        if self.recall:
            viewer = WATCHER if private == NOBODY else player
            return world.remembered(self.game).information(viewer)
        if private == ALL:
            return described(self.game, world.s)
        if not self.kind.public_info:
            return "" if private == NOBODY else self._private(world, player)
        if private == NOBODY:
            return described(self.game, self._seen(world, WATCHER))
        return f"seat={player} {described(self.game, self._seen(world, player))}"

    def _private(self, world: World, player: int) -> str:
        """The fields that look different to a seat than to a watcher."""
        own, public = (self._seen(world, viewer).asdict() for viewer in (player, WATCHER))
        return _joined({name: value for name, value in own.items() if value != public[name]})

    def _seen(self, world: World, viewer: int) -> Record:
        if world.who >= 0 or world.who == OVER:
            return redacted(world.s, viewer)
        notes = world.remembered(self.game).notes
        return from_bytes(self.game.state, notes[viewer if viewer >= 0 else -1].shown)


def described(game: Game, s: Record) -> str:
    """All fields of a state, as text."""
    return _joined({**s.asdict(), "node": game.node(s.node).name.lower()})


def _joined(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}".replace(" ", "") for name, value in values.items())
