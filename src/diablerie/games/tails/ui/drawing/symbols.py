"""What the picture of TAILS shows many times, drawn once: cells, lines, spades, heads.

A line is four strokes one upon another: the gap it leaves in what it crosses, its contour, its
core, and down its middle the dash that is its side's second mark. What it looks like is decided
where it is used, by the custom properties of 1-lines.css.
"""

from functools import cache
from itertools import combinations

from diablerie.art.head import head
from diablerie.art.svg import Svg, circle, element, group, path, rect
from diablerie.games.tails.rules.state import ENDS
from diablerie.games.tails.ui.drawing.layout import CORNERS, curve, dashes, outline
from diablerie.games.tails.ui.tracing import Condition

MOODS: dict[Condition, str] = {"open": "sly", "scored": "triumph", "met": "sulk"}
SPADE = "M0 -21C5 -14 10 -9 9.500 -3C9 2 3 2 0 -1.500C-3 2 -9 2 -9.500 -3C-10 -9 -5 -14 0 -21Z"
LOOP_AND_BOW = 4  # the kind 01-25-34
FLAT = ((0, 1), (2, 3), (4, 5), (0, 3), (1, 4), (2, 5))
ARROW = "M-9 -3A9.500 9.500 0 1 1 -1 9M-14 -7L-9 -2L-3 -7"


@cache
def definitions() -> Svg:
    """The `<defs>` with all parts."""
    lines = [_line(a, b) for a, b in combinations(range(ENDS), 2)]
    lines += [_line(a, b, True) for a, b in FLAT]
    heads = [group(head(mood), id=f"tails-{mood}") for mood in MOODS.values()]
    return element(
        "defs",
        path(outline(CORNERS), id="tails-cell"),
        path(SPADE, id="tails-spade"),
        *lines,
        *heads,
        *(_hatch(name, d) for name, d in HATCHES.items()),
        id="tails-parts",
    )


def _line(a: int, b: int, flat: bool = False) -> Svg:
    d = curve(a, b, flat)
    strokes = (
        path(d, "tails-gap"),
        path(d, "tails-contour"),
        path(d, "tails-core"),
        path(d, "tails-stripe", pathLength=dashes(a, b)),
    )
    return group(*strokes, id=f"tails-{'flat' if flat else 'line'}-{a}{b}")


HATCHES = {"foreign": "M0 12L12 0M-3 3L3 -3M9 15L15 9", "sector": "M3 3h.01M9 9h.01"}


def _hatch(name: str, d: str) -> Svg:
    drawn = (rect(0, 0, 12, 12, f"barred-{name}"), path(d, "hatch"))
    return element(
        "pattern",
        *drawn,
        id=f"tails-{name}",
        width=12,
        height=12,
        patternUnits="userSpaceOnUse",
    )


def use(name: str, klass: str | None = None, **attrs: object) -> Svg:
    """A `<use>` of the part with this name."""
    return element("use", href=f"#tails-{name}", class_=klass, **attrs)


def line(kind: int, a: int, b: int, klass: str, **attrs: object) -> Svg:
    """The line between two ends of a cell, on a tile of this kind."""
    ends = min(a, b), max(a, b)
    name = "flat" if kind == LOOP_AND_BOW and ends in FLAT else "line"
    return use(f"{name}-{ends[0]}{ends[1]}", klass, **attrs)


@cache
def arrow(clockwise: bool) -> Svg:
    """The arrow on a knob that turns the tile in hand."""
    flip = "scale(-1 1)" if clockwise else None
    return group(circle(0, 0, 19.5, "knob"), path(ARROW, "knob-arrow", transform=flip))
