"""UNDERWORLD on paper."""

from diablerie.art import marks
from diablerie.art.svg import Svg, group, placed, rect
from diablerie.engine.game import Translate
from diablerie.engine.paper import Board, Face, Pieces, Printed, Shape
from diablerie.engine.text import say
from diablerie.games.underworld.rules.notation import LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import (
    DEVIL,
    DEVILS,
    LETTERS,
    PEGS,
    SIDE,
    SPACES,
    TOWERS,
)
from diablerie.games.underworld.ui.drawing import disk_body, soil
from diablerie.games.underworld.ui.drawing.around import SLOT, missing, peg
from diablerie.games.underworld.ui.drawing.cards import (
    CARD,
    definitions,
    drawn_back,
    face,
    ground,
    use,
)
from diablerie.games.underworld.ui.drawing.spots import BOARD_LEFT, BOARD_TOP, PITCH, space_corner
from diablerie.games.underworld.ui.view import Card, Space, ground_of

SCALE = 0.425  # millimetres for a unit of the picture
COLOURS = DEVIL // LETTERS
CARD_CUT = CARD * SCALE + 0.4
DISK_WIDE = 28.0
PEG_WIDE = 15.0
DEVIL_WIDE = 18.0
DEVIL_HIGH = 22.0
DEVIL_FOOT = 8.0
TRAY_SIZE = 116.0, 22.0
SOIL_AROUND = 5  # units of soil round the spaces


def printed(t: Translate) -> Printed:
    """The underworld, its cards, disks, letters and devils."""
    size = SIDE * PITCH + 2 * SOIL_AROUND
    box = (BOARD_LEFT - SOIL_AROUND, BOARD_TOP - SOIL_AROUND, size, size)
    spaces = (placed(*space_corner(i), ground(_space(i), PEGS)) for i in range(SPACES))
    board = group(soil(), *spaces)
    colours = range(COLOURS)
    return Printed(
        look="underworld",
        parts=definitions(),
        boards=[Board(say("The underworld"), board, box, SCALE, [BOARD_LEFT + 4 * PITCH])],
        pieces=[
            Pieces(say("Cards"), _cards(), CARD_CUT, CARD_CUT),
            Pieces(
                say("Letters"),
                [_peg(c, k) for c in colours for k in LETTER_NAMES],
                PEG_WIDE,
                PEG_WIDE,
            ),
            Pieces(say("Trays for the letters"), [(_tray(c, t), "") for c in colours], *TRAY_SIZE),
            Pieces(
                say("Disks"),
                [(placed(0, 0, _disk(c), scale=0.4), "") for c in colours],
                DISK_WIDE,
                DISK_WIDE,
                Shape.DISK,
            ),
            Pieces(
                say("Devils"),
                # As many devils as pegs (U4).
                [_devil() for _ in range(PEGS)],
                DEVIL_WIDE,
                DEVIL_HIGH,
                Shape.STAND,
                DEVIL_FOOT,
            ),
        ],
        making=[
            say("A disk walks over the board; its letters lie on the tray before its player."),
        ],
        household=[
            say("Buttons are as good as disks, and four dried chillies as good as devils."),
            say("A cloth under the board keeps the cards from sliding when somebody swaps them."),
        ],
    )


def _space(i: int) -> Space:
    return Space(SPACE_NAMES[i], ground_of(i), None, None, (), (), None)


def _cards() -> list[Face]:
    """Every card there is (U3)."""
    letters = [Card("letter", k, c) for c in range(COLOURS) for k in LETTER_NAMES]
    others = [Card("devil")] * DEVILS + [Card("tower")] * TOWERS
    return [(_card(face(card, COLOURS, True)), _card(drawn_back())) for card in letters + others]


def _card(drawn: Svg) -> Svg:
    return placed(-CARD * SCALE / 2, -CARD * SCALE / 2, drawn, scale=SCALE)


def _peg(colour: int, letter: str) -> Face:
    """A letter and its owner's mark, the same on both sides."""
    size = 0.4
    ground, text = peg(letter)
    # The mark has the letter's colour, so the letter makes room for it.
    beside = placed(-4, -3, text)
    mark = placed(26.5, 26.5, marks.mark(colour, 7.5))
    drawn = placed(-SLOT * size / 2, -SLOT * size / 2, ground, beside, mark, scale=size)
    return (group(drawn, class_=f"seat-{colour}"),) * 2


def _disk(colour: int) -> Svg:
    return group(disk_body(colour, "", False), class_=f"disk seat-{colour}")


def _tray(colour: int, t: Translate) -> Svg:
    """Room for six letters, and for a devil at the owner's mark."""
    wide, high = TRAY_SIZE
    slots = [missing("", k, t, f"translate({44 + 39 * i} -17)") for i, k in enumerate(LETTER_NAMES)]
    return group(
        rect(-wide / 2 + 1, -high / 2 + 1, wide - 2, high - 2, "tray-edge", rx=3),
        placed(-wide / 2 + 2, 0, placed(20, 0, marks.token(colour, 16)), *slots, scale=0.4),
        class_=f"player-place seat-{colour}",
    )


def _devil() -> Face:
    return (placed(0, -4.6, use("head-wild"), scale=0.105, class_="devil"),) * 2
