"""The notation of TAILS: `near 14`, `far 14`, `lay 2`, `pass`; `first 1`, `tile 01-24-35`.

A cell is its number and its half, the near one being the lower. `lay` says how far the tile is
turned, in thirds of a full turn clockwise; a tile is named by the line ends that it joins.
"""

from collections.abc import Sequence

from diablerie.engine.notation import TableNotation, Texts
from diablerie.engine.text import say
from diablerie.games.tails.rules.sides import SEATS
from diablerie.games.tails.rules.state import CELLS, NUMBER, PAIRS, TURNS, Node

CELL_NAMES = tuple(f"{'far' if c < CELLS // 2 else 'near'} {NUMBER[c]}" for c in range(CELLS))
ACTION_NAMES = (*CELL_NAMES, *(f"lay {rotation}" for rotation in range(TURNS)), "pass")
ACTION_TEXTS = Texts(
    ACTION_NAMES,
    say("“near” or “far” and a number from 1 to 27, “lay” and 0, 1 or 2, or “pass”"),
)


def _tile_text(joined: Sequence[tuple[int, int]]) -> str:
    return "tile " + "-".join(f"{a}{b}" for a, b in joined)


NOTATION = TableNotation(
    ACTION_TEXTS,
    {
        Node.FIRST: Texts([f"first {seat}" for seat in range(SEATS[-1])]),
        Node.TILE: Texts([_tile_text(tile) for tile in PAIRS]),
    },
)
