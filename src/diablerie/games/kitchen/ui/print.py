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
MARK_OUT = 39  # how far right of a grill and above it its mark is, in units of the picture
CARD_SIZE = 25.0, 34.0
DEVIL_SIZE = (26.0, 34.0)
POT_SIZE = (23.5, 24.0)
STAND_FOOT = 8.0
CAP_SIZE = 15.5, 12.0
TRAY_SIZE = 122.0, 62.0
TRAY_UNITS = 384  # units of a tray as it is drawn
OVEN_SIZE = 60.0, 54.0
BUTTON_WIDE = 62.0  # the width of the stove's button
SECTORS_OUT = 28.0  # how far out the rim of its sectors is
DIE_EDGE = 18.0  # the edge of a die
GLUE_TAB = 5.0  # of its flaps for glue
NET_CELLS = ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (1, 3))  # of a die's net: column and row
NET_FACES = (0, 2, 1, 3, 4, 5)  # which face is in which cell


def printed(_: Translate) -> Printed:
    """The kitchen and all that is carried about in it."""
    colours = range(COLOURS)
    side = WIDTH + LABELS_EDGE
    grills = (_grill_mark(c) for c in colours)
    board = group(floor(), coordinates(), corners(tuple(colours)), *grills)
    return Printed(
        look="kitchen",
        parts=definitions(frozenset({"grin", "sly"})),
        boards=[
            Board(
                say("The kitchen"),
                board,
                (-LABELS_EDGE, -LABELS_EDGE, side, HEIGHT + LABELS_EDGE),
                SCALE,
                [STOVE[0]],
            )
        ],
        pieces=[
            Pieces(say("Menu cards"), _cards(), *CARD_SIZE),
            Pieces(say("Trays"), [(_tray(c), "") for c in colours], *TRAY_SIZE),
            Pieces(
                say("Devils"),
                [_devil(c, d) for c in colours for d in range(DEVILS)],
                *DEVIL_SIZE,
                Shape.STAND,
                STAND_FOOT,
            ),
            Pieces(
                say("Pots"),
                [_pot(c, sign) for c in colours for sign in range(SIGNS)],
                *POT_SIZE,
                Shape.STAND,
                STAND_FOOT,
            ),
            Pieces(
                say("Caps"),
                [_cap(c) for c in colours for _ in range(DEVILS)],
                *CAP_SIZE,
                Shape.STAND,
                0,
            ),
            Pieces(
                say("The stove and the Oberteufel"), [_stove()], *OVEN_SIZE, Shape.STAND, STAND_FOOT
            ),
            Pieces(
                say("The stove’s button"), [(_button(), "")], BUTTON_WIDE, BUTTON_WIDE, Shape.DISK
            ),
            # A die is cut out as a net: three squares wide and four high, and flaps on either side.
            Pieces(
                say("Dice"),
                [(_net(), "")] * len(DICE[0]),
                3 * DIE_EDGE + 2 * GLUE_TAB,
                4 * DIE_EDGE + 2 * GLUE_TAB,
                Shape.NET,
            ),
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
            say("Coins glued under their feet keep devils and pots standing."),
        ],
    )


def die_faces() -> list[int]:
    """The faces of a die (K2): one that shows a value with n of six is twice that value n·n times of 36."""
    both = {a: isqrt(weight) for (a, b), weight in zip(DICE, WEIGHTS, strict=True) if a == b}
    return [value for value, count in both.items() for _ in range(count)]


def _grill_mark(colour: int) -> Svg:
    """The mark of a grill's colour beside it, which a printer without colours needs."""
    x, y = SPOTS[GRILLS[colour]]
    return placed(x + MARK_OUT, y - MARK_OUT, token(colour, 13))


def _cards() -> list[Face]:
    return [
        (placed(0, 0, card(value), scale=0.43), _back(c)) for c in range(COLOURS) for value in CARDS
    ]


def _back(colour: int) -> Svg:
    """The back of a menu card: its owner's colour and mark."""
    cloth = rect(-28, -38, 56, 76, "seat-fill ink-line", rx=6)
    seam = rect(-22, -32, 44, 64, "rug", rx=4)
    return placed(0, 0, cloth, seam, mark(colour, 26), scale=0.43, class_=f"seat-{colour}")


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


def _devil(colour: int, number: int) -> Face:
    """A devil with his bump, his number and his owner's mark."""
    chest = placed(8.2, -5, badge(colour, number + 1), scale=0.2)
    faces = (_bust(colour, mood, chest) for mood in ("grin", "sly"))
    front, back = faces
    return front, back


def _bust(colour: int, mood: str, chest: Svg) -> Svg:
    face = placed(0, -15, devil(mood, False, 0.138))
    return group(
        face, placed(-8.2, -5, mark(colour, 6, "seat-fill")), chest, class_=f"devil seat-{colour}"
    )


def _pot(colour: int, sign: int) -> Face:
    drawn = group(
        placed(0, -11.3, pot(colour, sign), scale=0.44),
        placed(0, -2, mark(colour, 3.4, "seat-fill")),
        class_=f"seat-{colour}",
    )
    return drawn, drawn


def _cap(colour: int) -> Face:
    """A cap that is folded over a devil's head."""
    worn = placed(5.4, 5.4, props.toque(), scale=0.12)
    drawn = group(worn, placed(0, -1.6, mark(colour, 2, "seat-fill")), class_=f"seat-{colour}")
    return drawn, drawn


def _stove() -> Face:
    """The Oberteufel asleep in his stove, and when he jumps out of it."""
    x, y = STOVE
    oven = placed(-x * 0.27, -27.5 - y * 0.27, stove(), scale=0.27)
    asleep = group(placed(0, -21, head("sleep"), props.nightcap(), scale=0.17), class_="devil")
    fire = placed(0, -22, props.flames(50, 30))
    jumping = group(fire, placed(0, -24, head("wild"), scale=0.18, turn=-6), class_="devil")
    return group(asleep, oven), group(jumping, oven)


def _button() -> Svg:
    """A wheel to spin: at one of its sectors he jumps."""
    sectors = [_sector(k) for k in range(PATIENCE)]
    return group(
        circle(0, 0, SECTORS_OUT, "wheel ink-thin"), *sectors, placed(0, 0, button(), scale=0.35)
    )


def _sector(k: int) -> Svg:
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


def _net() -> Svg:
    """A die to fold: a cross of six faces with flaps."""
    faces = die_faces()
    left = -1.5 * DIE_EDGE
    top = -2 * DIE_EDGE
    cells = [(left + DIE_EDGE * (c + 0.5), top + DIE_EDGE * (r + 0.5)) for c, r in NET_CELLS]
    shown = (placed(x, y, _pips(faces[k])) for (x, y), k in zip(cells, NET_FACES, strict=True))
    return group(_flaps(left, top), path(_outline(left, top), "fold"), *shown)


def _pips(value: int) -> Svg:
    return group(pieces.die("wing" if value == WING else value), transform="scale(.33)")


def _outline(left: float, top: float) -> str:
    square = f"h{DIE_EDGE}v{DIE_EDGE}h{-DIE_EDGE}Z"
    return "".join(
        f"M{left + column * DIE_EDGE} {top + row * DIE_EDGE}{square}" for column, row in NET_CELLS
    )


def _flaps(left: float, top: float) -> Svg:
    """A flap at each edge that meets another only when the die is folded, one of each two."""
    up = [_flap(column, row, (1, 0), (0, -1)) for column, row in ((0, 1), (2, 1))]
    down = [_flap(column, row, (1, 0), (0, 1)) for column, row in ((0, 2), (2, 2), (1, 4))]
    side = [_flap(column, 3, (0, 1), (out, 0)) for column, out in ((1, -1), (2, 1))]
    return placed(left, top, *up, *down, *side)


def _flap(column: int, row: int, along: tuple[int, int], out: tuple[int, int]) -> Svg:
    """A flap of a die at the edge that begins in this corner of its cells, with the lines for glue."""
    tab = GLUE_TAB
    aslant = tuple(tab * (a + o) for a, o in zip(along, out, strict=True))
    back = tuple(tab * (a - o) for a, o in zip(along, out, strict=True))
    rim = tuple((DIE_EDGE - 2 * tab) * a for a in along)
    lines = (
        f"M{2 * k * along[0]} {2 * k * along[1]}l{aslant[0]} {aslant[1]}"
        for k in range(1, int((DIE_EDGE - 2 * tab) / 2) + 1)
    )
    return placed(
        column * DIE_EDGE,
        row * DIE_EDGE,
        path("".join(lines), "glue-line"),
        path(f"M0 0l{aslant[0]} {aslant[1]}l{rim[0]} {rim[1]}l{back[0]} {back[1]}", "cutting"),
    )
