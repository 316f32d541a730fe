"""The picture of TAILS: the hexagon, the devils round it, and in the corners who has what.

One picture for large screens and small ones; no text in it is under 18 units, which is 10 pixels on
a phone.
"""

from functools import cache, lru_cache

from diablerie.art.svg import Parted, Svg, element, group, parted, path, svg_text
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import Line, say
from diablerie.games.tails.rules.notation import ACTION_NAMES
from diablerie.games.tails.rules.state import NUMBER, ROTATIONS, middle
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.around import border, corners
from diablerie.games.tails.ui.drawing.layout import HEIGHT, MARGIN, WIDTH
from diablerie.games.tails.ui.drawing.symbols import definitions, use
from diablerie.games.tails.ui.drawing.tiles import (
    Owners,
    hand,
    meet,
    owners,
    pieces,
    ring,
    tile,
    tips,
)
from diablerie.games.tails.ui.log import cell_name
from diablerie.games.tails.ui.view import Tile, View

REASONS = {
    11: say("An opponent’s devil stands at this cell", "T11"),
    13: say("The last tile was placed in this sector", "T13"),
}


def draw(view: View, moves: Moves, t: Translate) -> str:
    """The picture as one `<svg>`, from a view; spots in it stand for `moves`."""
    return parted(
        "svg",
        element("title", t(say("The hexagon, its devils and their tails"))),
        definitions(),
        border(view, t),
        hexagon(view, moves, t),
        corners(view, t),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-MARGIN} 0 {WIDTH + 2 * MARGIN} {HEIGHT}",
        role="group",
        class_="picture tails",
        id="tails-board",
    )


# -- the hexagon: free cells, tiles laid, the tile in hand, what is marked ------------------------


def hexagon(view: View, moves: Moves, t: Translate) -> Parted:
    """All cells and what lies on them."""
    free = [cell for cell, lies in enumerate(view.tiles) if lies is None]
    tiles = ((cell, lies) for cell, lies in enumerate(view.tiles) if lies)
    owners_of = pieces(view.tails)  # once: to look tails up takes as long as to draw a cell
    tried = bool(view.codes)
    can = {*moves}
    laid = [_laid(cell, lies, owners(cell, lies, owners_of), tried) for cell, lies in tiles]
    codes = view.codes or (0,) * len(view.tiles)
    return parted(
        "g",
        parted("g", *(free_cell(c, codes[c], tried, ACTION_NAMES[c] in can, t) for c in free)),
        parted("g", *laid),
        seams(len(view.scores)),
        *(_twin_hint(cell, twin) for cell, twin in enumerate(view.forces) if twin >= 0),
        group(*_marks(view), id="tails-marks"),
        tips(view.tails),
        hand(view, t),
    )


# -- free cells --------------------------------------------------------------------------------


@lru_cache(2048)
def free_cell(cell: int, code: int, tried: bool, can: bool, t: Translate) -> Svg:
    """A cell without a tile; code: of the clause that forbids to choose it."""
    kind = f"barred clause-{code}" if code else ""
    if can:
        kind = "can"
    x, y = layout.pixel(middle(cell))
    return group(
        element("title", t(_why(cell, code))),
        use("cell", "ground", transform=layout.cell_transform(cell)),
        svg_text(x, y + 6.5, NUMBER[cell], "number", 18),
        id=f"cell-{cell}",
        class_=f"cell {kind}".strip(),
        data_action=ACTION_NAMES[cell] if tried else None,
    )


def _why(cell: int, code: int) -> Line:
    name = cell_name(cell)
    if code not in REASONS:
        return say("{cell}", cell=name)
    reason = REASONS[code]
    return say("{cell}: {reason} ({rule})", cell=name, reason=reason, rule=reason.clause)


@cache
def _twin_hint(cell: int, twin: int) -> Svg:
    """Shown while a cell is pointed at: where the next player would have to lay."""
    return group(*ring(twin, "next"), data_preview=ACTION_NAMES[cell])


@cache
def seams(sides: int) -> Svg:
    """What divides the hexagon: the halves, or with 3 the sectors."""
    rim = layout.rim(0)
    halves = [(rim[3], rim[0])]
    lines = halves if sides == 2 else [(rim[k], rim[k + 3]) for k in range(3)]
    d = "".join(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" for a, b in lines)
    return path(d, "seam", id="tails-seams")


# -- tiles -------------------------------------------------------------------------------------


@lru_cache(2048)
def _laid(cell: int, lies: Tile, owned: Owners, tried: bool) -> Svg:
    return group(
        *tile(lies, owned),
        id=f"tile-{cell}",
        class_="tile",
        transform=layout.cell_transform(cell),
        data_action=ACTION_NAMES[cell] if tried else None,
        data_enter="turn" if ROTATIONS[lies.kind] == 1 else "pop",
        data_heard="tile",
    )


# -- marks -------------------------------------------------------------------------------------


def _marks(view: View) -> list[Svg]:
    """The cell laid last, and the one that comes next.

    Where their numbers would lie on another's, one stays: the tile in hand comes first, and the
    cell that comes next is free and has its number in the middle.
    """
    last = view.last
    following = view.next
    hand = view.cell if view.hand else -1
    frames = []
    if last >= 0:
        frames += ring(last, "last", not meet(last, hand))
    if following >= 0:
        frames += ring(following, "next", not (meet(following, hand) or meet(following, last)))
    return frames
