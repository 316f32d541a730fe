"""The kitchen itself: lava, tiled paths, cooking places, starts, grills and the stove's hole."""

from functools import cache

from diablerie.art.cut import gouges
from diablerie.art.marks import mark
from diablerie.art.svg import Svg, circle, group, path, placed, rect, svg_text
from diablerie.games.kitchen.rules.board import (
    COLOURS,
    GRILLS,
    NAMES,
    NEIGHBOURS,
    PATHS,
    SIDE,
    SPACES,
    STARTS,
)
from diablerie.games.kitchen.ui.drawing.layout import HEIGHT, LABELS_EDGE, SPOTS, STOVE, WIDTH
from diablerie.games.kitchen.ui.drawing.parts import coloured

SPACE_RADIUS = 45  # radius of a cooking place
HALF_START = 52  # half a start's side
GRILL_RADIUS = 50  # radius of a grill


@cache
def floor() -> Svg:
    """The parts of the kitchen that never change."""
    spaces = (_space(cell) for cell in SPACES)
    return group(_lava(), _paths(), _hole(), *spaces, class_="floor", id="kitchen-floor")


@cache
def coordinates() -> Svg:
    """The letters of the columns and the numbers of the rows (K4), as the log has them."""
    columns = [svg_text(SPOTS[c][0], -10, NAMES[c][0], "margin", 23) for c in range(SIDE)]
    rows = [
        svg_text(-LABELS_EDGE / 2, SPOTS[r * SIDE][1] + 8, NAMES[r * SIDE][1], "margin", 23)
        for r in range(SIDE)
    ]
    return group(*columns, *rows, class_="coordinates", id="kitchen-coordinates")


@cache
def _lava() -> Svg:
    """A lake of fire with crests, cut like all the rest."""
    crests = [
        (x, y, x + 34 + (x * 7 + y) % 22, y - 5 + (x + y * 3) % 11)
        for y in range(20, HEIGHT, 36)
        for x in range((y * 5) % 53 + 12, WIDTH - 70, 84)
    ]
    drops = (((k * 61 + 23) % WIDTH, (k * 97 + 41) % HEIGHT, 3 + k % 4) for k in range(34))
    # None sticks out over the edge, where there is only paper.
    bubbles = [
        circle(x, y, r, "bubble") for x, y, r in drops if r < x < WIDTH - r and r < y < HEIGHT - r
    ]
    return group(
        rect(0, 0, WIDTH, HEIGHT, "lava", rx=18),
        group(gouges(crests, 5), class_="crest"),
        group(
            gouges([(x + 9, y + 9, u + 4, v + 9) for x, y, u, v in crests[::2]], 4),
            class_="crest-2",
        ),
        *bubbles,
    )


@cache
def _paths() -> Svg:
    """Tiled planks of stone: a cream edge, ink, stone, joints."""
    ways = "".join(f"M{SPOTS[a][0]} {SPOTS[a][1]}L{SPOTS[b][0]} {SPOTS[b][1]}" for a, b in PATHS)
    layers = ("way-edge", "way-ink", "way-stone", "way-joint")
    return group(*(path(ways, name) for name in layers))


@cache
def _hole() -> Svg:
    """The pit in the middle where the stove stands."""
    x, y = STOVE
    return group(circle(x, y, 128, "pit-edge"), circle(x, y, 124, "pit ink-line"))


@cache
def _space(cell: int) -> Svg:
    x, y = SPOTS[cell]
    return placed(
        x,
        y,
        circle(0, 0, SPACE_RADIUS + 3, "edge-fill"),
        circle(0, 0, SPACE_RADIUS, "plate ink-line"),
        circle(0, 0, SPACE_RADIUS - 9, "ring-1"),
        circle(0, 0, SPACE_RADIUS - 19, "ring-2"),
    )


@cache
def corners(seats: tuple[int | None, ...]) -> Svg:
    """Starts and grills, by colour; `seats` says whose mark they bear (None: nobody's)."""
    return group(
        *(_start(c, seats[c]) for c in range(COLOURS)),
        *(_grill(c, seats[c]) for c in range(COLOURS)),
        id="kitchen-corners",
    )


def _start(colour: int, seat: int | None) -> Svg:
    """A rug with fringes, and arrows to both exits."""
    x, y = SPOTS[STARTS[colour]]
    arrows = [_arrow(STARTS[colour], to) for to in NEIGHBOURS[STARTS[colour]]]
    side = 2 * HALF_START
    return placed(
        x,
        y,
        rect(-HALF_START - 4, -HALF_START - 4, side + 8, side + 8, "edge-fill", rx=14),
        rect(-HALF_START, -HALF_START, side, side, "seat-fill ink-line", rx=11),
        rect(-HALF_START + 7, -HALF_START + 7, side - 14, side - 14, "rug", rx=7),
        *arrows,
        group(mark(seat, 34), class_="rug-mark") if seat is not None else None,
        class_=coloured("start", colour, seat),
    )


def _arrow(start: int, to: int) -> Svg:
    x, y = SPOTS[start]
    to_x, to_y = SPOTS[to]
    if to_x == x:
        turn = 90 if to_y > y else 270
    else:
        turn = 0 if to_x > x else 180
    return path("M56 -10L68 0L56 10Z", "seat-fill ink-thin", transform=f"rotate({turn})")


def _grill(colour: int, seat: int | None) -> Svg:
    """A table of glowing iron in its colour's frame."""
    x, y = SPOTS[GRILLS[colour]]
    bars = "".join(f"M{-_chord(b)} {b}H{_chord(b)}" for b in range(-32, 40, 13))
    return placed(
        x,
        y,
        circle(0, 0, GRILL_RADIUS + 3, "edge-fill"),
        circle(0, 0, GRILL_RADIUS, "seat-fill ink-line"),
        circle(0, 0, GRILL_RADIUS - 9, "embers ink-line"),
        path(bars, "grate"),
        class_=coloured("grill", colour, seat),
    )


def _chord(height: int) -> int:
    return int(((GRILL_RADIUS - 10) ** 2 - height**2) ** 0.5)
