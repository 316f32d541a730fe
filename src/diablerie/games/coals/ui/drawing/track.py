"""The track of COALS: the stones of the furnace's arch, from 0-50 on the left to 1600."""

from bisect import bisect
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from math import ceil, cos, dist, pi, sin
from typing import NamedTuple

from diablerie.art import pieces
from diablerie.art.svg import Svg, at, element, group, path, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import say

ARCH_LEFT = 46
ARCH_RIGHT = 554
ARCH_BASE = 356
ARCH_SPRING = 214
ARCH_RISE = 152
HALF_DEPTH = 30  # of a stone's depth
GAP = 1.6  # mortar
MARK_WIDTH = 1.5  # a mark's stone, against a grey one
PAWNS_ABOVE = 22  # so far above a label's line pawns stand: its digits stay whole


class Point(NamedTuple):
    """A point of the arch's middle line and its outward normal."""

    x: float
    y: float
    nx: float
    ny: float

    def out(self, depth: float) -> tuple[float, float]:
        """The point so far outside the middle line."""
        return self.x + self.nx * depth, self.y + self.ny * depth


def _line() -> list[tuple[float, float]]:
    centre = (ARCH_LEFT + ARCH_RIGHT) / 2
    half = (ARCH_RIGHT - ARCH_LEFT) / 2
    arc = [pi * i / 180 for i in range(181)]
    bow = [(centre - half * cos(a), ARCH_SPRING - ARCH_RISE * sin(a)) for a in arc]
    return [(ARCH_LEFT, ARCH_BASE), *bow, (ARCH_RIGHT, ARCH_BASE)]


ARCH_POINTS = _line()
ARCH_LENGTHS = [0.0, *accumulate(dist(a, b) for a, b in pairwise(ARCH_POINTS))]
ARCH_LENGTH = ARCH_LENGTHS[-1]


def point(along: float) -> Point:
    """The point of the arch at a distance along it, from the left foot."""
    i = min(max(bisect(ARCH_LENGTHS, along) - 1, 0), len(ARCH_POINTS) - 2)
    x, y = ARCH_POINTS[i]
    x2, y2 = ARCH_POINTS[i + 1]
    span = ARCH_LENGTHS[i + 1] - ARCH_LENGTHS[i]
    dx = (x2 - x) / span
    dy = (y2 - y) / span
    beyond = along - ARCH_LENGTHS[i]
    return Point(x + dx * beyond, y + dy * beyond, dy, -dx)


@cache
def bounds(marks: int) -> list[tuple[float, float]]:
    """Where each space begins and ends on the arch: 0-50, then a grey and a mark in turn."""
    widths = [MARK_WIDTH if i % 2 == 0 else 1.0 for i in range(2 * marks + 1)]
    unit = ARCH_LENGTH / sum(widths)
    ends = list(accumulate(w * unit for w in widths))
    return list(zip([0.0, *ends[:-1]], ends, strict=True))


@cache
def track(marks: tuple[int, ...]) -> Svg:
    """The stones of the track with their labels."""
    size = 19 if len(marks) < 9 else 16
    stones = [_stone(a, b, i % 2 == 0) for i, (a, b) in enumerate(bounds(len(marks)))]
    names = ["0–50", *marks]
    labels = []
    for i, name in enumerate(names):
        x, y = _foot(len(marks), 2 * i)
        labels.append(svg_text(x, y, name, "track-label", size))
    return group(*stones, *labels, id="coals-track")


def _foot(marks: int, space: int) -> tuple[float, float]:
    """The lower middle of a stone: a mark's label stands there, on a grey one the pawns."""
    start, end = bounds(marks)[space]
    middle = point((start + end) / 2)
    upright = abs(middle.nx) > 0.999
    return middle.x, middle.y + ((end - start) / 2 - 11 if upright else 14)


def _stone(start: float, end: float, mark: bool) -> Svg:
    depth = HALF_DEPTH if mark else HALF_DEPTH - 5
    steps = max(2, ceil((end - start) / 12))
    along = [start + GAP + (end - start - 2 * GAP) * i / steps for i in range(steps + 1)]
    outer = [point(s).out(depth) for s in along]
    inner = [point(s).out(-depth) for s in reversed(along)]
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in outer + inner) + "Z"
    return path(d, "stone mark" if mark else "stone grey")


@lru_cache(64)
def flag(marks: int, space: int, goal: int, t: Translate) -> Svg:
    """A pennant outside the arch, by the stone on which a pawn has reached the goal."""
    start, end = bounds(marks)[space]
    middle = point((start + end) / 2)
    x, y = middle.out(HALF_DEPTH)
    tip = 13 if middle.nx >= 0 else -13  # it flies away from the stones
    ends = say("The game ends when somebody owns {goal}", "C21", goal=goal)
    return group(
        element("title", t(ends)),
        path(f"M0 -24L{tip} -18L0 -12Z", "pennant"),
        path("M0 2V-25", "pole"),
        id="coals-goal",
        transform=at(x, y),
    )


@lru_cache(256)
def pawns(marks: tuple[int, ...], spaces: tuple[int, ...]) -> Svg:
    """A pawn for each seat on its space; those that share one stand in rows."""
    placed = [pawn(marks, spaces, seat) for seat in range(len(spaces))]
    ordered = sorted(placed, key=lambda spot: spot[0])  # who stands in front covers who is behind
    return group(*(drawn for _, drawn in ordered), id="coals-pawns")


def pawn(marks: tuple[int, ...], spaces: tuple[int, ...], seat: int) -> tuple[float, Svg]:
    """One of the pawns, and how far down it stands."""
    space = spaces[seat]
    x, y = _foot(len(marks), space)
    sharing = [i for i, other in enumerate(spaces) if other == space]
    wide = _width(len(marks), space)
    columns = min(len(sharing), max(2, int(wide / 20)))
    row, column = divmod(sharing.index(seat), columns)
    rows = ceil(len(sharing) / columns)
    beside = min(columns, len(sharing) - row * columns)
    x += (column - (beside - 1) / 2) * min(20, wide / columns)
    y += (row - rows + 1) * (17 if rows < 3 else 12) - (PAWNS_ABOVE if space % 2 == 0 else 0)
    drawn = group(
        pieces.pawn(seat), id=f"coals-pawn-{seat}", data_move=True, transform=at(x, y, 0, 0.82)
    )
    return y, drawn


def _width(marks: int, space: int) -> float:
    """The room for pawns side by side on a stone; a slanting one has some of both its sides."""
    start, end = bounds(marks)[space]
    middle = point((start + end) / 2)
    along = abs(middle.ny) * (end - start)
    across = abs(middle.nx) * 2 * HALF_DEPTH
    return max(along, across, 0.75 * (along + across))
