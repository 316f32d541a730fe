"""Marks of seats beside their colour (shape, dash), for people who see no colours.

0 sun (disc)   1 triangle   2 square   3 diamond   4 star   5 ring
"""

from functools import cache, lru_cache

from diablerie.art.svg import Svg, circle, group, path, svg

# Each about 20 across, round (0, 0), of about the same weight to the eye.
SHAPES = (
    "M-9 0A9 9 0 1 1 9 0A9 9 0 1 1 -9 0Z",
    "M0 -11L10.5 8L-10.5 8Z",
    "M-8.5 -8.500H8.500V8.500H-8.500Z",
    "M0 -11.500L9 0L0 11.500L-9 0Z",
    "M0 -11.500L3.2 -3.800L11.2 -3.400L5 1.700L7 9.500L0 5.200L-7 9.500L-5 1.700L-11.2 -3.4"
    "L-3.2 -3.800Z",
    "M-10 0A10 10 0 1 1 10 0A10 10 0 1 1 -10 0ZM-4.5 0A4.5 4.5 0 1 0 4.5 0A4.5 4.5 0 1 0 -4.5 0Z",
)
MARKED_SEATS = len(SHAPES)  # that can be marked
# stroke-dasharray of a line that belongs to a seat; "" is unbroken
DASHES = ("", "9 5", "2.5 5", "14 4 2.5 4", "5 3", "14 7")


@cache
def mark(seat: int, size: float = 20, klass: str = "seat-shape") -> Svg:
    """The shape of a seat round (0, 0), in the ink colour of whatever seat is set around it."""
    scale = f"scale({size / 20:.3f})" if size != 20 else None
    return path(SHAPES[seat], klass, fill_rule="evenodd", transform=scale)


@cache
def token(seat: int, r: float = 14) -> Svg:
    """A disc in the seat's colour with its mark, as a group with the seat's class."""
    return group(
        circle(0, 0, r + 2, "edge-fill"),
        circle(0, 0, r, "seat-fill ink-thin"),
        mark(seat, r * 1.25),
        class_=f"seat-{seat}",
    )


@lru_cache(256)
def dot(seat: int, title: str | None = None) -> Svg:
    """The token as a complete `<svg>`, for running text and the log (class `seat-dot`)."""
    return svg(34, 34, token(seat), left=-17, top=-17, class_="seat-dot", title=title)
