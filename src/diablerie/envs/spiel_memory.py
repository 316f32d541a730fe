"""States of OpenSpiel games: those that games may begin in, and what every seat has seen since.

The information state of a seat has perfect recall. It is a text: the decisions and outcomes that the
seat saw, in order, with `?` for each decision of others that it did not see, and the digest of
`spiel_notes`.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.options import OptionValues, Settled
from diablerie.engine.queries import guessed, legal_actions, redacted, sees
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.envs.spiel_notes import SeenNotes

# -- states that games may begin in ----------------------------------------------------------------

# OpenSpiel makes a game of a text, so the text holds the key of the state. Compiled rules check no
# bounds: bytes that no game leads to could make them read and write any memory. So no state is read
# from text; one of the calling program is trusted, as that program is.


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


# -- what every seat has seen ----------------------------------------------------------------------


Log = tuple[Any, ...]  # (the log before, who, action); the empty one is ()
Event = tuple[int, int]  # who (a seat or CHANCE), and the number of the action or outcome


class ToldEvents(NamedTuple):
    """A position with the events that every viewer saw, as text. It is immutable."""

    state: bytes
    texts: tuple[str, ...]  # by seat, then the watcher's

    def after(self, game: Game, events: list[Event]) -> Self:
        """The same after these events."""
        s = from_bytes(game.state, self.state)
        texts = list(self.texts)
        for who, action in events:
            text = _event_text(game, s, who, action)
            for k, viewer in enumerate((*range(len(texts) - 1), WATCHER)):
                if piece := _piece(s, who, viewer, text):
                    texts[k] += f" {piece}"
            verbs.apply(s, who, action)
        return type(self)(s.tobytes(), tuple(texts))

    def guessed(self, s: Record, seat: int) -> Self:
        """The same for `seat` in a position `s` like the true one; the others know the watcher's."""
        texts = [self.texts[-1]] * len(self.texts)
        texts[seat] = self.texts[seat]
        return type(self)(s.tobytes(), tuple(texts))


def _event_text(game: Game, s: Record, who: int, action: int) -> str:
    if who == CHANCE:
        return "" if s.node in game.skipped else game.notation.format_outcome(s, action)
    return f"{who} {game.notation.format_action(s, who, action)}"


def _piece(s: Record, who: int, viewer: int, text: str) -> str:
    """What a viewer notes of an event that happens in the position `s`."""
    if sees(s, who, viewer):
        return text and f"{text},"
    return "" if who == CHANCE else f"{who} ?,"


class World:
    """A position, who is to act in it, and the events that led to it.

    It is all that changes while a game is played, and cheap to copy: the log is a linked list that
    copies share. `first` is what was seen before the log; text and notes are brought up to date only
    when they are asked for. `offered` is what somebody asked for last: the legal actions or outcomes
    here, or nothing yet.
    """

    __slots__ = ("first", "log", "notes", "offered", "s", "shared", "told", "who")

    def __init__(self, s: Record, who: int, log: Log, first: tuple[ToldEvents, SeenNotes]) -> None:
        self.s = s
        self.who = who
        self.log = log
        self.first = first
        self.told: tuple[Log, ToldEvents] = (), first[0]
        self.notes: tuple[Log, SeenNotes] = (), first[1]
        self.shared = True  # whether others have the same notes
        self.offered: Sequence[int] = ()

    @classmethod
    def of(cls, game: Game, s: Record, seats: int) -> Self:
        """The world of a game that begins in this position."""
        first = ToldEvents(s.tobytes(), ("",) * (seats + 1)), SeenNotes.of(game, s, seats)
        return cls(s, verbs.actor(s), (), first)

    def __deepcopy__(self, memo: object) -> "World":
        world = World(self.s.copy(), self.who, self.log, self.first)
        world.told = self.told
        world.notes = self.notes
        self.shared = True
        return world

    def __reduce__(self) -> tuple[object, ...]:
        return unpickled_world, (self.s, self.who, log_events(self.log), self.first)

    def apply(self, action: int) -> None:
        """Carry out a legal action of the seat that is to act, or an outcome of chance."""
        self.log = (self.log, self.who, action)
        verbs.apply(self.s, self.who, action)
        self.who = verbs.actor(self.s)
        self.offered = ()

    def noted(self, note: Callable[..., None]) -> SeenNotes:
        """The notes, brought up to date. note: the compiled `note_events` of the game."""
        log, notes = self.notes
        if log is not self.log:
            if self.shared:
                notes = notes.copy()
                self.shared = False
            acts = np.array(log_events(self.log, log))
            note(notes.words, notes.rows, notes.digests, notes.events, acts)
            self.notes = self.log, notes
        return notes

    def texts(self, game: Game) -> ToldEvents:
        """The texts, brought up to date."""
        log, told = self.told
        if log is not self.log:
            told = told.after(game, log_events(self.log, log))
            self.told = self.log, told
        return told


def log_events(log: Log, since: Log = ()) -> list[Event]:
    """The events of a log, the first first; only those after the log `since`."""
    events = []
    while log is not since:
        log, who, action = log
        events.append((who, action))
    return events[::-1]


def unpickled_world(
    s: Record, who: int, happened: list[Event], first: tuple[ToldEvents, SeenNotes]
) -> World:
    """A world from what `__reduce__` has written of it."""
    log: Log = ()
    for event in happened:
        log = (log, *event)
    return World(s, who, log, first)
