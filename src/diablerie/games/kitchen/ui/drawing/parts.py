"""The pieces of KITCHEN: devils with and without caps, pots with their signs, menu cards.

What appears many times is drawn once in `<defs>` and referred to; colours come from where it is
used, since custom properties are inherited through `<use>`.
"""

from functools import cache

from diablerie.art import pieces, props
from diablerie.art.cut import cut
from diablerie.art.head import head
from diablerie.art.marks import SHAPES
from diablerie.art.svg import (
    Parted,
    Svg,
    circle,
    element,
    group,
    parted,
    path,
    placed,
    rect,
    svg_text,
)
from diablerie.games.kitchen.ui.drawing.layout import TAG_HALF, TAG_OFFSET

# Signs on the bellies of pots, each about 20 by 20 round (0, 0): flame, eye, bone, star.
SIGNS = (
    "M-1 -12C6 -6 9 -2 8 4C7 9 4 11 0 11C-5 11 -9 8 -8 2C-8 -1 -6 -4 -4 -6C-4 -3 -3 -2 -1 -2"
    "C-1 -5 -3 -8 -1 -12Z",
    "M-13 0Q0 -13 13 0Q0 13 -13 0ZM0 -4.500A4.5 4.5 0 1 0 0 4.500A4.5 4.5 0 1 0 0 -4.500Z",
    "M-5 -2.500H5C5 -7 8 -9 10 -7C12 -5 11 -3 9 -2C13 -1 13 4 10 5C7 6 5 4 5 2.500"
    "H-5C-5 7 -8 9 -10 7C-12 5 -11 3 -9 2C-13 1 -13 -4 -10 -5C-7 -6 -5 -4 -5 -2.500Z",
    SHAPES[4],
)
# What is on the menu, each about 36 by 36 round (0, 0): outline and what is drawn over it.
DISHES = {
    0: (
        "milk",
        "M-5 -17H5V-8C10 -5 11 -2 11 3V17H-11V3C-11 -2 -10 -5 -5 -8Z",
        "M-11 4H11M-5 -12H5",
    ),
    1: (
        "carrot",
        "M-15 14C-10 -2 -2 -9 7 -8C13 -5 12 2 6 6C0 10 -6 13 -15 14Z",
        "M7 -8L15 -17M7 -8L17 -9M7 -8L8 -18M-4 1L1 5M1 -4L6 1M-9 7L-6 10",
    ),
    3: (
        "sausage",
        "M-17 1C-12 14 12 14 17 -2C19 -9 11 -11 9 -5C5 4 -6 4 -10 -3C-13 -8 -19 -5 -17 1Z",
        "M-8 4L-5 9M0 4V10M8 2L11 7",
    ),
    5: (
        "ham",
        "M-16 3C-18 -10 -4 -16 6 -11C13 -7 12 2 6 8C0 14 -13 15 -16 3ZM8 4L15 11L18 9L19 13"
        "L16 16L12 15L13 12L6 8Z",
        "M-11 0C-10 -6 -4 -9 1 -8M-8 4C-7 0 -3 -2 0 -2",
    ),
}


@cache
def definitions(moods: frozenset[str]) -> Parted:
    """The parts used by a picture; a part of the picture each, since the moods change."""
    heads = [group(head(mood), id=f"kitchen-head-{mood}") for mood in sorted(moods)]
    signs = [path(d, id=f"kitchen-sign-{n}", fill_rule="evenodd") for n, d in enumerate(SIGNS)]
    return parted(
        "defs",
        *heads,
        group(props.toque(), id="kitchen-toque"),
        group(_bump(), id="kitchen-bump"),
        group(_pot(), id="kitchen-pot", class_="pot"),
        *signs,
        id="kitchen-parts",
    )


def use(name: str, **attrs: object) -> Svg:
    """A `<use>` of the part with this name."""
    return element("use", href=f"#kitchen-{name}", **attrs)


@cache
def _pot() -> Svg:
    return group(*_belly(), _lid())


def _belly() -> tuple[Svg, ...]:
    return (
        path(pieces.HANDLES, "pot-handle-edge"),
        path(pieces.HANDLES, "pot-handle"),
        cut(pieces.POT, "seat-fill"),
    )


def _lid() -> Svg:
    lid = cut("M-19 -8C-16 -18 16 -18 19 -8Z", "seat-fill")
    return group(lid, circle(0, -18, 3.6, "seat-fill ink-thin"))


@cache
def _open_pot(value: int) -> Svg:
    """A pot without its lid, which leans beside it; what was in it looks out."""
    return group(
        group(_lid(), transform="translate(-22 -13) rotate(-38) scale(.72)", class_="lid"),
        *_belly(),
        path("M-17.500 -8A17.5 4.5 0 0 1 17.5 -8A17.5 4.5 0 0 1 -17.5 -8Z", "black"),
        group(dish(value), transform="translate(-3 -17) scale(.66)", class_="opened"),
        path("M-17.500 -8A17.5 4.5 0 0 0 17.5 -8L17 -3H-17Z", "seat-fill ink-fine"),
        class_="pot",
    )


@cache
def _bump() -> Svg:
    """What a lost duel leaves where the cap was: a bump with a plaster on it."""
    plaster = group(
        rect(-16, -6, 32, 12, "white ink-line", rx=4), transform="translate(0 -112) rotate(-24)"
    )
    return group(path("M-27 -88C-25 -126 21 -126 24 -88Z", "skin ink-line"), plaster)


def coloured(kind: str, colour: int, seat: int | None) -> str:
    """The class of what has a colour; it is grey (`idle`) where no seat plays that colour."""
    return f"{kind} seat-{colour}" + ("" if seat is not None else " idle")


# -- devils ------------------------------------------------------------------------------------


def devil(mood: str, cap: bool | None, scale: float, **attrs: object) -> Svg:
    """A head round (0, 0), the middle of his face; `cap` is None for one that never had any."""
    worn = None if cap is None else use("toque" if cap else "bump")
    head_and_cap = placed(0, 48 * scale, use(f"head-{mood}"), worn, scale=scale)
    return group(head_and_cap, **attrs)


def badge(seat: int, number: int) -> Svg:
    """A devil's number on its seat's shape, 32 wide."""
    drop = 3 if seat == 1 else 0  # a triangle is widest below
    return group(
        path(SHAPES[seat] if seat != 5 else SHAPES[0], "badge-edge"),
        path(SHAPES[seat], "seat-fill"),
        svg_text(0, 4.6 + drop, number, "seat-text", 13),
        class_="badge",
        transform="scale(1.6)",
    )


# -- pots and cards ----------------------------------------------------------------------------


def pot(
    colour: int,
    sign: int,
    value: int | None = None,
    scale: float = 1,
    opened: bool = False,
    **attrs: object,
) -> Svg:
    """A pot with its sign, 48 wide; `value` is written beside it for who may know it.

    Drawn at a `scale`, the value is as large as ever. With `opened` the lid is off.
    """
    return group(
        _open_pot(value) if opened and value is not None else use("pot"),
        use(f"sign-{sign}", class_="seat-shape", transform="translate(0 3) scale(.86)"),
        _tag(value, scale) if value is not None else None,
        class_=f"pot-of seat-{colour}",
        **attrs,
    )


def _tag(value: int, scale: float) -> Svg:
    """The value of a pot's card, as its owner sees it: on a tag, as prices are, tied to the lid."""
    content = milk(0.5) if value == 0 else svg_text(2, 8, value, "tag-value", 23)
    right = TAG_HALF
    tag = path(f"M-11 -14H{right}V14H-11L-21 0Z", "white ink-thin", stroke_linejoin="round")
    hole = circle(-11.5, 0, 2.2, "black")
    return placed(TAG_OFFSET, -15, tag, hole, content, scale=1 / scale)


@cache
def milk(scale: float = 1) -> Svg:
    """A milk bottle."""
    return group(dish(0), transform=f"scale({scale})")


@cache
def dish(value: int) -> Svg:
    """The dish that a card of this value shows."""
    name, outline, lines = DISHES[value]
    return group(path(outline, f"dish {name} ink-thin"), path(lines, "ink-fine"))


@cache
def card(value: int) -> Svg:
    """A menu card face up, 56 by 76, its middle at (0, 0)."""
    number = None if value == 0 else svg_text(-16, -18, value, "card-value", 24)
    return group(
        rect(-28, -38, 56, 76, "white ink-line", rx=6),
        number,
        placed(2, 10, dish(value), scale=1.1),
        class_="menu-card",
    )


@cache
def open_card(colour: int, sign: int, value: int) -> Svg:
    """A card on a grill, 32 by 42: whose pot it was by colour and sign, and its value."""
    content = placed(0, 9, dish(0), scale=0.66)
    if value:
        content = svg_text(0, 18, value, "card-value", 28)
    return group(
        rect(-16, -21, 32, 42, "white ink-thin", rx=4),
        path(
            "M-14.800 -4V-17Q-14.800 -19.800 -12 -19.800H12Q14.800 -19.800 14.800 -17V-4Z",
            "seat-fill",
        ),
        use(f"sign-{sign}", class_="seat-shape", transform="translate(0 -12) scale(.62)"),
        content,
        class_=f"menu-card seat-{colour}",
    )
