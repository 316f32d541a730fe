"""The lesson of TAILS: the first tiles of a game, and the last three of another."""

from diablerie.engine.lesson import Figure, Glance, Lesson, LessonStep, Scene
from diablerie.engine.text import say
from diablerie.games.tails.rules.notation import CELL_NAMES
from diablerie.games.tails.rules.state import COPIES, TURNS, TWIN, Node, State, mask_of
from diablerie.games.tails.ui.log import numbered_cell

# Cell by cell: a free one is a dot, a tile the letter of its `code`, from a on.
LATE = "sakada.mgrdomd.kglodqgjpraskttaogkqkggo.qsdkdndadgmrgs"


def late(s: State) -> None:
    """Three cells are left, and the learner's forced tile is to be turned up."""
    codes = [ord(letter) - ord("a") if letter != "." else -1 for letter in LATE]
    for cell, code in enumerate(codes):
        s.laid[cell] = code
    for kind in range(len(s.stock)):
        s.stock[kind] = COPIES - sum(code // TURNS == kind for code in codes)
    s.free = mask_of(cell for cell, code in enumerate(codes) if code < 0)
    s.count = sum(code >= 0 for code in codes)
    s.last = TWIN[LATE.index(".")]
    s.cell = TWIN[s.last]
    s.forced = 1
    s.node = Node.TILE


SCENES = {
    "first tiles": Scene(seats=2, script="first 0"),
    "last tiles": Scene(seats=2, arrange=late, script="tile 02-14-35"),
}

FAR_1, FAR_8, FAR_9 = (
    numbered_cell(CELL_NAMES.index(name)) for name in ("far 1", "far 8", "far 9")
)

STEPS = (
    LessonStep(
        say("Long tails win"),
        say(
            "Your devils sit along the upper edge, A to I; the others are Cinder’s. A tail "
            "winds over the tiles from each devil. It scores one point per tile as soon as it "
            "comes out at the edge. Three tiles are missing here, and you are behind: 19 to "
            "50."
        ),
        scene="last tiles",
    ),
    LessonStep(
        say("First choose the cell"),
        say(
            "We go back to the beginning: the board is empty, and you begin. You choose a "
            "cell first and only then see the tile that you place there. A cell in front of "
            "one of your devils is a good choice."
        ),
        say("Choose the glowing cell in front of your devil G: {cell}.", cell=FAR_1),
        ("far 1",),
        say(
            "You may choose that cell, but here take the one in front of your devil G: {cell}.",
            cell=FAR_1,
        ),
        "tile 01-24-35",
        scene="first tiles",
    ),
    LessonStep(
        say("Then place the tile"),
        say(
            "This is your tile. You cannot refuse it, but you can turn it: tap or click it on the "
            "board, or use a button, and see where the lines lead."
        ),
        say("Place it turned twice, so that G’s tail continues inwards."),
        ("lay 2",),
        say(
            "You may place it like that, but then G’s tail does not go where we want it. Turn "
            "it further."
        ),
        "tile 05-12-34, 1 lay 0, 1 near 9, tile 03-14-25, 1 lay 0, tile 01-23-45",
    ),
    LessonStep(
        say("The forced tile"),
        say(
            "Every number stands on two cells, twins across the board. Cinder placed the last "
            "tile on a 9, so your next tile must go on the other 9. This tile looks the same "
            "however you turn it."
        ),
        say("Place it on {cell}.", cell=FAR_9),
        ("lay 0",),
        then="",
    ),
    LessonStep(
        say("The first three points"),
        say(
            "G’s tail is closed. It crosses {one}, {other} and {one} again: three points. "
            "After the forced tile you choose a cell again, but never one in front of a devil "
            "of the other side.",
            one=FAR_1,
            other=FAR_9,
        ),
        say("Choose the cell in front of your devil H: {cell}.", cell=FAR_8),
        ("far 8",),
        say("That cell is allowed, but here take the one in front of H: {cell}.", cell=FAR_8),
        "tile 02-15-34",
    ),
    LessonStep(
        say("As you like"),
        say(
            "Now you know a whole turn: one forced tile, and one tile for which you choose "
            "the cell."
        ),
        say("Turn this tile as you like and place it."),
        ("lay 0", "lay 1", "lay 2"),
    ),
    LessonStep(
        say("Nearly full"),
        say(
            "Back to the other game, near its end: three tiles to go, 19 to 50. Your forced "
            "tile goes on {cell}.",
            cell=FAR_1,
        ),
        say("Place it turned twice: that opens a long way."),
        ("lay 2",),
        say("You may, but then the long tail you need stays blocked. Turn it twice."),
        scene="last tiles",
    ),
    LessonStep(
        say("Two twins are left"),
        say(
            "The last two cells are both a 9. The one you do not choose becomes Cinder’s "
            "forced cell at the very end."
        ),
        say("Choose the upper one: {cell}.", cell=FAR_9),
        ("far 9",),
        say("That is allowed too, but your tails run through the upper one: {cell}.", cell=FAR_9),
        "tile 02-15-34",
    ),
    LessonStep(
        say("The tile that decides"),
        say(
            "Placed one way, the tile closes a long tail of yours. Placed either of the other "
            "two ways, it loses you the game."
        ),
        say("Place it as it is."),
        ("lay 0",),
        say("That is allowed, but then you lose 40 to 50. Place it as it is."),
        "tile 02-15-34, 1 lay 0",
    ),
    LessonStep(
        say("You have won"),
        say(
            "The hexagon is full. Your tails are 68 tiles long, Cinder’s 50. Now you can play "
            "TAILS. With three players there are no twins. Four players form two pairs, and "
            "partners sit opposite each other."
        ),
    ),
)

GLANCE = (
    Glance(
        say("The goal"),
        say(
            "Make your devils’ tails as long as you can. A tail scores one point per tile, "
            "and a tile counts again each time the tail comes back to it."
        ),
        1,
    ),
    Glance(
        say("A turn"),
        say(
            "Your first tile must go on the twin of the cell where the last tile was placed: "
            "the other cell with the same number. For the second you choose a free cell, then "
            "reveal the tile and place it any way round. With three players you place one "
            "tile a turn, in another sixth of the board than the last one."
        ),
        4,
    ),
    Glance(
        say("What counts"),
        say(
            "A tail scores as soon as it comes out at the edge, at any tail end. If it meets "
            "another devil, neither scores. You may not choose a cell in front of a devil of "
            "the other side."
        ),
        5,
    ),
    Glance(
        say("The end"),
        say(
            "When all 54 cells are filled, the side with the longest tails wins. Four players "
            "form two pairs: partners sit opposite each other and share their devils."
        ),
        10,
    ),
)

FIGURES = (
    Figure(
        "T2",
        Scene(2, "first 1, 1 near 14, tile 02-15-34, 1 lay 0, tile 02-14-35"),
        say(
            "Twins: one tile was placed on {one}, so the next goes on {other}.",
            one=numbered_cell(CELL_NAMES.index("near 14")),
            other=numbered_cell(CELL_NAMES.index("far 14")),
        ),
    ),
)

LESSON = Lesson(("Cinder",), SCENES, STEPS, GLANCE, FIGURES)
