"""The tile in hand of TAILS, in place, in all the ways it can be laid."""

from typing import Any

from diablerie.art.svg import Svg, element, group
from diablerie.engine.game import Translate
from diablerie.engine.text import say
from diablerie.games.tails.rules.notation import ACTION_NAMES
from diablerie.games.tails.rules.state import LAY
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.symbols import line
from diablerie.games.tails.ui.drawing.tiles import owners, ring, tile, tips
from diablerie.games.tails.ui.tracing import Tail
from diablerie.games.tails.ui.view import Option, View


def hand(view: View, t: Translate) -> Svg | None:
    """The tile with its frame; who lays it can turn it (static/turning.js)."""
    if not view.hand:
        return None
    cell = view.cell
    attrs: dict[str, Any] = {"data_cycle": True, "data_cycle_step": 1} if view.deciding else {}
    title = element("title", t(say("Click, or R: turn the tile"))) if attrs else None
    shown = [_choice(view, cell, one) for one in view.hand]
    return group(
        title,
        *shown,
        *ring(cell, "forced" if view.forced else "chosen"),
        id=f"hand-{cell}",
        class_="hand",
        data_enter="turn",
        **attrs,
    )


def _choice(view: View, cell: int, one: Option) -> Svg:
    """The tile as it would lie, and all tails as they would run."""
    owned = owners(cell, one.tile, (*view.tails, *one.tails))
    laid = group(*tile(one.tile, owned), transform=layout.place(cell), class_="tile")
    attrs = {}
    if view.deciding:
        attrs = {"data_preview": ACTION_NAMES[LAY + one.tile.rotation], "data_choice": True}
    return group(
        *(_rest(view, tail) for tail in one.tails),
        laid,
        tips(one.tails, lasting=False),
        class_="option picked" if one is view.hand[0] else "option",
        **attrs,
    )


def _rest(view: View, tail: Tail) -> Svg:
    """The whole of a tail outside the cell in hand."""
    klass = f"line {tail.state} seat-{tail.side}"
    return group(
        *(
            group(line(below.kind, a, b, klass), transform=layout.place(other))
            for other, a, b in tail.pieces
            if (below := view.tiles[other])
        )
    )
