"""The lesson of TAILS: the first tiles of a game, and the last three of another."""

from diablerie.engine.lesson import Glance, Lesson, LessonStep, Scene
from diablerie.engine.record import Record
from diablerie.engine.text import say
from diablerie.games.tails.rules.board import COPIES, TURNS, TWIN, mask_of
from diablerie.games.tails.rules.state import Node

# Cell by cell: a free one is a dot, a tile the letter of its `board.code`, from a on.
LATE = "sakada.mgrdomd.kglodqgjpraskttaogkqkggo.qsdkdndadgmrgs"


def late(s: Record) -> None:
    """Three cells are left, and the learner's forced tile is to be turned up."""
    codes = [ord(letter) - ord("a") if letter != "." else -1 for letter in LATE]
    for cell, code in enumerate(codes):
        s.laid[cell] = code
    for kind in range(len(s.stock)):
        s.stock[kind] = COPIES - sum(code // TURNS == kind for code in codes)
    s.free = mask_of(cell for cell, code in enumerate(codes) if code < 0)
    s.count = sum(code >= 0 for code in codes)
    s.last = TWIN[LATE.index(".")]
    s.cell, s.forced, s.node = TWIN[s.last], 1, Node.TILE


SCENES = {
    "first tiles": Scene(seats=2, script="first 0"),
    "last tiles": Scene(seats=2, arrange=late, script="tile 02-14-35"),
}

STEPS = (
    LessonStep(
        say("Long tails win"),
        say(
            "Your devils sit along the upper edge, A to I; the others are Cinder’s. From each "
            "devil a tail winds over the tiles, and it counts one point a tile once it comes out "
            "at the edge. Three tiles are missing here, and you are behind: 19 to 50."
        ),
        scene="last tiles",
    ),
    LessonStep(
        say("First the cell"),
        say(
            "Back to the beginning: the board is empty, and you begin. You name a cell first and "
            "only then see the tile that comes there. A good one lies before a devil of yours."
        ),
        say("Choose the glowing cell before your devil G (far 1)."),
        ("far 1",),
        say("You may choose that cell. Here take the one before your devil G: far 1."),
        "tile 01-24-35",
        scene="first tiles",
    ),
    LessonStep(
        say("Then the tile"),
        say(
            "This tile has come. You cannot refuse it, but you can turn it: click it on the "
            "board, or take a button, and see where the lines lead."
        ),
        say("Lay it turned twice, so that G’s tail goes on inwards."),
        ("lay 2",),
        say("You may lay it so, but then G’s tail does not go where we want it. Turn it further."),
        "tile 05-12-34, 1 lay 0, 1 near 9, tile 03-14-25, 1 lay 0, tile 01-23-45",
    ),
    LessonStep(
        say("The forced tile"),
        say(
            "Every number stands on two cells, twins across the board. Cinder laid the last tile "
            "on a 9, so your next tile must go on the other 9. This one looks the same "
            "however it is turned."
        ),
        say("Lay it on far 9."),
        ("lay 0",),
        then="",
    ),
    LessonStep(
        say("The first three points"),
        say(
            "G’s tail is closed: it crosses far 1, far 9 and far 1 again, three points. After the "
            "forced tile you choose a cell again. Never one before a devil of the other side!"
        ),
        say("Choose the cell before your devil H (far 8)."),
        ("far 8",),
        say("That cell is allowed. Here take the one before H: far 8."),
        "tile 02-15-34",
    ),
    LessonStep(
        say("As you like it"),
        say("Now you know a whole turn: one forced tile, one where you choose the cell."),
        say("Turn this tile as you like, and lay it."),
        ("lay 0", "lay 1", "lay 2"),
    ),
    LessonStep(
        say("Nearly full"),
        say(
            "Here is the end of another game again: three tiles to go, 19 to 50. Your forced tile "
            "lies on far 1."
        ),
        say("Lay it turned twice: that opens a long way."),
        ("lay 2",),
        say("You may, but this way the long tail you need stays shut. Turn it twice."),
        scene="last tiles",
    ),
    LessonStep(
        say("Two twins are left"),
        say(
            "The two last cells are both a 9. The one you do not choose is Cinder’s forced cell "
            "at the very end."
        ),
        say("Choose the upper one, far 9."),
        ("far 9",),
        say("Also allowed, but your tails run through the upper one: far 9."),
        "tile 02-15-34",
    ),
    LessonStep(
        say("The tile that decides"),
        say("One way of laying it closes a long tail of yours; the other two lose you the game."),
        say("Lay it as it is."),
        ("lay 0",),
        say("Allowed, but then it ends 40 to 50. Lay it as it came."),
        "tile 02-15-34, 1 lay 0",
    ),
    LessonStep(
        say("You have won"),
        say(
            "The hexagon is full, your tails are 68 tiles long, Cinder’s 50. You have learnt "
            "TAILS. Three play without twins; four play in pairs, those opposite each other."
        ),
    ),
)

GLANCE = (
    Glance(
        say("The goal"),
        say(
            "Make the tails of your devils as long as you can. A tail counts one point a tile, "
            "and a tile again each time the tail comes back to it."
        ),
        1,
    ),
    Glance(
        say("A turn"),
        say(
            "Your first tile must go on the twin of the last one laid: the other cell with its "
            "number. For the second you name a free cell, then turn the tile and lay it any way "
            "round. With three players it is one tile a turn, and in another sixth of the board."
        ),
        4,
    ),
    Glance(
        say("What counts"),
        say(
            "A tail counts as soon as it comes out at the edge, at any tail end. If it meets "
            "another devil, neither gets anything. You may not choose a cell before a devil of "
            "the other side."
        ),
        5,
    ),
    Glance(
        say("The end"),
        say(
            "When all 54 cells are filled the longest tails win. Four play in pairs: partners "
            "sit opposite each other and share their devils."
        ),
        10,
    ),
)

LESSON = Lesson(("Cinder",), SCENES, STEPS, GLANCE)
