"""The notation of TAILS: `near 14`, `far 14`, `lay 2`, `pass`; `first 1`, `tile 01-24-35`.

A cell is its number and its half, the near one being the lower. `lay` says how far the tile is
turned, in thirds of a full turn clockwise; a tile is named by the line ends that it joins.
"""

from diablerie.engine.notation import Texts
from diablerie.engine.record import Record
from diablerie.engine.text import say
from diablerie.games.tails.rules.board import CELLS, NUMBER
from diablerie.games.tails.rules.sides import SEATS
from diablerie.games.tails.rules.state import Node
from diablerie.games.tails.rules.tiles import PAIRS, TURNS

CELL_NAMES = tuple(f"{'far' if c < CELLS // 2 else 'near'} {NUMBER[c]}" for c in range(CELLS))
ACTION_NAMES = (*CELL_NAMES, *(f"lay {rotation}" for rotation in range(TURNS)), "pass")
ACTION_TEXTS = Texts(
    ACTION_NAMES,
    say("“near” or “far” and a number from 1 to 27, “lay” and 0, 1 or 2, or “pass”"),
)
FIRST_TEXTS = Texts([f"first {seat}" for seat in range(SEATS[-1])])
TILE_TEXTS = Texts(["tile " + "-".join(f"{a}{b}" for a, b in tile) for tile in PAIRS])


def format_action(s: Record, seat: int, action: int) -> str:
    """The text of an action."""
    return ACTION_TEXTS.format(action)


def parse_action(s: Record, seat: int, text: str) -> int:
    """The action that a text names. Raises NotationError."""
    return ACTION_TEXTS.parse(text)


def format_outcome(s: Record, outcome: int) -> str:
    """The text of an outcome at this chance node."""
    return _outcomes(s).format(outcome)


def parse_outcome(s: Record, text: str) -> int:
    """The outcome that a text names at this chance node. Raises NotationError."""
    return _outcomes(s).parse(text)


def _outcomes(s: Record) -> Texts:
    return FIRST_TEXTS if s.node == Node.FIRST else TILE_TEXTS
