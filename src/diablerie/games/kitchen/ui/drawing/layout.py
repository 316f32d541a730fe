"""Where things lie in the picture: its size, its cells, and what shares one of them."""

from collections import defaultdict
from collections.abc import Sequence

from diablerie.art.svg import Svg, element, group, placed, rect, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import say
from diablerie.games.kitchen.rules.board import CELLS, NAMES, SIDE
from diablerie.games.kitchen.ui.view import View

WIDTH = HEIGHT = 720
SPACING = 120
MARGIN = 60
LABELS_EDGE = 32  # above and to the left of the kitchen, for the coordinates
STOVE = (WIDTH // 2, HEIGHT // 2)

POT_SCALE = 1.19  # how large a pot is: 24 pixels wide on a phone 320 pixels wide
POTS_ALONE = 4  # of a place that are drawn side by side
POTS_BELOW_DEVILS = 2  # that are drawn side by side there
# The tag with a pot's value
TAG_OFFSET = 21  # how far right of the pot's middle, in the pot's scale
TAG_HALF = 15  # how far it reaches from there
COST_OFFSET = (-40, -40)  # what a step costs, in the place's upper left corner
FAN_PITCH = 96  # how wide and high each piece has it where a heap is spread out

Spot = tuple[float, float]
Spots = list[Spot]


def spot(at: int) -> tuple[int, int]:
    """Where a cell lies in the picture."""
    return MARGIN + SPACING * (at % SIDE), MARGIN + SPACING * (at // SIDE)


SPOTS = tuple(spot(at) for at in range(CELLS))
SPOT_OF = {name: SPOTS[cell] for cell, name in enumerate(NAMES)}


def devil_layout(count: int, pots: int, start: bool) -> tuple[Spots, float]:
    """Where devils stand round the middle of their cell, and how large; on a start all in one."""
    if start:
        return [(0.0, -4.0)] * count, 0.4
    if count > 1:
        return [(-25.0, -24.0 if pots else -8.0), (25.0, -24.0 if pots else -8.0)], 0.32
    return [(0.0, -22.0 if pots else -4.0)], 0.36 if pots else 0.4


def badge_spot(x: float, y: float, start: bool, many: bool, fanned: bool) -> Spot | None:
    """Where a devil's number is, from the devil, which stands at (x, y) in its cell.

    Above the pots, and at the right, since what a step costs is at the left. In a heap it has none.
    """
    if fanned:
        return 32, 24
    if many:
        return None
    beside = (-42, -42) if x < 0 else (40, -40)
    u, v = (34, 34) if start else beside
    return u - x, v - y


def heaped(pots: int, devils: int) -> bool:
    """Whether so many pots are one heap with their number, which a tap spreads out."""
    return pots > (POTS_BELOW_DEVILS if devils else POTS_ALONE)


def pot_layout(count: int, devils: int) -> tuple[Spots, float]:
    """Where pots stand round the middle of their cell, and how large: the last ones in front.

    Those on the left come last, so that each hides nothing but the left edge of its neighbour.
    """
    if count == 1:
        return [(0.0, 30.0 if devils else 4.0)], POT_SCALE
    front = (
        [(28.0, 32.0), (-28.0, 32.0)]
        if devils
        else _rows(min(count, POTS_ALONE), 2, 57.0, 44.0, 4.0)
    )
    behind = [(0.0, 32.0 if devils else 4.0)] * max(0, count - len(front))
    return behind + front, POT_SCALE


def spread(count: int) -> Spots:
    """Where the pieces of a heap are when it is spread out, round its middle."""
    return _rows(count, 2 if count in (2, 4) else 3, FAN_PITCH, FAN_PITCH, 0.0)[::-1]


def edge_shift(x: float, spots: Spots, scale: float) -> float:
    """How far left the pots of a cell at `x` move, so that the picture has room for their values."""
    right = x + max(dx for dx, _ in spots) + TAG_OFFSET * scale + TAG_HALF
    return max(0.0, right - WIDTH)


def _rows(count: int, columns: int, gap: float, height: float, middle: float) -> Spots:
    """Spots in rows, the fuller ones in front; each row from right to left."""
    rows = -(-count // columns)
    first = count - (rows - 1) * columns
    spots: Spots = []
    for row in range(rows):
        here = first if not row else columns
        y = middle + (row - (rows - 1) / 2) * height
        spots += [((here - 1) / 2 * gap - i * gap, y) for i in range(here)]
    return spots


def card_layout(count: int) -> tuple[Spots, float]:
    """Where cards lie on a grill, and how large."""
    if count <= 2:
        return [((i - (count - 1) / 2) * 36, -2) for i in range(count)], 1.0
    row = 3 if count > 4 else 2
    rows = -(-count // row)
    gap = 27 if row == 3 else 32
    return [
        ((i % row - (row - 1) / 2) * gap, (i // row - (rows - 1) / 2) * 35 - 5 * (row - 2))
        for i in range(count)
    ], 0.82


# -- heaps: where many share a cell, a tap spreads them out ------------------------------------


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
        element("title", t(say("Show all {n} on {cell} one by one", n=len(pieces), cell=cell))),
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
