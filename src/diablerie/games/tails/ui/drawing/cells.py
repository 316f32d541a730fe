"""The hexagon of TAILS: free cells, tiles laid, the tile in hand, what is marked."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from diablerie.art.svg import Svg, element, group, path, text
from diablerie.engine.game import Translate
from diablerie.engine.text import Line, say
from diablerie.games.tails.rules import board
from diablerie.games.tails.rules.board import CELLS, NUMBER, TWIN
from diablerie.games.tails.rules.notation import ACTION_NAMES
from diablerie.games.tails.rules.state import ROTATIONS
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.hand import hand
from diablerie.games.tails.ui.drawing.symbols import use
from diablerie.games.tails.ui.drawing.tiles import Pieces, pieces, ring, tile, tips
from diablerie.games.tails.ui.text.log import cell_name

REASONS = {
    11: say("An opponent’s devil stands at this cell", clause="T11"),
    13: say("The last tile was laid in this sector", clause="T13"),
}


def hexagon(view: dict[str, Any], moves: Sequence[str], t: Translate) -> Svg:
    """All cells and what lies on them."""
    free = [cell for cell in range(CELLS) if view["tiles"][cell] is None]
    owned = pieces(view["tails"])
    laid = [cell for cell in range(CELLS) if view["tiles"][cell] is not None]
    return group(
        group(*(_free(view, cell, moves, t) for cell in free)),
        group(*(_laid(view, cell, owned) for cell in laid)),
        _seams(len(view["scores"])),
        *(_twin_hint(cell) for cell in free if view["next"] < 0 and _chooses(view, cell)),
        group(*_marks(view)),
        tips(view["tails"]),
        hand(view, t),
    )


# -- free cells --------------------------------------------------------------------------------


def _chooses(view: dict[str, Any], cell: int) -> bool:
    """Whether choosing this cell would force its twin on the next player (T10)."""
    return bool(view["codes"]) and view["codes"][cell] == 0 and len(view["sides"]) != 3


def _free(view: dict[str, Any], cell: int, moves: Sequence[str], t: Translate) -> Svg:
    code = view["codes"][cell] if view["codes"] else 0
    tried = {"data_action": ACTION_NAMES[cell]} if view["codes"] else {}
    kind = "can" if ACTION_NAMES[cell] in moves else f"barred clause-{code}" if code else ""
    x, y = layout.pixel(board.middle(cell))
    return group(
        element("title", t(_why(cell, code))),
        use("cell", "ground", transform=layout.place(cell)),
        text(x, y + 6.5, NUMBER[cell], "number", font_size=18),
        id=f"cell-{cell}",
        class_=f"cell {kind}".strip(),
        **tried,
    )


def _why(cell: int, code: int) -> Line:
    name = cell_name(cell)
    if code not in REASONS:
        return say("{cell}", cell=name)
    reason = REASONS[code]
    return say("{cell}: {reason} ({rule})", cell=name, reason=reason, rule=reason.clause)


def _twin_hint(cell: int) -> Svg:
    """Shown while a cell is pointed at: where the next player would have to lay."""
    attrs = {"data_preview": ACTION_NAMES[cell]}
    return group(*ring(TWIN[cell], "next"), **attrs)


@cache
def _seams(sides: int) -> Svg:
    """What divides the hexagon: the halves, or with 3 the sectors."""
    rim = layout.rim(0)
    halves = [(rim[3], rim[0])]
    shown = halves if sides == 2 else [(rim[k], rim[k + 3]) for k in range(3)]
    d = "".join(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" for a, b in shown)
    return path(d, "seam")


# -- tiles -------------------------------------------------------------------------------------


def _laid(view: dict[str, Any], cell: int, owned: Pieces) -> Svg:
    kind, rotation = view["tiles"][cell]
    return group(
        *tile(cell, kind, rotation, owned),
        id=f"tile-{cell}",
        class_="tile",
        transform=layout.place(cell),
        data_enter="turn" if ROTATIONS[kind] == 1 else "pop",
    )


# -- marks -------------------------------------------------------------------------------------


def _marks(view: dict[str, Any]) -> list[Svg]:
    """The cell laid last, and the one that comes next."""
    shown = []
    if view["last"] >= 0:
        shown += ring(view["last"], "last")
    if view["next"] >= 0:
        shown += ring(view["next"], "next")
    return shown
