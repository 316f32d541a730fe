"""Where the words of a drawing are, worked out from the drawing itself: no browser is asked."""

import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import combinations
from math import cos, radians, sin
from re import findall
from typing import NamedTuple

SVG = "{http://www.w3.org/2000/svg}"
BROAD, NARROW = 0.7, 0.52  # breadth of a digit in a bold serif, and of letters, in their height
ANCHORS = {"place-name": 0.0, "place-note": 1.0, "night-count": 1.0, "odds": 0.0, "snore": 0.0}
Matrix = tuple[float, float, float, float, float, float]


class Box(NamedTuple):
    """A text, and the edges of what it takes in units of the drawing."""

    words: str
    left: float
    top: float
    right: float
    bottom: float
    size: float  # height of its letters


class Layer(NamedTuple):
    """Texts that are seen together: always, or (`when`) once something is chosen."""

    when: str
    boxes: tuple[Box, ...]


CHOSEN = ("data-for", "data-fan-of")  # what the script shows, one at a time


@lru_cache(4096)
def layers(part: str, hidden: Collection[str] = ()) -> tuple[Layer, ...]:
    """The texts of a part of a drawing, but for those of classes that a phone does not show."""
    if "<text" not in part:
        return ()
    found: dict[str, list[Box]] = {"": []}
    for when, box in _walk(ET.fromstring(f"<g>{part}</g>"), (1, 0, 0, 1, 0, 0), "", hidden):
        found.setdefault(when, []).append(box)
    return tuple(Layer(when, tuple(boxes)) for when, boxes in found.items())


def _walk(
    element: ET.Element, around: Matrix, when: str, hidden: Collection[str]
) -> Iterator[tuple[str, Box]]:
    if element.tag in ("title", "defs") or (element.get("class") or "") in hidden:
        return
    transform = element.get("transform")
    here = _times(around, _matrix(transform)) if transform else around
    when = next((f"{name}={element.get(name)}" for name in CHOSEN if element.get(name)), when)
    if element.tag == "text" and (words := "".join(element.itertext()).strip()):
        yield when, _box(element, words, here)
    for child in element:
        yield from _walk(child, here, when, hidden)


def _box(element: ET.Element, words: str, m: Matrix) -> Box:
    size, name = float(element.get("font-size", 18.5)), (element.get("class") or "").split(" ")[0]
    wide = size * sum(BROAD if c.isdigit() or c.isupper() else NARROW for c in words)
    left = float(element.get("x", 0)) - wide * ANCHORS.get(name, 0.5)
    top = float(element.get("y", 0)) - 0.76 * size  # digits stand on the line
    corners = [(left + i * wide, top + j * 0.78 * size) for i in (0, 1) for j in (0, 1)]
    xs, ys = zip(
        *((m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]) for x, y in corners), strict=True
    )
    return Box(
        words, min(xs), min(ys), max(xs), max(ys), size * abs(m[0] * m[3] - m[1] * m[2]) ** 0.5
    )


@lru_cache(4096)
def _matrix(transform: str) -> Matrix:
    whole: Matrix = (1, 0, 0, 1, 0, 0)
    for kind, told in findall(r"(\w+)\(([^)]*)\)", transform):
        n = [float(x) for x in told.replace(",", " ").split()]
        if kind == "translate":
            one: Matrix = (1, 0, 0, 1, n[0], n[1] if len(n) > 1 else 0)
        elif kind == "scale":
            one = (n[0], 0, 0, n[-1], 0, 0)
        else:
            turn = radians(n[0])
            one = (cos(turn), sin(turn), -sin(turn), cos(turn), 0, 0)
        whole = _times(whole, one)
    return whole


def _times(p: Matrix, q: Matrix) -> Matrix:
    return (
        p[0] * q[0] + p[2] * q[1], p[1] * q[0] + p[3] * q[1],
        p[0] * q[2] + p[2] * q[3], p[1] * q[2] + p[3] * q[3],
        p[0] * q[4] + p[2] * q[5] + p[4], p[1] * q[4] + p[3] * q[5] + p[5],
    )  # fmt: skip


def meeting(boxes: Collection[Box]) -> list[tuple[Box, Box]]:
    """Pairs of texts that lie on each other."""
    return [
        (a, b)
        for a, b in combinations(sorted(boxes, key=lambda box: box.left), 2)
        if b.left < a.right and a.top < b.bottom and b.top < a.bottom
    ]
