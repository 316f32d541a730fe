"""The notation of COASTERS: `lay flower`, `bid 3`, `pass`, `turn 2` (a seat), `drop skull`."""

from coasters.rules.state import MOST, SEATS, Node
from diablerie.engine.notation import Texts
from diablerie.engine.record import Record

KINDS = ("flower", "skull")
ACTIONS = Texts(
    [
        *(f"lay {kind}" for kind in KINDS),
        "pass",
        *(f"bid {n + 1}" for n in range(MOST)),
        *(f"turn {seat}" for seat in range(SEATS)),
        *(f"drop {kind}" for kind in KINDS),
    ],
    "“lay”, “bid”, “pass”, “turn” or “drop”, and what",
)
FIRST = Texts([f"first {seat}" for seat in range(SEATS)])
LOTS = Texts([f"lost {kind}" for kind in KINDS])


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
    return FIRST if s.node == Node.FIRST else LOTS
