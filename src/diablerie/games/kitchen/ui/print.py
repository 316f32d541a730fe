"""KITCHEN on paper."""

from math import cos, isqrt, pi, sin

from diablerie.art import pieces, props
from diablerie.art.head import head
from diablerie.art.marks import mark, token
from diablerie.art.svg import Svg, circle, group, path, placed, rect
from diablerie.engine.game import Translate
from diablerie.engine.paper import Board, Face, Pieces, Printed, Shape
from diablerie.engine.text import say
from diablerie.games.kitchen.rules.board import COLOURS, GRILLS
from diablerie.games.kitchen.rules.state import (
    CARDS,
    DEVILS,
    DICE,
    PATIENCE,
    SIGNS,
    WEIGHTS,
    WING,
)
from diablerie.games.kitchen.ui.drawing.floor import coordinates, corners, floor
from diablerie.games.kitchen.ui.drawing.layout import HEIGHT, LABELS_EDGE, SPOTS, STOVE, WIDTH
from diablerie.games.kitchen.ui.drawing.parts import badge, card, definitions, devil, pot
from diablerie.games.kitchen.ui.drawing.stage import button, stove
from diablerie.games.kitchen.ui.drawing.tray import tray_board

SCALE = 0.466  # millimetres for a unit of the picture
# Millimetres, width before height
CARD_SIZE = (25.0, 34.0)
DEVIL_SIZE = (26.0, 34.0)
POT_SIZE = (23.5, 24.0)
CAP_SIZE = (15.5, 12.0)
TRAY_SIZE = (122.0, 62.0)
OVEN_SIZE = (60.0, 54.0)
STAND_FOOT = 8.0  # the height of the feet on which devils, pots and the stove stand
BUTTON_WIDE = 62.0
SECTORS_OUT = 28.0  # the radius of the button's sectors
MARK_OUT = 39  # how far right of a grill and above it its mark is, in units of the picture
TRAY_UNITS = 384  # the width of a tray as it is drawn, in units of the picture


def printed(_: Translate) -> Printed:
    """The kitchen and all that is carried about in it."""
    return Printed(
        look="kitchen",
        parts=definitions(frozenset(DEVIL_MOODS)),
        boards=[_board()],
        # Stand-ups have a front and a back, the others a face alone.
        pieces=[
            Pieces(say("Menu cards"), _cards(), *CARD_SIZE),
            Pieces(say("Trays"), [(_tray(c), "") for c in range(COLOURS)], *TRAY_SIZE),
            Pieces(say("Devils"), _devils(), *DEVIL_SIZE, Shape.STAND, STAND_FOOT),
            Pieces(say("Pots"), _pots(), *POT_SIZE, Shape.STAND, STAND_FOOT),
            Pieces(say("Caps"), _caps(), *CAP_SIZE, Shape.STAND, foot=0),
            Pieces(
                say("The stove and the Oberteufel"), [_stove()], *OVEN_SIZE, Shape.STAND, STAND_FOOT
            ),
            Pieces(
                say("The stove’s button"), [(_button(), "")], BUTTON_WIDE, BUTTON_WIDE, Shape.DISK
            ),
            Pieces(say("Dice"), [(_net(), "")] * len(DICE[0]), *NET_SIZE, Shape.NET),
        ],
        making=[
            say("A cap is folded and hangs over a devil’s bump. A lost duel bares the bump."),
            say("The stove stands in the pit, asleep. When the Oberteufel jumps, turn it round."),
            say(
                "To press the button, hold a paper clip in its middle with the tip of a pencil, and flick it."
            ),
            say("A tray keeps four menu cards, face down, each below the sign of its pot."),
        ],
        household=[
            say(
                "Any two dice do: 1 and 2 count 1, 3 and 4 count 2, 5 counts 3, and 6 is the wing."
            ),
            say(
                "For a press of the button, throw three coins: if all show heads, the Oberteufel jumps."
            ),
        ],
    )


def _board() -> Board:
    """The kitchen with the letters and numbers at its edges; its sheets meet at the stove."""
    colours = range(COLOURS)
    grills = (_grill_mark(colour) for colour in colours)
    drawing = group(floor(), coordinates(), corners(tuple(colours)), *grills)
    box = (-LABELS_EDGE, -LABELS_EDGE, WIDTH + LABELS_EDGE, HEIGHT + LABELS_EDGE)
    return Board(say("The kitchen"), drawing, box, SCALE, [STOVE[0]])


def _grill_mark(colour: int) -> Svg:
    """The mark of a grill's colour beside it, which a printer without colours needs."""
    x, y = SPOTS[GRILLS[colour]]
    return placed(x + MARK_OUT, y - MARK_OUT, token(colour, 13))


# -- what is flat: menu cards and trays --------------------------------------------------------


def _cards() -> list[Face]:
    return [
        (placed(0, 0, card(value), scale=0.43), _back(c)) for c in range(COLOURS) for value in CARDS
    ]


def _back(colour: int) -> Svg:
    """The back of a menu card: dark behind value and dish, its owner's mark where the front is empty."""
    cloth = rect(-28, -38, 56, 76, "seat-fill ink-line", rx=6)
    dark = rect(-24, -34, 48, 68, "back-dark", rx=4)
    return placed(
        0, 0, cloth, dark, placed(-14, -25, token(colour, 7)), scale=0.43, class_=f"seat-{colour}"
    )


def _tray(colour: int) -> Svg:
    """Four signs, and below each the place of a card."""
    wide, _ = TRAY_SIZE
    slots = (_slot(colour, sign, -45 + 30 * sign) for sign in range(SIGNS))
    return group(
        group(
            tray_board(TRAY_UNITS),
            transform=f"translate({2 - wide / 2} 0) scale({(wide - 4) / TRAY_UNITS} 0.45)",
        ),
        *slots,
        class_=f"seat-{colour}",
    )


def _slot(colour: int, sign: int, x: float) -> Svg:
    return group(
        placed(x, -19, pot(colour, sign), scale=0.36),
        rect(x - 13, -9, 26, 35, "tray-slot", rx=2),
        placed(x, 8.5, mark(colour, 9, "seat-fill")),
    )


# -- what stands: devils with their caps, and pots ---------------------------------------------

DEVIL_MOODS = ("grin", "sly")  # in front, and at the back


def _devils() -> list[Face]:
    return [_devil(c, d) for c in range(COLOURS) for d in range(DEVILS)]


def _devil(colour: int, number: int) -> Face:
    """A devil with his bump, his number and his owner's mark."""
    chest = placed(8.2, -5, badge(colour, number + 1), scale=0.2)
    front, back = (_bust(colour, mood, chest) for mood in DEVIL_MOODS)
    return front, back


def _bust(colour: int, mood: str, chest: Svg) -> Svg:
    face = placed(0, -15, devil(mood, False, 0.138))
    return group(
        face, placed(-8.2, -5, mark(colour, 6, "seat-fill")), chest, class_=f"devil seat-{colour}"
    )


def _pots() -> list[Face]:
    """Each alike in front and at the back: its card, on its owner's tray, is the secret."""
    return [(_pot(c, sign),) * 2 for c in range(COLOURS) for sign in range(SIGNS)]


def _pot(colour: int, sign: int) -> Svg:
    return group(
        placed(0, -11.3, pot(colour, sign), scale=0.44),
        placed(0, -2, mark(colour, 3.4, "seat-fill")),
        class_=f"seat-{colour}",
    )


def _caps() -> list[Face]:
    """A cap for each devil, folded over its head."""
    return [(_cap(c),) * 2 for c in range(COLOURS) for _ in range(DEVILS)]


def _cap(colour: int) -> Svg:
    worn = placed(5.4, 5.4, props.toque(), scale=0.12)
    return group(worn, placed(0, -1.6, mark(colour, 2, "seat-fill")), class_=f"seat-{colour}")


# -- the stove, and its button to spin ---------------------------------------------------------


def _stove() -> Face:
    """The Oberteufel asleep in his stove, and when he jumps out of it."""
    x, y = STOVE
    oven = placed(-x * 0.27, -27.5 - y * 0.27, stove(), scale=0.27)
    asleep = group(placed(0, -21, head("sleep"), props.nightcap(), scale=0.17), class_="devil")
    fire = placed(0, -22, props.flames(50, 30))
    jumping = group(fire, placed(0, -24, head("wild"), scale=0.18, turn=-6), class_="devil")
    return group(asleep, oven), group(jumping, oven)


def _button() -> Svg:
    """A wheel to spin: at one of its sectors, as many as the rules have patience, he jumps."""
    sectors = [_sector(k) for k in range(PATIENCE)]
    return group(
        circle(0, 0, SECTORS_OUT, "wheel ink-thin"), *sectors, placed(0, 0, button(), scale=0.35)
    )


def _sector(k: int) -> Svg:
    """One sector, drawn at the top and turned to its place: its edge, and smoke or the devil."""
    turn = 360 * k / PATIENCE
    edge = pi * (0.5 - 1 / PATIENCE)
    line = path(
        f"M0 0L{SECTORS_OUT * cos(edge):.2f} {-SECTORS_OUT * sin(edge):.2f}", "ink-thin wheel-line"
    )
    if k:
        puff = placed(0, -18, circle(0, 0, 26, "puff"), circle(24, 10, 14, "puff"), scale=0.1)
        return placed(0, 0, line, puff, turn=turn)
    out = placed(0, -13, head("wild"), scale=0.085, class_="devil")
    return placed(0, 0, line, out, turn=turn)


# -- a die to fold: a cross of six squares, with flaps for glue --------------------------------

DIE_EDGE = 18.0  # millimetres
GLUE_TAB = 5.0  # how far its flaps stand out
GLUE_LINES_APART = 2
NET_SIZE = (3 * DIE_EDGE + 2 * GLUE_TAB, 4 * DIE_EDGE + 2 * GLUE_TAB)  # three squares by four
NET_CELLS = ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (1, 3))  # column and row of each square
NET_FACES = (0, 2, 1, 3, 4, 5)  # which face is in which square
RIGHT = (1, 0)
LEFT = (-1, 0)
UP = (0, -1)
DOWN = (0, 1)
# A flap at each edge that meets another only when the die is folded, one of each two: the column and
# row of its corner, the way along the edge, and the side of the edge that it is on.
FLAPS = (
    (0, 1, RIGHT, UP),
    (2, 1, RIGHT, UP),
    (0, 2, RIGHT, DOWN),
    (2, 2, RIGHT, DOWN),
    (1, 4, RIGHT, DOWN),
    (1, 3, DOWN, LEFT),
    (2, 3, DOWN, RIGHT),
)


def _net() -> Svg:
    faces = die_faces()
    shown = (
        placed(*_on_net(column + 0.5, row + 0.5), _pips(faces[k]))
        for (column, row), k in zip(NET_CELLS, NET_FACES, strict=True)
    )
    flaps = (_flap(*flap) for flap in FLAPS)
    squares = "".join(_square(*cell) for cell in NET_CELLS)
    return group(*flaps, path(squares, "fold"), *shown)


def die_faces() -> list[int]:
    """The faces of a die (K2): one that shows a value with n of six is twice that value n·n times of 36."""
    both = {a: isqrt(weight) for (a, b), weight in zip(DICE, WEIGHTS, strict=True) if a == b}
    return [value for value, count in both.items() for _ in range(count)]


def _pips(value: int) -> Svg:
    return group(pieces.die("wing" if value == WING else value), transform="scale(.33)")


def _on_net(column: float, row: float) -> tuple[float, float]:
    """A point of the net's grid, whose middle is at (0, 0), in millimetres."""
    return (column - 1.5) * DIE_EDGE, (row - 2) * DIE_EDGE


def _square(column: int, row: int) -> str:
    x, y = _on_net(column, row)
    return f"M{x} {y}h{DIE_EDGE}v{DIE_EDGE}h{-DIE_EDGE}Z"


def _flap(column: int, row: int, along: tuple[int, int], out: tuple[int, int]) -> Svg:
    """Out from the edge at 45 degrees, along it, and back; with the lines that ask for glue."""
    ax, ay = along
    ox, oy = out
    rim = DIE_EDGE - 2 * GLUE_TAB
    aslant = f"l{GLUE_TAB * (ax + ox)} {GLUE_TAB * (ay + oy)}"
    back = f"l{GLUE_TAB * (ax - ox)} {GLUE_TAB * (ay - oy)}"
    starts = range(GLUE_LINES_APART, int(rim) + 1, GLUE_LINES_APART)
    lines = "".join(f"M{start * ax} {start * ay}{aslant}" for start in starts)
    outline = f"M0 0{aslant}l{rim * ax} {rim * ay}{back}"
    return placed(*_on_net(column, row), path(lines, "glue-line"), path(outline, "cutting"))
