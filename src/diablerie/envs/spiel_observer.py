"""The observers that OpenSpiel asks a game for: text and rows of float32."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.verbs import OVER, WATCHER
from diablerie.envs.spiel_memory import RECALL, PublicMemory, World
from diablerie.values.observation import ObservationLayout

NOBODY = pyspiel.PrivateInfoType.NONE
ONE = pyspiel.PrivateInfoType.SINGLE_PLAYER
ALL = pyspiel.PrivateInfoType.ALL_PLAYERS
DIGEST_BITS = 64


class TensorLayout:
    """The tensors of a game at a number of seats.

    An observation is that of `values.observation`, scaled. An information state begins with it; then
    come the last `RECALL` events that the seat noted, the last first: one-hot who (a seat or chance;
    the last entry: nothing), and the bits of the number of the action or outcome plus 1, 0 for one
    that the seat did not see. Last are the 64 bits of a digest of everything the seat has seen since
    the beginning, so that two information states differ however long the game is.
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.observation = ObservationLayout(game, seats, "scaled")
        self.bits = max(game.actions, game.outcomes).bit_length()
        self.size = self.observation.size
        self.recall_size = self.size + RECALL * (seats + 2 + self.bits) + DIGEST_BITS

    def remember(self, memory: PublicMemory, seat: int, out: NDArray[np.float32]) -> None:
        """Write what comes behind the observation in an information state: float32 (entries,)."""
        rows = out[:-DIGEST_BITS].reshape(RECALL, -1)
        rows[:] = 0
        rows[:, self.seats + 1] = 1
        for row, (who, action) in zip(rows, reversed(memory.notes[seat].events), strict=False):
            row[self.seats + 1] = 0
            row[who if who >= 0 else self.seats] = 1
            row[self.seats + 2 :] = [action + 1 >> k & 1 for k in range(self.bits)]
        digest = blake2b(memory.information(seat).encode(), digest_size=DIGEST_BITS // 8)
        out[-DIGEST_BITS:] = np.unpackbits(np.frombuffer(digest.digest(), np.uint8))


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
        if usual:
            size = layout.recall_size if self.recall else layout.size
            self.tensor = np.zeros(size, np.float32)
            self.dict["information_state" if self.recall else "observation"] = self.tensor

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what a player observes, or with its information state."""
        if self.tensor is None:
            return
        size, world = self.layout.size, state.world
        # a copy, or a record of its own: `write` redacts it once more, which changes nothing
        seen = world.s.copy() if _is_shown(world) else self._seen(world, player)
        self.layout.observation.write(seen, player, self.tensor[:size])
        if self.recall:
            self.layout.remember(world.remembered(self.game), player, self.tensor[size:])

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
        if _is_shown(world):
            return redacted(world.s, viewer)
        notes = world.remembered(self.game).notes
        seen: Record = from_bytes(self.game.state, notes[viewer if viewer >= 0 else -1].shown)
        return seen


def _is_shown(world: World) -> bool:
    """Whether the position is what seats are shown: somebody is to decide, or the game is over."""
    return world.who >= 0 or world.who == OVER


def described(game: Game, s: Record) -> str:
    """All fields of a state, as text."""
    return _joined({**s.asdict(), "node": game.node(s.node).name.lower()})


def _joined(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}".replace(" ", "") for name, value in values.items())
