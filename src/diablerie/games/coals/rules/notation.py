"""The notation of COALS: `bet 120`, `pull`, `stop`; `first 2`, `coal 50`, `coal devil`."""

from diablerie.engine.notation import NotationError
from diablerie.engine.record import Record
from diablerie.games.coals.rules.state import DEVIL, PULL, SEATS, STOP, UNIT, VALUES, Node

KIND_NAMES = tuple("devil" if kind == DEVIL else str(VALUES[kind]) for kind in range(len(VALUES)))
EXPECTED = "“bet” and a multiple of 10 from 0 to 1590, “pull” or “stop”"


def format_action(s: Record, seat: int, action: int) -> str:
    """The text of an action."""
    if action < PULL:
        return f"bet {action * UNIT}"
    return "pull" if action == PULL else "stop"


def parse_action(s: Record, seat: int, text: str) -> int:
    """The action that a text names. Raises NotationError."""
    if text in ("pull", "stop"):
        return PULL if text == "pull" else STOP
    word, _, digits = text.partition(" ")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 5 else -1
    if word != "bet" or number % UNIT or not 0 <= number // UNIT < PULL or str(number) != digits:
        raise NotationError(text, EXPECTED)
    return number // UNIT


def format_outcome(s: Record, outcome: int) -> str:
    """The text of an outcome at this chance node."""
    if s.node == Node.FIRST:
        return f"first {outcome}"
    return f"coal {KIND_NAMES[outcome]}"


def parse_outcome(s: Record, text: str) -> int:
    """The outcome that a text names at this chance node. Raises NotationError."""
    wanted = range(SEATS if s.node == Node.FIRST else len(KIND_NAMES))
    for outcome in wanted:
        if format_outcome(s, outcome) == text:
            return outcome
    raise NotationError(text, "an outcome here")
