"""Marks of seats beside their colour (shape, texture, dash), for people who see no colours.

0 sun (disc)   1 triangle   2 square   3 diamond   4 star   5 ring
"""

from functools import cache

from diablerie.art.svg import Svg, circle, element, group, path, rect, svg

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
SEATS = len(SHAPES)  # that can be marked
# stroke-dasharray of a line that belongs to a seat; "" is unbroken
DASHES = ("", "9 5", "2.5 5", "14 4 2.5 4", "5 3", "14 7")
# Texture: what is repeated over a surface, on a tile of 12 by 12.
TEXTURES = (
    "M3 3h.01M9 9h.01",
    "M0 12L12 0M-3 3L3 -3M9 15L15 9",
    "M0 6H12M6 0V12",
    "M0 12L12 0M0 0L12 12",
    "M0 4H12M0 10H12",
    "M4 0V12M10 0V12",
)


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


def dot(seat: int, title: str | None = None) -> Svg:
    """The token as a complete `<svg>`, for running text and the log (class `seat-dot`)."""
    return svg(34, 34, token(seat), left=-17, top=-17, class_="seat-dot", title=title)


def texture_id(prefix: str, seat: int) -> str:
    """The id of the pattern `textures(prefix)` defines for a seat."""
    return f"{prefix}-texture-{seat}"


@cache
def textures(prefix: str, seats: int = SEATS) -> Svg:
    """`<defs>` of one pattern per seat, in colour and texture; `prefix` keeps their ids apart.

    Fill with `fill="url(#PREFIX-texture-N)"`.
    """
    return element("defs", *(_pattern(prefix, seat) for seat in range(seats)))


def _pattern(prefix: str, seat: int) -> Svg:
    tile = (rect(0, 0, 12, 12, "seat-fill"), path(TEXTURES[seat], "texture"))
    return element(
        "pattern",
        *tile,
        id=texture_id(prefix, seat),
        class_=f"seat-{seat}",
        width=12,
        height=12,
        patternUnits="userSpaceOnUse",
    )
