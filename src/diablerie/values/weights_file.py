"""Files of learnt weights, by the number of seats, with the command that made them.

The file that comes with a game, `learnt.json`, lies beside its RULES.md. Where it lacks a number of
seats, the game's own `value` judges.
"""

from typing import Any

import msgspec
import numpy as np

from diablerie.engine.arrays import Floats32
from diablerie.engine.game import Game
from diablerie.engine.text import UserError, say
from diablerie.values.learnt_file import bundled_file, decode_file
from diablerie.values.observation import ObservationLayout, features_of
from diablerie.values.value_model import UNITS, ValueModel

FORMAT = 1
NAME = "learnt.json"


class BadWeights(UserError):
    """A file does not hold learnt weights of this game."""


class SeatWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The weights for one number of seats (see `value_model.score_features`), and their figures."""

    units: int
    weights: bytes  # float32, little-endian, row by row
    figures: dict[str, float]


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a file of learnt weights."""

    learnt: int  # the format
    diablerie: str
    game: str
    version: int  # of the rules
    command: str
    seed: int
    date: str
    entries: tuple[str, ...]  # the names of the features
    seats: dict[int, SeatWeights]

    def weights(self, seats: int) -> Floats32 | None:
        """The weights for so many seats, (2 + entries, units + 1); None where none are learnt."""
        table = self.seats.get(seats)
        return None if table is None else unpack_weights(table, len(self.entries))


def pack_weights(weights: Floats32, figures: dict[str, float]) -> SeatWeights:
    """Weights (2 + entries, units + 1) as a file has them."""
    return SeatWeights(weights.shape[1] - 1, weights.astype("<f4").tobytes(), figures)


def unpack_weights(table: SeatWeights, entries: int) -> Floats32:
    """Weights as `value_model.score_features` reads them, (2 + entries, units + 1).

    Raises ValueError if the table has another size.
    """
    shape = 2 + entries, 1 + table.units
    return np.frombuffer(table.weights, "<f4").reshape(shape).astype(np.float32)


def feature_names(game: Game) -> tuple[str, ...]:
    """The names of a game's features: those it derives, or else the entries of its observation."""
    derived = features_of(game).derived
    if derived:
        return derived.names
    planes = ObservationLayout(game, game.seats[0]).planes
    return tuple(f"{p.name} {k}" for p in planes for k in range(p.size))


def read_weights(path: Any, game: Game) -> WeightsFile:
    """Read a file. Raises BadWeights for one that is damaged or of another game, and OSError."""
    try:
        return decode_file(path, WeightsFile, lambda file: weights_fault(file, game))
    except ValueError as why:
        raise BadWeights(
            say(
                "{file} contains no learnt values for {game} ({why}).",
                file=path,
                game=game.title,
                why=why,
            )
        ) from why


def weights_fault(file: WeightsFile, game: Game) -> str:
    """What is wrong with learnt weights for a game; "" if nothing is."""
    if file.learnt != FORMAT:
        return f"format {file.learnt}"
    if (file.game, file.version) != (game.name, game.version):
        return f"{file.game}, rules version {file.version}"
    if file.entries != feature_names(game):
        return "from other features"
    for seats, table in file.seats.items():
        size = 4 * (2 + len(file.entries)) * (1 + table.units)
        sound = seats in game.seats and 0 <= table.units <= UNITS and len(table.weights) == size
        if not sound or not np.isfinite(unpack_weights(table, len(file.entries))).all():
            return f"{seats} seats"
    return ""


def bundled_weights(game: Game) -> WeightsFile | None:
    """The weights that come with a game; None if there are none. Raises as `read_weights`."""
    return bundled_file(game, NAME, read_weights)


def value_model_of(game: Game, seats: int, weights: Floats32 | None) -> ValueModel:
    """A value model for one thread. weights: see `score_features`; None: the game's value judges."""
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
