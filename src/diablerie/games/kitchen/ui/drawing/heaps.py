"""What shares a cell: where many are, they are one heap with their number, which a tap spreads out."""

from collections import defaultdict
from collections.abc import Sequence

from diablerie.art.svg import Svg, element, group, placed, rect, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import say
from diablerie.games.kitchen.ui.drawing.layout import FAN_PITCH, SPOT_OF, WIDTH, spread
from diablerie.games.kitchen.ui.view import View


def pots_by_cell(view: View) -> dict[str, list[int]]:
    """The pots that stand on spaces, not on grills, by the name of their cell."""
    standing = defaultdict(list)
    for n, pot in enumerate(view.pots):
        if not pot.delivered:
            standing[pot.at].append(n)
    return {cell: standing[cell] for cell in SPOT_OF if cell in standing}


def by_cell(view: View) -> dict[str, list[tuple[int, int]]]:
    """The devils in play by the name of their cell, as colour and number; in the cells' order."""
    standing = defaultdict(list)
    for c, colour in enumerate(view.colours):
        for d, devil in enumerate(colour.devils):
            standing[devil.at].append((c, d))
    return {cell: standing[cell] for cell in SPOT_OF if cell in standing}


def heap(cell: str, pieces: Sequence[Svg], dx: float, dy: float, t: Translate) -> Svg:
    """Pieces that stand as one, and how many they are, so far from the middle of their cell."""
    return group(
        element("title", t(say("Show all {n} one by one", n=len(pieces)))),
        *pieces,
        placed(
            SPOT_OF[cell][0] + dx,
            SPOT_OF[cell][1] + dy,
            rect(-19, -14, 38, 28, "count-plate", rx=14),
            svg_text(0, 8, f"×{len(pieces)}", "count", 23),
        ),
        data_fan=cell,
        class_="heap",
        id=f"kitchen-heap-{cell}",
    )


def fan(cell: str, pieces: Sequence[Svg]) -> Svg:
    """The pieces of a heap side by side (see `spread`), as near to their cell as all are seen."""
    ends = [max(place) + FAN_PITCH / 2 for place in zip(*spread(len(pieces)), strict=True)]
    x, y = (
        min(max(middle, end + 8), WIDTH - end - 8)
        for middle, end in zip(SPOT_OF[cell], ends, strict=True)
    )
    wide, high = ends
    return placed(
        x,
        y,
        rect(-wide, -high, 2 * wide, 2 * high, "fan-plate", rx=18),
        *pieces,
        data_fan_of=cell,
        class_="fan",
    )
