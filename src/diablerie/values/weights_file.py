"""Learnt values as files: weights by the number of seats, and what made them.

The file that a game plays by, `weights_file.json`, lies beside its RULES.md. A number of seats it does
not have is judged by the game's `value`.
"""

from importlib.resources import files
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.engine.text import UserError, say
from diablerie.values.observation import ObservationLayout, features_of
from diablerie.values.value_model import UNITS, ValueModel

FORMAT = 1
NAME = "learnt.json"


class BadWeights(UserError):
    """A file that does not hold learnt values of this game."""


class SeatWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The weights for one number of seats (see `value_model.score_features`), and their figures."""

    units: int
    weights: bytes  # float32, little-endian, row by row
    figures: dict[str, float]


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of learnt values."""

    learnt: int  # the format
    diablerie: str
    game: str
    version: int  # of the rules
    command: str
    seed: int
    date: str
    entries: tuple[str, ...]  # what is weighed
    seats: dict[int, SeatWeights]

    def weights(self, seats: int) -> NDArray[Any] | None:
        """The weights for so many seats, None where they are not learnt."""
        table = self.seats.get(seats)
        return None if table is None else unpack_weights(table, len(self.entries))


def pack_weights(weights: NDArray[Any], figures: dict[str, float]) -> SeatWeights:
    """Weights as a file has them."""
    return SeatWeights(weights.shape[1] - 1, weights.astype("<f4").tobytes(), figures)


def unpack_weights(table: SeatWeights, entries: int) -> NDArray[Any]:
    """Weights as `value_model.score_features` reads them. Raises ValueError where they are not so many."""
    shape = 2 + entries, 1 + table.units
    return np.frombuffer(table.weights, "<f4").reshape(shape).astype(np.float32)


def feature_names(game: Game) -> tuple[str, ...]:
    """What is weighed, by name: what the game derives, or else the entries of its observation."""
    derived = features_of(game).derived
    if derived:
        return derived.names
    planes = ObservationLayout(game, game.seats[0]).planes
    return tuple(f"{p.name} {k}" for p in planes for k in range(p.size))


def read_weights(path: Any, game: Game) -> WeightsFile:
    """Read a file. Raises BadWeights for one that is damaged or of another game, and OSError."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=WeightsFile)
        wrong = weights_fault(found, game)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        wrong = str(error)
    if wrong:
        raise BadWeights(
            say(
                "{file} holds no learnt values of {game} ({why}).",
                file=path,
                game=game.title,
                why=wrong,
            )
        )
    return found


def weights_fault(found: WeightsFile, game: Game) -> str:
    """What is wrong with learnt values for a game; nothing if nothing is."""
    if found.learnt != FORMAT:
        return f"format {found.learnt}"
    if (found.game, found.version) != (game.name, game.version):
        return f"{found.game}, rules version {found.version}"
    if found.entries != feature_names(game):
        return "from other features"
    for seats, table in found.seats.items():
        size = 4 * (2 + len(found.entries)) * (1 + table.units)
        sound = seats in game.seats and 0 <= table.units <= UNITS and len(table.weights) == size
        if not sound or not np.isfinite(unpack_weights(table, len(found.entries))).all():
            return f"{seats} seats"
    return ""


_found: dict[str, WeightsFile | None] = {}  # by game, once looked for


def bundled_weights(game: Game) -> WeightsFile | None:
    """The learnt values that a game plays by, if it has a file of them. Raises as `read_weights`."""
    if game.name not in _found:
        file = files(game.home) / NAME
        _found[game.name] = read_weights(file, game) if file.is_file() else None
    return _found[game.name]


def value_model_of(game: Game, seats: int, weights: NDArray[Any] | None) -> ValueModel:
    """What compiled code judges by, with room for one thread; no weights: the game's value."""
    features = features_of(game)
    turns = (
        np.zeros((1, 4), np.int64)
        if features.derived
        else ObservationLayout(game, seats).turns.copy()
    )
    return ValueModel(
        weights=np.zeros((0, 0), np.float32) if weights is None else weights,
        sign=-1.0 if features.last_loses else 1.0,
        turns=turns,
        entries=np.zeros((1, len(feature_names(game))), np.float32),
        units=np.zeros(UNITS + 1, np.float32),
        bare=np.zeros(1, game.state.dtype).view(np.recarray),
    )
