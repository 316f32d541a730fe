"""Where things lie in the picture of TAILS, computed from the hexagon of `state`.

Everything in a cell is drawn for a cell with its point up, round its middle; for one with its point
down it is turned by half a turn, which takes side k to side k.
"""

from collections.abc import Sequence
from functools import cache
from math import atan2, ceil, cos, degrees, hypot, pi, sin
from typing import NamedTuple

from diablerie.art.svg import at, svg_number
from diablerie.games.tails.rules.state import (
    BORDER,
    ENDS,
    PLACES,
    SIDE,
    Point,
    corners,
    end_point,
    middle,
    points_up,
)

WIDTH = 600
HEIGHT = 560
MARGIN = 7  # at the left and the right, where a phone's board touches the window's edges
CELL_EDGE = 80  # of a cell
# Length of a curve's handles, as a share of the way between its ends. A loop and a bow that lie
# beside each other on one tile are flatter, so that they do not touch.
LOOP_HANDLE = 0.66
BEND_HANDLE = 0.4
FLAT_LOOP = 0.4
FLAT_BEND = 0.1
MOST_ENLARGED = 1.6  # how much a short line is enlarged where it is shown alone
DASH = 14  # a dash and its gap

UP = next(c for c, place in enumerate(PLACES) if points_up(place))


def pixel(point: Point) -> Point:
    """A point of the board in the picture."""
    return (WIDTH / 2 + CELL_EDGE * point[0], HEIGHT / 2 + CELL_EDGE * point[1])


def turn(cell: int) -> int:
    """How far what is drawn in a cell is turned."""
    return 0 if points_up(PLACES[cell]) else 180


@cache
def cell_transform(cell: int) -> str:
    """The transform that takes a drawing to a cell."""
    return at(*pixel(middle(cell)), turn(cell))


def point(cell: int, fraction: float = 1.0) -> Point:
    """Where a cell has its point, or what lies at this fraction of the way from its middle."""
    x, y = pixel(middle(cell))
    dx, dy = CORNERS[0]
    return (x + dx * fraction, y + (-dy if turn(cell) else dy) * fraction)


# -- inside a cell -----------------------------------------------------------------------------


def _local(point: Point) -> Point:
    x, y = middle(UP)
    return (CELL_EDGE * (point[0] - x), CELL_EDGE * (point[1] - y))


CORNERS = [_local(corner) for corner in corners(UP)]
ENDS_AT = [_local(end_point(UP, end)) for end in range(ENDS)]


def inward(end: int) -> Point:
    """The direction into the cell at one of its ends."""
    ax, ay = CORNERS[end // 2]
    bx, by = CORNERS[(end // 2 + 1) % 3]
    return (-(by - ay) / CELL_EDGE, (bx - ax) / CELL_EDGE)


def chord(a: int, b: int) -> float:
    """How far two ends of a cell are apart."""
    ax, ay = ENDS_AT[a]
    bx, by = ENDS_AT[b]
    return hypot(bx - ax, by - ay)


def curve(a: int, b: int, flat: bool = False) -> str:
    """The line between two ends: a cubic that meets both sides at right angles."""
    points = _handles(a, b, flat)
    (start, *rest) = [f"{svg_number(round(x, 2))} {svg_number(round(y, 2))}" for x, y in points]
    return f"M{start}C{' '.join(rest)}"


def _handles(a: int, b: int, flat: bool = False) -> list[Point]:
    """Both ends, and between them the handles of their curve."""
    loop, bend = (FLAT_LOOP, FLAT_BEND) if flat else (LOOP_HANDLE, BEND_HANDLE)
    handle = chord(a, b) * (loop if a // 2 == b // 2 else bend)
    return [ENDS_AT[a], _step(a, handle), _step(b, handle), ENDS_AT[b]]


def way(
    pieces: Sequence[tuple[int, int, int]], box: tuple[float, float, float, float]
) -> tuple[str, str]:
    """A line on the board and the cells that it crosses, as large as fits into a box.

    pieces: a cell and the two ends that the line joins there. box: left, top, width and height.
    Both are path data without spaces.
    """
    crossed = dict.fromkeys(cell for cell, _, _ in pieces)  # each once, in the line's order
    cells = [_in_picture(cell, CORNERS) for cell in crossed]
    xs, ys = zip(*(corner for corners in cells for corner in corners), strict=True)
    scale = min(MOST_ENLARGED, box[2] / (max(xs) - min(xs)), box[3] / (max(ys) - min(ys)))

    def put(points: Sequence[Point]) -> list[str]:
        return [
            f"{box[0] + box[2] / 2 + scale * (x - (min(xs) + max(xs)) / 2):.0f},"
            f"{box[1] + box[3] / 2 + scale * (y - (min(ys) + max(ys)) / 2):.0f}"
            for x, y in points
        ]

    # Pieces follow each other, so each curve begins where the last one ended.
    lines = [put(_in_picture(cell, _handles(a, b))) for cell, a, b in pieces]
    line = "".join(f"C{','.join(points[1:])}" for points in lines)
    return f"M{lines[0][0]}{line}", "".join(f"M{'L'.join(put(corners))}Z" for corners in cells)


def _in_picture(cell: int, points: Sequence[Point]) -> list[Point]:
    """Points round the middle of a cell, in the picture."""
    x, y = pixel(middle(cell))
    sign = -1 if turn(cell) else 1
    return [(x + sign * px, y + sign * py) for px, py in points]


def dashes(a: int, b: int) -> int:
    """The length to give a line, a whole number of dashes, so that they go on beyond the cell."""
    return DASH * max(2, ceil(chord(a, b) * (1.9 if a // 2 == b // 2 else 1.05) / DASH - 0.5))


def _step(end: int, far: float) -> Point:
    x, y = ENDS_AT[end]
    dx, dy = inward(end)
    return (x + far * dx, y + far * dy)


def tip(at_: int) -> str:
    """The transform of a spade that points into a cell at one of its ends: 6·cell + end."""
    cell, end = divmod(at_, ENDS)
    return f"{cell_transform(cell)} {at(*ENDS_AT[end], heading(inward(end)), 0.75)}"


def heading(direction: Point) -> float:
    """How far to turn what points up, so that it points there."""
    return degrees(atan2(direction[0], -direction[1]))


# -- round the border --------------------------------------------------------------------------


class Post(NamedTuple):
    """One outer edge: where body and tail end lie, and which ways are out and along."""

    body: Point
    tail: Point
    out: Point
    along: Point

    def by(self, out: float, along: float = 0) -> Point:
        """A point so far out from the body, and so far along towards the tail end."""
        return (
            self.body[0] + out * self.out[0] + along * self.along[0],
            self.body[1] + out * self.out[1] + along * self.along[1],
        )


def _post(cell: int, side: int) -> Post:
    body, tail = (pixel(end_point(cell, 2 * side + k)) for k in (0, 1))
    along = ((tail[0] - body[0]) * 3 / CELL_EDGE, (tail[1] - body[1]) * 3 / CELL_EDGE)
    return Post(body, tail, (along[1], -along[0]), along)


POSTS = [_post(cell, side) for cell, side in BORDER]


def rim(beyond: float) -> list[Point]:
    """The corners of the hexagon, and so much beyond them."""
    size = SIDE + beyond / CELL_EDGE
    return [pixel((size * cos(k * pi / 3), size * sin(k * pi / 3))) for k in range(6)]


def outline(points: list[Point]) -> str:
    """Path data of a closed figure."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
