"""What every seat of a game has seen so far: its information state, with perfect recall.

It is a text: the decisions and outcomes that the seat saw, in order, decisions of others that it
did not see as `?`, and a digest of all it was shown whenever somebody was to decide. Outcomes
that it did not see leave no trace, since their number can be a secret (`Game.skipped` too).
"""

from hashlib import blake2b
from typing import NamedTuple, Self

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import redacted, sees
from diablerie.engine.record import Record, from_bytes
from diablerie.engine.verbs import CHANCE, WATCHER

Event = tuple[int, int]  # who (a seat or CHANCE), and the number of the action or outcome


class Notes(NamedTuple):
    """What one viewer remembers: events seen, digest of all it was shown, and what that is now."""

    text: str
    digest: bytes
    shown: bytes

    def look(self, s: Record, viewer: int) -> "Notes":
        """The same after a look at a position where somebody is to decide, or the end."""
        shown = redacted(s, viewer).tobytes()
        return Notes(self.text, blake2b(self.digest + shown, digest_size=8).digest(), shown)


class PublicMemory(NamedTuple):
    """A position with what everybody remembers. Never changed: copies share it."""

    state: bytes
    notes: tuple[Notes, ...]  # by seat, then the watcher's

    @classmethod
    def of(cls, s: Record, seats: int) -> Self:
        """The memory of a game that begins in this position."""
        fresh = Notes("", b"", b"")
        return cls(s.tobytes(), tuple(fresh.look(s, viewer) for viewer in _viewers(seats)))

    def after(self, game: Game, events: list[Event]) -> Self:
        """The memory once these events have followed."""
        s, notes = from_bytes(game.state, self.state), list(self.notes)
        viewers = _viewers(len(notes) - 1)
        for who, action in events:
            told = _told(game, s, who, action)
            for k, viewer in enumerate(viewers):
                if piece := _piece(game, s, who, viewer, told):
                    notes[k] = notes[k]._replace(text=f"{notes[k].text} {piece}")
            verbs.apply(s, who, action)
            if verbs.actor(s) != CHANCE:
                notes = [note.look(s, viewer) for note, viewer in zip(notes, viewers, strict=True)]
        return type(self)(s.tobytes(), tuple(notes))

    def guessed(self, s: Record, seat: int) -> Self:
        """The same memory of `seat`, where the others' position may be `s` for all it knows.

        What the others remember is what everybody saw, and what they would be shown now.
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


def _told(game: Game, s: Record, who: int, action: int) -> str:
    if who == CHANCE:
        return "" if s.node in game.skipped else game.notation.format_outcome(s, action)
    return f"{who} {game.notation.format_action(s, who, action)}"


def _piece(game: Game, s: Record, who: int, viewer: int, told: str) -> str:
    """What a viewer notes down of an event before which the position is `s`."""
    if sees(s, who, viewer):
        return told and f"{told},"
    return "" if who == CHANCE else f"{who} ?,"
