"""The hexagon of TAILS: free cells, tiles laid, the tile in hand, what is marked."""

from collections.abc import Sequence
from functools import cache

from diablerie.art.svg import Svg, element, group, path, text
from diablerie.engine.game import Translate
from diablerie.engine.text import Line, say
from diablerie.games.tails.rules import board
from diablerie.games.tails.rules.board import NUMBER
from diablerie.games.tails.rules.notation import ACTION_NAMES
from diablerie.games.tails.rules.tiles import ROTATIONS
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.hand import hand
from diablerie.games.tails.ui.drawing.symbols import use
from diablerie.games.tails.ui.drawing.tiles import Pieces, pieces, ring, tile, tips
from diablerie.games.tails.ui.text.words import cell_name
from diablerie.games.tails.ui.view import Tile, View

REASONS = {
    11: say("An opponent’s devil stands at this cell", clause="T11"),
    13: say("The last tile was laid in this sector", clause="T13"),
}


def hexagon(view: View, moves: Sequence[str], t: Translate) -> Svg:
    """All cells and what lies on them."""
    free = [cell for cell, lies in enumerate(view.tiles) if lies is None]
    owned = pieces(view.tails)
    laid = [_laid(cell, lies, owned) for cell, lies in enumerate(view.tiles) if lies]
    return group(
        group(*(_free(view, cell, moves, t) for cell in free)),
        group(*laid),
        _seams(len(view.scores)),
        *(_twin_hint(cell, twin) for cell, twin in enumerate(view.forces) if twin >= 0),
        group(*_marks(view)),
        tips(view.tails),
        hand(view, t),
    )


# -- free cells --------------------------------------------------------------------------------


def _free(view: View, cell: int, moves: Sequence[str], t: Translate) -> Svg:
    code = view.codes[cell] if view.codes else 0
    tried = {"data_action": ACTION_NAMES[cell]} if view.codes else {}
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


def _twin_hint(cell: int, twin: int) -> Svg:
    """Shown while a cell is pointed at: where the next player would have to lay."""
    return group(*ring(twin, "next"), data_preview=ACTION_NAMES[cell])


@cache
def _seams(sides: int) -> Svg:
    """What divides the hexagon: the halves, or with 3 the sectors."""
    rim = layout.rim(0)
    halves = [(rim[3], rim[0])]
    shown = halves if sides == 2 else [(rim[k], rim[k + 3]) for k in range(3)]
    d = "".join(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" for a, b in shown)
    return path(d, "seam")


# -- tiles -------------------------------------------------------------------------------------


def _laid(cell: int, lies: Tile, owned: Pieces) -> Svg:
    return group(
        *tile(cell, lies, owned),
        id=f"tile-{cell}",
        class_="tile",
        transform=layout.place(cell),
        data_enter="turn" if ROTATIONS[lies.kind] == 1 else "pop",
    )


# -- marks -------------------------------------------------------------------------------------


def _marks(view: View) -> list[Svg]:
    """The cell laid last, and the one that comes next."""
    shown = []
    if view.last >= 0:
        shown += ring(view.last, "last")
    if view.next >= 0:
        shown += ring(view.next, "next")
    return shown
