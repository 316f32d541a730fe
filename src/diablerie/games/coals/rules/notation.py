"""The notation of COALS: `bet 120`, `pull`, `stop`; `first 2`, `coal 50`, `coal devil`."""

from diablerie.engine.notation import Texts
from diablerie.engine.record import Record
from diablerie.engine.text import say
from diablerie.engine.verbs import SEATS
from diablerie.games.coals.rules.state import DEVIL, PULL, UNIT, VALUES, Node

KIND_NAMES = (*map(str, VALUES[:DEVIL]), "devil")
ACTIONS = Texts(
    [*(f"bet {tens * UNIT}" for tens in range(PULL)), "pull", "stop"],
    say("“bet” and a multiple of 10 from 0 to 1590, “pull” or “stop”"),
)
FIRST = Texts([f"first {seat}" for seat in range(SEATS)])
COAL = Texts([f"coal {name}" for name in KIND_NAMES])


def format_action(s: Record, seat: int, action: int) -> str:
    """The text of an action."""
    return ACTIONS.format(action)


def parse_action(s: Record, seat: int, text: str) -> int:
    """The action that a text names. Raises NotationError."""
    return ACTIONS.parse(text)


def format_outcome(s: Record, outcome: int) -> str:
    """The text of an outcome at this chance node."""
    return _outcomes(s).format(outcome)


def parse_outcome(s: Record, text: str) -> int:
    """The outcome that a text names at this chance node. Raises NotationError."""
    return _outcomes(s).parse(text)


def _outcomes(s: Record) -> Texts:
    return FIRST if s.node == Node.FIRST else COAL
