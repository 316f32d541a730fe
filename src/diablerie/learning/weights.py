"""Files of learnt policies: the weights, what they were learnt by, and a hash of it all.

Weights are kept as float16, half the size of what learns, which plays as well.
"""

import hashlib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec
import numpy as np

from diablerie.engine.compile import Floats32
from diablerie.engine.foreign_json import read_json
from diablerie.engine.game import Game
from diablerie.engine.text import UserError, say
from diablerie.learning.inputs import inputs_of
from diablerie.learning.network import Hidden, weight_count

POLICY_FORMAT = 1
BUNDLED = "policy.json"  # beside RULES.md
MOST_UNITS = 1024  # in a layer


class BadPolicy(UserError):
    """A file does not hold a learnt policy of this game."""


class PolicyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a file of a learnt policy."""

    policy: int  # the format
    diablerie: str
    game: str
    version: int  # of the rules
    command: str  # that learnt it
    seats: tuple[int, ...]  # the sizes of tables that it has learnt
    decisions: int  # that it was learnt from
    figures: dict[str, float]  # what was measured of it
    wide: int  # units of the first hidden layer
    narrow: int  # and of the second
    weights: bytes  # float16, little-endian: see `network.as_network`
    sha256: str = ""  # of the same with this left empty, in JSON

    @property
    def hidden(self) -> Hidden:
        """The sizes of the hidden layers."""
        return self.wide, self.narrow

    def unpacked(self) -> Floats32:
        """The flat weights."""
        return np.frombuffer(self.weights, "<f2").astype(np.float32)


def pack_policy(flat: Floats32) -> bytes:
    """Flat weights as a file has them."""
    return flat.astype("<f2").tobytes()


def hash_of(file: PolicyFile) -> str:
    """The hash that the file should have."""
    return hashlib.sha256(msgspec.json.encode(msgspec.structs.replace(file, sha256=""))).hexdigest()


def policy_bytes(file: PolicyFile) -> bytes:
    """The file, hash included."""
    return msgspec.json.encode(msgspec.structs.replace(file, sha256=hash_of(file))) + b"\n"


def read_policy(path: Traversable, game: Game) -> PolicyFile:
    """Read a file. Raises BadPolicy for one that is damaged or of another game, and OSError."""
    try:
        file = read_json(path.read_bytes(), PolicyFile)
        why = policy_fault(file, game)
    except ValueError as error:
        why = str(error)
    if why:
        raise BadPolicy(
            say(
                "{file} contains no learnt policy for {game} ({why}).",
                file=path,
                game=game.title,
                why=why,
            )
        )
    return file


def policy_fault(file: PolicyFile, game: Game) -> str:
    """What is wrong with a learnt policy for a game; "" if nothing is."""
    if file.policy != POLICY_FORMAT:
        return f"format {file.policy}"
    if file.sha256 != hash_of(file):
        return "damaged: its hash does not fit"
    if (file.game, file.version) != (game.name, game.version):
        return f"{file.game}, rules version {file.version}"
    if not all(0 < units <= MOST_UNITS for units in file.hidden):
        return f"{file.wide} and {file.narrow} units"
    if len(file.weights) != 2 * weight_count(inputs_of(game), file.hidden):
        return "from other inputs"
    return "" if np.isfinite(file.unpacked()).all() else "numbers that are not finite"


def policy_named(game: Game, file: str = "") -> PolicyFile:
    """The policy of a file; "": that which comes with the game.

    Raises as `read_policy`, and UserError where no policy comes with the game.
    """
    found = read_policy(Path(file), game) if file else bundled_policy(game)
    if found is None:
        raise UserError(say("{game} comes without a learnt policy: name a file.", game=game.title))
    return found


_bundled: dict[str, PolicyFile | None] = {}  # by the name of the game


def bundled_policy(game: Game) -> PolicyFile | None:
    """The policy that comes with a game, read once; None if there is none. Raises as `read_policy`."""
    if game.name not in _bundled:
        file = files(game.home) / BUNDLED
        _bundled[game.name] = read_policy(file, game) if file.is_file() else None
    return _bundled[game.name]
