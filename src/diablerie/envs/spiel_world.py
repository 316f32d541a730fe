"""All that changes while an OpenSpiel game is played, in one object that is cheap to copy."""

from typing import Any, Self

from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.envs.spiel_memory import Event, PublicMemory

Log = tuple[Any, ...]  # (the log before, who, action); the empty one is ()


class World:
    """A position, who is to act in it, and what has happened since `memory` was made.

    The log is a chain that copies share; only who asks for an information state pays for it.
    """

    __slots__ = ("log", "memory", "s", "who")

    def __init__(self, s: Record, who: int, log: Log, memory: PublicMemory) -> None:
        self.s, self.who, self.log, self.memory = s, who, log, memory

    @classmethod
    def of(cls, s: Record, seats: int) -> Self:
        """The world at the beginning of a game that begins in this position."""
        return cls(s, verbs.actor(s), (), PublicMemory.of(s, seats))

    def __deepcopy__(self, memo: Any) -> "World":
        return World(self.s.copy(), self.who, self.log, self.memory)

    def __reduce__(self) -> tuple[Any, ...]:
        return revived, (self.s, self.who, log_events(self.log), self.memory)

    def apply(self, action: int) -> None:
        """A legal action of who is to act, or an outcome."""
        self.log = (self.log, self.who, action)
        verbs.apply(self.s, self.who, action)
        self.who = verbs.actor(self.s)

    def remembered(self, game: Game) -> PublicMemory:
        """What everybody has seen until now."""
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


def revived(s: Record, who: int, happened: list[Event], memory: PublicMemory) -> World:
    """A world from what was written of it."""
    log: Log = ()
    for event in happened:
        log = (log, *event)
    return World(s, who, log, memory)
