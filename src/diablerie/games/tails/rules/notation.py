"""The notation of TAILS: `near 14`, `far 14`, `lay 2`, `pass`; `first 1`, `tile 01-24-35`.

A cell is its number and its half, the near one being the lower. `lay` says how far the tile is
turned, in thirds of a full turn clockwise; a tile is named by the line ends that it joins.
"""

from diablerie.engine.notation import NotationError
from diablerie.engine.record import Record
from diablerie.games.tails.rules.board import CELLS, NUMBER
from diablerie.games.tails.rules.state import KINDS, LINES, SEATS, Node

KIND_NAMES = tuple("-".join(f"{a}{b}" for a, b in lines) for lines in LINES)
CELL_NAMES = tuple(f"{'far' if c < CELLS // 2 else 'near'} {NUMBER[c]}" for c in range(CELLS))
ACTION_NAMES = (*CELL_NAMES, "lay 0", "lay 1", "lay 2", "pass")
ACTION_OF = {name: action for action, name in enumerate(ACTION_NAMES)}
EXPECTED = "“near” or “far” and a number from 1 to 27, “lay” and 0, 1 or 2, or “pass”"


def format_action(s: Record, seat: int, action: int) -> str:
    """The text of an action."""
    return ACTION_NAMES[action]


def parse_action(s: Record, seat: int, text: str) -> int:
    """The action that a text names. Raises NotationError."""
    if text not in ACTION_OF:
        raise NotationError(text, EXPECTED)
    return ACTION_OF[text]


def format_outcome(s: Record, outcome: int) -> str:
    """The text of an outcome at this chance node."""
    if s.node == Node.FIRST:
        return f"first {outcome}"
    return f"tile {KIND_NAMES[outcome]}"


def parse_outcome(s: Record, text: str) -> int:
    """The outcome that a text names at this chance node. Raises NotationError."""
    for outcome in range(SEATS if s.node == Node.FIRST else KINDS):
        if format_outcome(s, outcome) == text:
            return outcome
    raise NotationError(text, "an outcome here")
