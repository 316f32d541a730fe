"""The observers that OpenSpiel asks a game for: text and rows of float32."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import extras
from diablerie.engine.compile import Floats32
from diablerie.engine.game import Game
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record
from diablerie.engine.verbs import OVER, WATCHER
from diablerie.envs.spiel_memory import World
from diablerie.envs.spiel_notes import (
    DIGEST_ENTRIES,
    RECALL,
    differences,
    direct,
    note_events,
    write_information,
)
from diablerie.values.observation import ObservationLayout

with extras.needed("research"):
    import pyspiel


PRIVATE_OF_NONE = pyspiel.PrivateInfoType.NONE
PRIVATE_OF_ONE = pyspiel.PrivateInfoType.SINGLE_PLAYER
PRIVATE_OF_ALL = pyspiel.PrivateInfoType.ALL_PLAYERS
SHORT_ROW = 256  # numbers that become a list at once faster than the changed ones are found


class TensorLayout:
    """The tensors of a game at a number of seats.

    An observation is that of `values.observation`, scaled. An information state begins with it; then
    come the last `RECALL` events that the seat noted, the last first: one-hot who (a seat or chance;
    the last entry: nothing), and the bits of the number of the action or outcome plus 1, 0 for one
    that the seat did not see. Last are four parts of a digest, each scaled to below 1, of everything
    the seat has seen since the beginning: two information states differ however long the game is.
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.game = game
        self.seats = seats
        self.observation = layout = ObservationLayout(game, seats, "scaled")
        self.width = seats + 2 + max(game.actions, game.outcomes).bit_length()
        self.size = layout.size
        self.recall_size = self.size + RECALL * self.width + DIGEST_ENTRIES
        self._raw = np.zeros((1, layout.raw_size), np.float32)
        self._shown = [(np.zeros(self.size, np.float32), [0.0] * self.size) for _ in range(seats)]
        self._at = np.zeros(self.size, np.int64)
        self._differ = direct(differences)
        skipped = sum(1 << node for node in game.skipped)
        note = direct(note_events)
        self.note = lambda *told: note(*told, skipped)
        self._write = direct(write_information)

    def write_recall(self, world: World, seat: int, out: Floats32) -> None:
        """Write the tensor of an information state: float32 (recall_size,)."""
        n = world.noted(self.note)
        seen = (n.rows, n.digests, n.events)
        layout = self.observation
        assert layout.columns
        rest = seat, layout.turns, *layout.columns, self._raw, out[np.newaxis], self.width
        self._write(*seen, *rest)

    def listed(self, row: Floats32, seat: int) -> list[float]:
        """What a seat reads, as a list: of a long observation only what changed is made anew."""
        if not SHORT_ROW < len(row) == self.size:
            return row.tolist()  # type: ignore[no-any-return]
        last, told = self._shown[seat]
        for i in self._at[: self._differ(row, last, self._at)].tolist():
            told[i] = row.item(i)
        return told.copy()


class HasWorld(Protocol):
    """What an observer needs of a state."""

    world: World


class Observer:
    """One kind of observation of a state: `tensor` (float32 (size,), or None), `dict`, and a string.

    It shows the record redacted for a seat, or for a watcher if private information is left out.
    While chance acts it stays what it was: how many outcomes follow each other can be a secret.
    Raises ValueError for kinds with perfect recall that mix what several seats know.
    """

    def __init__(
        self, game: Game, layout: TensorLayout, kind: pyspiel.IIGObservationType | None
    ) -> None:
        self.game = game
        self.layout = layout
        self.kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        self.recall = self.kind.perfect_recall
        if self.recall and not (
            self.kind.public_info and self.kind.private_info in (PRIVATE_OF_ONE, PRIVATE_OF_NONE)
        ):
            raise ValueError("perfect recall is of what is public, or of what a seat has seen")
        usual = self.kind.public_info and self.kind.private_info == PRIVATE_OF_ONE
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, Floats32] = {}
        if usual:
            size = layout.recall_size if self.recall else layout.size
            self.tensor = np.zeros(size, np.float32)
            self.dict["information_state" if self.recall else "observation"] = self.tensor

    def set_from(self, state: HasWorld, player: int) -> None:
        """Fill the tensor with what a player observes, or with its information state."""
        if self.tensor is None:
            return
        world = state.world
        if self.recall:
            self.layout.write_recall(world, player, self.tensor)
        else:
            # a copy, or a record of its own: `write` redacts it once more, which changes nothing
            seen = world.s.copy() if _is_shown(world) else self._seen(world, player)
            self.layout.observation.write(seen, player, self.tensor)

    def string_from(self, state: HasWorld, player: int) -> str:
        """What a player observes, as text."""
        world = state.world
        private = self.kind.private_info
        if self.recall:
            return self._information(world, WATCHER if private == PRIVATE_OF_NONE else player)
        if private == PRIVATE_OF_ALL:
            return described(self.game, world.s)
        if not self.kind.public_info:
            return "" if private == PRIVATE_OF_NONE else self._private(world, player)
        if private == PRIVATE_OF_NONE:
            return described(self.game, self._seen(world, WATCHER))
        return f"seat={player} {described(self.game, self._seen(world, player))}"

    def _private(self, world: World, player: int) -> str:
        """The fields that look different to a seat than to a watcher."""
        own, public = (self._seen(world, viewer).asdict() for viewer in (player, WATCHER))
        return _joined({name: value for name, value in own.items() if value != public[name]})

    def _seen(self, world: World, viewer: int) -> Record:
        if _is_shown(world):
            return redacted(world.s, viewer)
        return world.noted(self.layout.note).shown(viewer)

    def _information(self, world: World, viewer: int) -> str:
        """The information state of a seat, or of a watcher, as text."""
        name = "watcher" if viewer == WATCHER else f"seat {viewer}"
        k = viewer if viewer >= 0 else -1
        digest = int(world.noted(self.layout.note).digests[k])
        return f"{name}:{world.texts(self.game).texts[k]} #{digest:016x}"


def _is_shown(world: World) -> bool:
    """Whether the position is what seats are shown: somebody is to decide, or the game is over."""
    return world.who >= 0 or world.who == OVER


def described(game: Game, s: Record) -> str:
    """All fields of a state, as text."""
    return _joined({**s.asdict(), "node": game.node(s.node).name.lower()})


def _joined(values: Mapping[str, object]) -> str:
    return " ".join(f"{name}={value}".replace(" ", "") for name, value in values.items())
