"""The tile in hand of TAILS, in place, in all the ways it can be laid."""

from typing import Any

from diablerie.art.svg import Svg, element, group
from diablerie.engine.game import Translate
from diablerie.engine.text import say
from diablerie.games.tails.rules.notation import ACTION_NAMES
from diablerie.games.tails.rules.state import TURN
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.symbols import line
from diablerie.games.tails.ui.drawing.tiles import pieces, ring, tile, tips


def hand(view: dict[str, Any], t: Translate) -> Svg | None:
    """The tile with its frame; who lays it can turn it (static/turning.js)."""
    if not view["hand"]:
        return None
    cell = view["cell"]
    attrs: dict[str, Any] = {"data_cycle": True, "data_cycle_step": 1} if view["deciding"] else {}
    title = element("title", t(say("Click, or R: turn the tile"))) if attrs else None
    shown = [_choice(view, cell, turn, one) for turn, one in enumerate(view["hand"])]
    return group(
        title,
        *shown,
        *ring(cell, "forced" if view["forced"] else "chosen"),
        id=f"hand-{cell}",
        class_="hand",
        data_enter="turn",
        **attrs,
    )


def _choice(view: dict[str, Any], cell: int, turn: int, one: dict[str, Any]) -> Svg:
    """The tile as it would lie, and all tails as they would run."""
    owned = pieces([*view["tails"], *one["tails"]])
    kind, rotation = one["tile"]
    laid = group(*tile(cell, kind, rotation, owned), transform=layout.place(cell), class_="tile")
    attrs = {}
    if view["deciding"]:
        attrs = {"data_preview": ACTION_NAMES[TURN + turn], "data_choice": True}
    return group(
        *(_rest(view, tail, cell) for tail in one["tails"]),
        laid,
        tips(one["tails"], lasting=False),
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
