"""The look: paper-theatre parts. A cream edge, a colour slightly out of register, ink, wedge cuts.

The classes: `edge` the paper a part is cut from, `ink` its drawn line, `black` inked areas, and a
colour class (`skin`, `fur`, `horn`, …) for the flat print.
"""

from collections.abc import Iterable
from math import hypot

from diablerie.art.svg import Svg, circle, group, path, svg_number

SLIP = "translate(1.4 1)"  # how far the colour plate is off


def cut(d: str, colour: str, *over: object, **attrs: object) -> Svg:
    """A part cut out along `d`: its paper, its colour, what is drawn `over` that, its outline."""
    layers = (path(d, "edge"), path(d, colour, transform=SLIP), *over, path(d, "ink"))
    return group(*layers, **attrs)


def wedge(x1: float, y1: float, x2: float, y2: float, width: float) -> str:
    """Path data of one gouge: pointed where it starts, thickest at a third, pointed at its end."""
    dx, dy = x2 - x1, y2 - y1
    scale = width / (2 * (hypot(dx, dy) or 1))
    px, py = -dy * scale, dx * scale
    mx, my = x1 + dx * 0.34, y1 + dy * 0.34
    points = (x1, y1, mx + px, my + py, x2, y2, mx - px, my - py)
    a, b, c, d, e, f, g, h = (svg_number(round(value, 1)) for value in points)
    return f"M{a} {b}Q{c} {d} {e} {f}Q{g} {h} {a} {b}Z"


def gouges(lines: Iterable[tuple[float, float, float, float]], width: float = 3) -> Svg:
    """Several wedge cuts in ink, as one path."""
    return path("".join(wedge(*line, width) for line in lines), "black")


def pin(x: float, y: float, r: float = 3.4) -> Svg:
    """The brass pin that holds two parts of a puppet together."""
    return group(circle(x, y, r, "brass"), circle(x - r / 3, y - r / 3, r / 3, "glint"))
