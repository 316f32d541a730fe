"""COALS on paper."""

from diablerie.art import pieces
from diablerie.art.marks import MARKED_SEATS
from diablerie.art.svg import Svg, group, placed
from diablerie.engine.game import Translate
from diablerie.engine.paper import Board, Face, Pieces, Printed, Shape
from diablerie.engine.text import say
from diablerie.games.coals.rules.options import OPTIONS
from diablerie.games.coals.rules.state import DEVIL, FULL, LAST_MARK, VALUES
from diablerie.games.coals.ui.drawing.furnace import ARCH_BASE, fire, flag, sleeper, track, wall
from diablerie.games.coals.ui.drawing.symbols import definitions

CHIPS = {
    10: 16,
    20: 16,
    50: 8,
    100: 12,
    200: 8,
    500: 6,
    1000: 4,
}  # how many are printed; C2 sets no number
SCALE = 0.605  # millimetres for a unit of the picture
# Millimetres
COAL_WIDE = 25.0
CHIP_WIDE = 21.0
PAWN_WIDE = 22.0
PAWN_HIGH = 30.0
PAWN_FOOT = 9.0  # the height of the foot on which it stands


def printed(t: Translate) -> Printed:
    """The furnace, its coal, the chips and the pawns."""
    return Printed(
        look="coals",
        parts=definitions(frozenset({"sleep"})),
        boards=[
            Board(say("The furnace with its track"), _furnace(t), (0, 0, 600, ARCH_BASE), SCALE)
        ],
        # What has no back of its own is alike on both sides, so that it may lie either way.
        pieces=[
            Pieces(say("Pieces of coal, nine of them devils"), _coal(), COAL_WIDE, COAL_WIDE),
            Pieces(say("Chips"), _chips(), CHIP_WIDE, CHIP_WIDE),
            Pieces(
                say("Pawns"),
                [(_pawn(seat),) * 2 for seat in range(MARKED_SEATS)],
                PAWN_WIDE,
                PAWN_HIGH,
                Shape.STAND,
                PAWN_FOOT,
            ),
        ],
        making=[
            say(
                "Coal and chips are squares, for the sake of your scissors. Who has patience cuts rounds."
            ),
        ],
        household=[
            say("Matches or beans are as good as chips, one kind for 10 and another for 100."),
            say("Pull the coal from a bag, if you like; then its backs need not be printed."),
            say("Your fists hide the stakes."),
            say("A button is a pawn."),
        ],
    )


def _furnace(t: Translate) -> Svg:
    """The wall with a sleeping devil and the usual track, the flag on its last stone."""
    option = next(option for option in OPTIONS if option.name == "track")
    marks = option.default
    assert isinstance(marks, tuple)
    stones = group(track(marks), flag(len(marks), 2 * len(marks), LAST_MARK, t))
    return group(wall(), fire(), sleeper("sleep"), stones)


def _coal() -> list[Face]:
    back = placed(0, 0, pieces.coal(), scale=0.6)
    return [(_turned(kind), back) for kind, count in enumerate(FULL) for _ in range(count)]


def _turned(kind: int) -> Svg:
    face = pieces.coal_devil() if kind == DEVIL else pieces.coal_face(VALUES[kind])
    return placed(0, 0, face, scale=0.6)


def _chips() -> list[Face]:
    faces = {value: placed(0, 0, pieces.chip(value), scale=0.52) for value in CHIPS}
    return [(faces[value],) * 2 for value, count in CHIPS.items() for _ in range(count)]


def _pawn(seat: int) -> Svg:
    return placed(0, -2.4, pieces.pawn(seat), scale=0.6)
