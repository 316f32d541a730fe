"""Pieces of all four games: groups around (0, 0), unless a docstring says otherwise.

They know no rules: the caller passes what is written on them, and places them in a group with an id.
"""

from functools import cache

from diablerie.art.cut import cut, gouges
from diablerie.art.head import head
from diablerie.art.marks import mark
from diablerie.art.svg import Svg, circle, group, path, placed, rect, svg_text

CHIPS = (1000, 500, 200, 100, 50, 20, 10)
LUMPS = (
    "M-17 3L-12 -11L2 -15L15 -8L18 5L8 14L-9 14Z",
    "M-16 -4L-5 -14L11 -13L18 1L11 13L-6 15L-17 8Z",
    "M-18 1L-9 -13L6 -15L17 -5L16 9L3 15L-13 12Z",
)
FACETS = (
    "M-12 -11L-3 -4L2 -15M-3 -4L15 -8M-17 3L-3 -4",
    "M-5 -14L-2 -5L11 -13M-2 -5L-16 -4M-2 -5L18 1",
    "M-9 -13L-1 -5L6 -15M-1 -5L17 -5M-18 1L-1 -5",
)


@cache
def coal(turn: int = 0) -> Svg:
    """A piece of coal face down, 36 wide."""
    kind = turn % 3
    lump = cut(LUMPS[kind], "fur", path(FACETS[kind], "cut-light"))
    return group(lump, transform=f"rotate({turn * 37 % 360})", class_="coal")


@cache
def coal_face(value: int) -> Svg:
    """A piece of coal face up, 36 wide, with its value; high values glow."""
    heat = "warm" if value >= 25 else "dull"
    if value >= 75:
        heat = "hot"
    size = 18  # 11 pixels on a phone
    tight = {"textLength": 27, "lengthAdjust": "spacingAndGlyphs"} if value >= 100 else {}
    glow = path("M-14 2.6L-10 -8.8L2 -12.2L12.2 -6.6L14.6 4.2L6.8 11.2L-7.4 11.2Z", f"heat {heat}")
    face = cut(LUMPS[0], "fur", glow)
    return group(
        face,
        svg_text(0.3, 5.6, value, f"coal-value {heat}", size, **tight),
        class_="coal",
    )


@cache
def coal_devil() -> Svg:
    """The devil among the pieces of coal, 36 wide."""
    face = placed(0, 12, head("wild"), scale=0.16)
    return group(cut(LUMPS[0], "heat hot", face), class_="coal devil")


@cache
def chip(value: int, r: float = 17) -> Svg:
    """A chip seen from above with its value."""
    size = r * (0.72 if value < 1000 else 0.6)
    return group(_disc(value, r), svg_text(0, size * 0.36, value, "chip-value", size))


def _disc(value: int, r: float) -> Svg:
    return group(
        circle(0, 0, r + 1.6, "edge-fill"),
        circle(0, 0, r, f"chip-{value} ink-thin"),
        circle(0, 0, r * 0.86, "chip-notches", stroke_width=r * 0.26),
        circle(0, 0, r * 0.66, f"chip-{value} ink-thin"),
        class_="chip",
    )


def change(amount: int) -> list[int]:
    """The fewest chips that make an amount, large ones first."""
    chips = []
    for value in CHIPS:
        chips += [value] * (amount // value)
        amount %= value
    return chips


@cache
def chips(amount: int, r: float = 11, most: int = 7) -> Svg:
    """An amount as overlapping chips, the first round (0, 0), the rest to the right."""
    values = enumerate(change(amount)[:most])
    return group(*(placed(i * r * 0.9, 0, _disc(value, r)) for i, value in values))


PAWN = "M-11 4C-11 -4 -5 -6 -4 -16C-9 -18 -9 -22 -5 -23H5C9 -22 9 -18 4 -16C5 -6 11 -4 11 4Z"


@cache
def pawn(seat: int) -> Svg:
    """A pawn standing on (0, 0), 24 wide and 44 high, with its seat's mark on its head."""
    ball = group(
        circle(0, -30, 12.6, "edge-fill"),
        circle(0, -30, 10.6, "seat-fill ink-thin"),
        placed(0, -30, mark(seat, 13)),
    )
    foot = cut(PAWN, "seat-fill", gouges([(6, -3, 3, -14), (9, 1, 5, -6)], 2))
    return group(foot, ball, class_=f"pawn seat-{seat}")


@cache
def die(face: object, size: float = 44) -> Svg:
    """A die showing pips (1 to 3), a number, or "wing"."""
    half = size / 2
    body = group(
        rect(-half - 2, -half - 2, size + 4, size + 4, "edge-fill", rx=size * 0.22),
        rect(-half, -half, size, size, "white ink-line", rx=size * 0.18),
        path(f"M{half - 3} {-half + 8}V{half - 8}M{half - 7} {-half + 14}V{half - 12}", "ink-fine"),
    )
    return group(body, _face(face, size), class_="die")


WING = (
    "M-15 10C-16 -2 -8 -14 14 -16C11 -12 10 -11 6 -9C11 -9 12 -9 14 -10C11 -4 9 -3 4 -2"
    "C8 -2 9 -2 11 -2C7 5 1 7 -4 6C-6 9 -10 11 -15 10Z"
)


def _face(face: object, size: float) -> Svg:
    if face == "wing":
        feathers = path("M-12 7C-8 -2 0 -8 8 -12M-8 4C-3 0 2 -2 7 -4", "cut-light")
        return group(path(WING, "black"), feathers, transform=f"scale({size / 44:.2f})")
    step = size * 0.24
    places = {1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1))}
    if not isinstance(face, int) or face not in places:
        return svg_text(0, size * 0.2, face, "die-value", size * 0.56)
    return group(*(circle(x * step, y * step, size * 0.1, "black") for x, y in places[face]))


POT = "M-17 -8H17C19 6 14 14 9 15H-9C-14 14 -19 6 -17 -8Z"
HANDLES = "M-17 -3C-26 -4 -26 7 -17 6M17 -3C26 -4 26 7 17 6"
