"""The observers that OpenSpiel asks a game for."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.verbs import OVER, WATCHER
from diablerie.envs.spiel_tensors import TensorLayout
from diablerie.envs.spiel_world import World

NOBODY = pyspiel.PrivateInfoType.NONE
ONE = pyspiel.PrivateInfoType.SINGLE_PLAYER
ALL = pyspiel.PrivateInfoType.ALL_PLAYERS


class Observer:
    """What one kind of observation shows of a state: `tensor` (or None), `dict`, and a string.

    With the seat's private information the record redacted for it, else as a watcher has it.
    Between decisions nothing new is shown: how often chance had a say can be a secret.
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
        """The fields that a seat sees otherwise than a watcher."""
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
    return " ".join(f"{name}={_value(value)}" for name, value in values.items())


def _value(value: Any) -> str:
    return str(value).replace(" ", "")
