"""Parts that look cut from printed paper: a cream edge, a flat colour slightly aside, ink, cuts.

Their CSS classes: `edge` is the paper, `ink` the outline, `black` inked areas, and a colour class
(`skin`, `fur`, `horn`, …) the flat colour.
"""

from collections.abc import Iterable
from math import hypot

from diablerie.art.svg import Svg, circle, group, path, svg_number

COLOUR_SLIP = "translate(1.4 1)"  # how far the colour is printed aside of the outline


def cut(d: str, colour: str, *over: object, **attrs: object) -> Svg:
    """A part with the outline `d` (path data): paper, colour, the elements of `over`, ink."""
    layers = (path(d, "edge"), path(d, colour, transform=COLOUR_SLIP), *over, path(d, "ink"))
    return group(*layers, **attrs)


def wedge(x1: float, y1: float, x2: float, y2: float, width: float) -> str:
    """Path data of one cut: pointed at both ends, `width` thick after a third of its length."""
    dx = x2 - x1
    dy = y2 - y1
    scale = width / (2 * (hypot(dx, dy) or 1))
    px = -dy * scale
    py = dx * scale
    mx = x1 + dx * 0.34
    my = y1 + dy * 0.34
    points = (x1, y1, mx + px, my + py, x2, y2, mx - px, my - py)
    a, b, c, d, e, f, g, h = (svg_number(round(value, 1)) for value in points)
    return f"M{a} {b}Q{c} {d} {e} {f}Q{g} {h} {a} {b}Z"


def gouges(lines: Iterable[tuple[float, float, float, float]], width: float = 3) -> Svg:
    """Several wedge cuts in ink, as one path."""
    return path("".join(wedge(*line, width) for line in lines), "black")


def pin(x: float, y: float, r: float = 3.4) -> Svg:
    """The brass pin that holds two parts of a puppet together."""
    return group(circle(x, y, r, "brass"), circle(x - r / 3, y - r / 3, r / 3, "glint"))
