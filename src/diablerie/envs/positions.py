"""Positions from outside: a match file's ply, or bytes, checked before any rule sees them.

Compiled rules check no bounds, so bytes that no game leads to could make them read and write
anywhere. Plies of a match file are safe, since it is played again. Bytes are taken from games that
have `rules/checks.py`: the range of every field, the fields that the options fix, and `flaw`, which
says what of a position cannot be.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from diablerie.engine import files, verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import Record, from_bytes
from diablerie.games import ALL

HEX = "x"  # stands before bytes in hex


class BadPosition(ValueError):
    """Text or bytes that are no position of a game to play on from."""


class Position(NamedTuple):
    """A position where somebody is to decide, with the seats and options of its game."""

    s: Record
    seats: int
    options: dict[str, Any]


def read_position(game: Game, text: str, seats: int, options: Mapping[str, Any]) -> Position:
    """The position that `x` and hex bytes are, or `FILE@PLY`: a match file after so many plies.

    A file has its own seats and options. Raises BadPosition, Damaged, OSError.
    """
    if text.startswith(HEX):
        try:
            data = bytes.fromhex(text.removeprefix(HEX))
        except ValueError:
            raise BadPosition("a position in hex has two digits 0 to f for each byte") from None
        return Position(checked_state(game, data, seats, options), seats, dict(options))
    path, _, ply = text.rpartition("@")
    if not (path and ply.isascii() and ply.isdigit()):
        raise BadPosition("a position is x and hex bytes, or the path of a match file, @ and a ply")
    return ply_of(game, path, int(ply))


def ply_of(game: Game, path: str | Path, ply: int) -> Position:
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


def position_text(s: Record) -> str:
    """A position as `read_position` takes it, in hex."""
    return HEX + s.tobytes().hex()


def checked_state(game: Game, data: bytes, seats: int, options: Mapping[str, Any]) -> Record:
    """The state of these bytes, if it may be played on from. Raises BadPosition."""
    checks = getattr(game.rules, "checks", None)
    if checks is None:
        raise BadPosition(f"{game.title} takes positions from match files only")
    try:
        s: Record = from_bytes(game.state, data)
    except ValueError as error:
        raise BadPosition(str(error)) from None
    if why := _wrong(game, s, game.start(seats, options), checks):
        raise BadPosition(f"no position of {game.title}: {why}")
    if verbs.actor(s) < 0 or not legal_actions(game, s, verbs.actor(s)):
        raise BadPosition("nobody is to decide there")
    return s


def _wrong(game: Game, s: Record, first: Record, checks: Any) -> str:
    """The first thing that is wrong, "" if nothing is; no rule is asked."""
    if _without_padding(s) != s.tobytes():
        return "bytes between the fields are not zero"
    if s.node not in set(game.node):
        return f"there is no node {s.node}"
    for name in s.declared:
        low, high = checks.RANGES[name]
        values = np.asarray(getattr(s, name))
        if (values < low).any() or (values > high).any():
            return f"{name} is not from {low} to {high}"
        if name in checks.FIXED and (values != np.asarray(getattr(first, name))).any():
            return f"{name} is not what seats and options make it"
    return str(checks.flaw(s, first))


def _without_padding(s: Record) -> bytes:
    clean = type(s).zero()
    for name in s.declared:
        setattr(clean, name, getattr(s, name))
    return clean.tobytes()
