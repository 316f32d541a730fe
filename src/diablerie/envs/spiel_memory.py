"""A position of an OpenSpiel game, and what every seat has seen so far: its information state.

The information state has perfect recall. It is a text: the decisions and outcomes that the seat saw,
in order, with `?` for each decision of others that it did not see, and a digest of every observation
the seat was shown when somebody was to decide. Outcomes of chance that it did not see leave no
trace, since their number can be a secret (so can the nodes in `Game.skipped`).
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, Self

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import redacted, sees
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.verbs import CHANCE, WATCHER

Log = tuple[Any, ...]  # (the log before, who, action); the empty one is ()
Event = tuple[int, int]  # who (a seat or CHANCE), and the number of the action or outcome
RECALL = 16  # events of an information state that its tensor tells one by one
UNSEEN = -1  # the action of an event that a viewer did not see


class Notes(NamedTuple):
    """What one viewer remembers."""

    text: str  # the events it saw
    digest: bytes  # of all observations it was shown
    shown: bytes  # the last of them: a redacted record
    events: tuple[Event, ...] = ()  # the last of the text, at most `RECALL`; the newest is last

    def look(self, s: Record, viewer: int) -> "Notes":
        """The notes after the viewer was shown `s`, where somebody is to decide or the game is over."""
        record = redacted(s, viewer).tobytes()
        digest = blake2b(self.digest + record, digest_size=8).digest()
        return self._replace(digest=digest, shown=record)

    def noted(self, piece: str, event: Event) -> "Notes":
        """The notes after the viewer noted an event; `piece` is its text."""
        events = (*self.events, event)[-RECALL:]
        return self._replace(text=f"{self.text} {piece}", events=events)


class PublicMemory(NamedTuple):
    """A position with the notes of every viewer. It is immutable, so copies of a state share it."""

    state: bytes
    notes: tuple[Notes, ...]  # by seat, then the watcher's

    @classmethod
    def of(cls, s: Record, seats: int) -> Self:
        """The memory of a game that begins in this position."""
        fresh = Notes("", b"", b"")
        return cls(s.tobytes(), tuple(fresh.look(s, viewer) for viewer in _viewers(seats)))

    def after(self, game: Game, events: list[Event]) -> Self:
        """The memory after these events."""
        s, notes = from_bytes(game.state, self.state), list(self.notes)
        viewers = _viewers(len(notes) - 1)
        for who, action in events:
            text = _event_text(game, s, who, action)
            for k, viewer in enumerate(viewers):
                if piece := _piece(game, s, who, viewer, text):
                    known = action if sees(s, who, viewer) else UNSEEN
                    notes[k] = notes[k].noted(piece, (who, known))
            verbs.apply(s, who, action)
            if verbs.actor(s) != CHANCE:
                notes = [note.look(s, viewer) for note, viewer in zip(notes, viewers, strict=True)]
        return type(self)(s.tobytes(), tuple(notes))

    def guessed(self, s: Record, seat: int) -> Self:
        """The memory of `seat`, in a position `s` that looks the same to it as the true one.

        The others have the watcher's notes, and are shown what they would see in `s`.
        """
        watcher = self.notes[-1]
        notes = [
            self.notes[k] if viewer in (seat, WATCHER) else watcher.look(s, viewer)
            for k, viewer in enumerate(_viewers(len(self.notes) - 1))
        ]
        return type(self)(s.tobytes(), tuple(notes))

    def information(self, viewer: int) -> str:
        """The information state of a seat, or of a watcher, as text."""
        note = self.notes[viewer if viewer >= 0 else -1]
        name = "watcher" if viewer == WATCHER else f"seat {viewer}"
        return f"{name}:{note.text} #{note.digest.hex()}"


def _viewers(seats: int) -> list[int]:
    return [*range(seats), WATCHER]


def _event_text(game: Game, s: Record, who: int, action: int) -> str:
    if who == CHANCE:
        return "" if s.node in game.skipped else game.notation.format_outcome(s, action)
    return f"{who} {game.notation.format_action(s, who, action)}"


def _piece(game: Game, s: Record, who: int, viewer: int, text: str) -> str:
    """What a viewer notes of an event that happens in the position `s`."""
    if sees(s, who, viewer):
        return text and f"{text},"
    return "" if who == CHANCE else f"{who} ?,"


class World:
    """A position, who is to act in it, and the events since `memory` was made.

    It is all that changes while a game is played, and cheap to copy: the log is a linked list that
    copies share. `memory` is brought up to date only when an information state is asked for.
    `offered` is what somebody asked for last: the legal actions or outcomes here, or nothing yet.
    """

    __slots__ = ("log", "memory", "offered", "s", "who")

    def __init__(self, s: Record, who: int, log: Log, memory: PublicMemory) -> None:
        self.s, self.who, self.log, self.memory = s, who, log, memory
        self.offered: Sequence[int] = ()

    @classmethod
    def of(cls, s: Record, seats: int) -> Self:
        """The world of a game that begins in this position."""
        return cls(s, verbs.actor(s), (), PublicMemory.of(s, seats))

    def __deepcopy__(self, memo: Any) -> "World":
        return World(self.s.copy(), self.who, self.log, self.memory)

    def __reduce__(self) -> tuple[Any, ...]:
        return unpickled_world, (self.s, self.who, log_events(self.log), self.memory)

    def apply(self, action: int) -> None:
        """Carry out a legal action of the seat that is to act, or an outcome of chance."""
        self.log = (self.log, self.who, action)
        verbs.apply(self.s, self.who, action)
        self.who, self.offered = verbs.actor(self.s), ()

    def remembered(self, game: Game) -> PublicMemory:
        """The memory, brought up to date."""
        if self.log:
            self.memory = self.memory.after(game, log_events(self.log))
            self.log = ()
        return self.memory


def log_events(log: Log) -> list[Event]:
    """The events of a log, the first first."""
    events = []
    while log:
        log, who, action = log
        events.append((who, action))
    return events[::-1]


def unpickled_world(s: Record, who: int, happened: list[Event], memory: PublicMemory) -> World:
    """A world from what `__reduce__` has written of it."""
    log: Log = ()
    for event in happened:
        log = (log, *event)
    return World(s, who, log, memory)
