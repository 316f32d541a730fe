"""The hexagon of TAILS: free cells, tiles and their lines, the tile in hand, what is marked."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from diablerie.art.svg import Svg, at, circle, element, group, path, text
from diablerie.engine.game import Translate
from diablerie.engine.text import Line, say
from diablerie.games.tails import board, layout
from diablerie.games.tails.board import CELLS, NUMBER, TWIN
from diablerie.games.tails.draw_symbols import line, use
from diablerie.games.tails.notation import ACTION_NAMES
from diablerie.games.tails.state import ROTATIONS, TURN, lines
from diablerie.games.tails.telling import cell_name
from diablerie.games.tails.tracing import OPEN

Pieces = Mapping[tuple[int, int], list[dict[str, Any]]]  # tails by cell and end
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
        _tips(view["tails"]),
        _hand(view, t),
    )


def pieces(tails: Iterable[dict[str, Any]]) -> Pieces:
    """Whose each piece of line is, by cell and either end."""
    found: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for tail in tails:
        for cell, *ends in tail["pieces"]:
            for end in ends:
                found.setdefault((cell, end), []).append(tail)
    return found


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
    return group(*_ring(TWIN[cell], "next"), **attrs)


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
        *_tile(cell, kind, rotation, owned),
        id=f"tile-{cell}",
        class_="tile",
        transform=layout.place(cell),
        data_enter="turn" if ROTATIONS[kind] == 1 else "pop",
    )


def _tile(cell: int, kind: int, rotation: int, owned: Pieces) -> list[Svg]:
    """The face, then lines that are nobody's, then tails."""
    ends = lines(kind, rotation)
    loose = [line(kind, a, b, "line") for a, b in ends if not owned.get((cell, a))]
    tails = [_owned(kind, a, b, owned[cell, a]) for a, b in ends if owned.get((cell, a))]
    return [use("cell", "face"), *loose, *tails]


def _owned(kind: int, a: int, b: int, tails: list[dict[str, Any]]) -> Svg:
    """A piece of a tail, or of the line on which two bodies met."""
    keys = " ".join(dict.fromkeys(f"body-{tail['letter']}" for tail in tails))
    first = tails[0]
    klass = f"line {first['state']} seat-{first['side']}"
    return line(kind, a, b, klass, data_light=keys.split()[0], data_lights=keys)


def _tips(tails: Iterable[dict[str, Any]], lasting: bool = True) -> Svg:
    """The spades of open tails, pointing to where they will go on."""
    return group(
        *(
            use(
                "spade",
                f"tip seat-{tail['side']}",
                transform=layout.tip(tail["tip"]),
                id=f"tip-{tail['letter']}" if lasting else None,
                data_lights=f"body-{tail['letter']}",
            )
            for tail in tails
            if tail["state"] == OPEN
        )
    )


# -- the tile in hand --------------------------------------------------------------------------


def _hand(view: dict[str, Any], t: Translate) -> Svg | None:
    if not view["hand"]:
        return None
    cell = view["cell"]
    attrs: dict[str, Any] = {"data_cycle": True, "data_cycle_step": 1} if view["deciding"] else {}
    title = element("title", t(say("Click, or R: turn the tile"))) if attrs else None
    shown = [_choice(view, cell, turn, one) for turn, one in enumerate(view["hand"])]
    return group(
        title,
        *shown,
        *_ring(cell, "forced" if view["forced"] else "chosen"),
        id=f"hand-{cell}",
        class_="hand",
        data_enter="turn",
        **attrs,
    )


def _choice(view: dict[str, Any], cell: int, turn: int, one: dict[str, Any]) -> Svg:
    """The tile as it would lie, and all tails as they would run."""
    owned = pieces([*view["tails"], *one["tails"]])
    kind, rotation = one["tile"]
    tile = group(*_tile(cell, kind, rotation, owned), transform=layout.place(cell), class_="tile")
    attrs = {}
    if view["deciding"]:
        attrs = {"data_preview": ACTION_NAMES[TURN + turn], "data_choice": True}
    return group(
        *(_rest(view, tail, cell) for tail in one["tails"]),
        tile,
        _tips(one["tails"], lasting=False),
        class_="option picked" if turn == 0 else "option",
        **attrs,
    )


def _rest(view: dict[str, Any], tail: dict[str, Any], cell: int) -> Svg:
    """The whole of a tail outside the cell in hand."""
    klass = f"line {tail['state']} seat-{tail['side']}"
    return group(
        *(
            group(line(view["tiles"][other][0], a, b, klass), transform=layout.place(other))
            for other, a, b in tail["pieces"]
            if other != cell
        )
    )


# -- marks -------------------------------------------------------------------------------------


def _marks(view: dict[str, Any]) -> list[Svg]:
    """The cell laid last, and the one that comes next."""
    shown = []
    if view["last"] >= 0:
        shown += _ring(view["last"], "last")
    if view["next"] >= 0:
        shown += _ring(view["next"], "next")
    return shown


def _ring(cell: int, klass: str) -> list[Svg]:
    """A frame round a cell, with its number at the point, where no line ever comes."""
    x, y = layout.pixel(board.middle(cell))
    dx, dy = layout.CORNERS[0]
    sign = -1 if layout.turn(cell) else 1
    tag = group(
        circle(0, 0, 13, "tag-ground"),
        text(0, 6.5, NUMBER[cell], "tag-number", font_size=18),
        transform=at(x + dx, y + sign * dy * 0.86),
    )
    frame = use("cell", "frame", transform=layout.place(cell))
    return [group(frame, tag, class_=f"mark {klass}")]
