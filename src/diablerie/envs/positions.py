"""States of this process that games of OpenSpiel begin in, each named by a key.

OpenSpiel makes a game of a text, so the text holds the key of the state. Compiled rules check no
bounds: bytes that no game leads to could make them read and write any memory. So no state is read
from text; one of the calling program is trusted, as that program is.
"""

import hashlib
from typing import NamedTuple

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.options import OptionValues, Settled
from diablerie.engine.queries import guessed, legal_actions, redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import WATCHER


class BadPosition(ValueError):
    """A state that no game can begin in, or a key that names none."""


class Position(NamedTuple):
    """A state where somebody is to decide, with the seats and options of its game."""

    s: Record
    seats: int
    options: Settled


_trusted: dict[str, tuple[Game, Position]] = {}  # by key, for the life of the process


def trust_state(game: Game, s: Record, seats: int, options: OptionValues) -> str:
    """Keep a copy of a state and return its key, by which `trusted_position` finds it.

    Equal states have the same key. The caller vouches for the state: no rule checks it. Raises
    BadOption for seats or options the game does not have, BadPosition for another game's state, one
    where nobody is to decide, or one that hides something from somebody.
    """
    if type(s) is not game.state:
        raise BadPosition(f"this is no state of {game.title}")
    settled = game.settled(seats, options)
    if verbs.actor(s) < 0 or not legal_actions(game, s, verbs.actor(s)):
        raise BadPosition("nobody is to decide there")
    if not redacted(s, WATCHER).data == s.data == guessed(s, WATCHER, seeded(0)).data:
        raise BadPosition("the state hides something from somebody: begin where all is known")
    text = f"{game.name} {seats} {sorted(settled.items())} ".encode() + s.tobytes()
    key = hashlib.sha256(text).hexdigest()[:32]
    _trusted[key] = game, Position(s.copy(), seats, settled)
    return key


def trusted_position(game: Game, key: str) -> Position:
    """The position of a key. Raises BadPosition if this process has none for this game."""
    owner, position = _trusted.get(key, (None, None))
    if position is None:
        raise BadPosition(f"{key[:40]} names no state of this process: call game_from_state in it")
    if owner is not game:
        raise BadPosition(f"{key} is not a state of {game.title}")
    return position
