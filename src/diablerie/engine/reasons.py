"""Why: what speaks for an action, in words, where a game can say so.

A room `ui` may have one function more than `engine.game.Ui` asks for, `action_reason`; it is told what
the seat may know, and asks rules and policy as everything in that room does.
"""

from typing import Protocol, runtime_checkable

from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.text import Line


@runtime_checkable
class Reasoning(Protocol):
    """A room that gives reasons."""

    def reason(self, s: Record, seat: int, action: int, /) -> Line | None:
        """What speaks for a legal action of a seat, in one sentence; None if nothing can be told.

        s: the record as the seat may know it.
        """


def action_reason(game: Game, s: Record, seat: int, action: int) -> Line | None:
    """What a game says for an action, None if nothing (or nothing at all)."""
    return game.ui.reason(s, seat, action) if isinstance(game.ui, Reasoning) else None
