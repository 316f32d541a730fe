"""Why something cannot be done in COALS, each in one short sentence."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, say

SHORT = {
    "C5": say("Not now: first everybody stakes, then everybody pulls."),
    "C7": say("You may stake once in a round, and no more than you own."),
    "C8": say("Without chips you can only stake 0."),
    "C10": say("You must turn the first piece."),
}


def refuse(s: Record, action: int, clause: str) -> Line | None:
    """The sentence for an action that a clause forbids."""
    return SHORT.get(clause)
