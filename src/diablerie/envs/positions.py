"""Positions to play on from: `FILE@PLY`, or a state that this process has handed over itself.

Compiled rules check no bounds: bytes that no game leads to could make them read and write any
memory. So no bytes are read from outside. A match file is replayed, which proves every position in it.
A state of the calling program is trusted, as that program is.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from diablerie.engine import files, verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import Record
from diablerie.games import ALL

TRUSTED = "trusted-"  # begins the name of a state of this process


class BadPosition(ValueError):
    """Text that names no position of a game to play on from."""


class Position(NamedTuple):
    """A position where somebody is to decide, with the seats and options of its game."""

    s: Record
    seats: int
    options: dict[str, Any]


_trusted: dict[str, tuple[Game, Position]] = {}  # by name, for the life of the process


def trust_state(game: Game, s: Record, seats: int, options: Mapping[str, Any]) -> str:
    """Keep a copy of a state and return the name that `read_position` finds it by.

    The name holds in this process alone; equal states have the same one. The caller vouches for
    the state: no rule checks it. A redacted state is taken too. Raises BadOption for seats or
    options the game does not have, BadPosition for another game's state or one where nobody is
    to decide.
    """
    if type(s) is not game.state:
        raise BadPosition(f"this is no state of {game.title}")
    settled = game.settled(seats, options)
    if verbs.actor(s) < 0 or not legal_actions(game, s, verbs.actor(s)):
        raise BadPosition("nobody is to decide there")
    text = f"{game.name} {seats} {sorted(settled.items())} ".encode() + s.tobytes()
    name = TRUSTED + hashlib.sha256(text).hexdigest()[:32]
    _trusted[name] = game, Position(s.copy(), seats, settled)
    return name


def read_position(game: Game, text: str) -> Position:
    """The position that `FILE@PLY` names (a match file after so many plies) or `trust_state` named.

    Raises BadPosition, files.Damaged, OSError.
    """
    if text.startswith(TRUSTED):
        return _trusted_position(game, text)
    path, _, ply = text.rpartition("@")
    if not (path and ply.isascii() and ply.isdigit()):
        raise BadPosition("a position is the path of a match file, @ and a ply")
    return position_at(game, path, int(ply))


def position_at(game: Game, path: str | Path, ply: int) -> Position:
    """The position of a match file after so many plies. Raises as `read_position`."""
    match = files.load_match(path, ALL)
    if match.game is not game:
        raise BadPosition(f"the file is of a match of {match.game.title}, not {game.title}")
    if not 0 < ply <= match.ply:
        raise BadPosition(f"there are {match.ply} plies, not {ply}")
    state = match.at(ply).state
    if verbs.actor(state) < 0:
        raise BadPosition(f"nobody is to decide after ply {ply}")
    return Position(state, match.seats, match.options)


def _trusted_position(game: Game, name: str) -> Position:
    if name not in _trusted:
        raise BadPosition(f"{name} names a state of another process: use a match file, @ and a ply")
    owner, position = _trusted[name]
    if owner is not game:
        raise BadPosition(f"{name} is a state of {owner.title}, not {game.title}")
    return position
