"""TAILS on paper."""

from itertools import product

from diablerie.art.head import head
from diablerie.art.svg import Svg, group, placed
from diablerie.engine.game import Translate
from diablerie.engine.paper import Board, Printed, triangles
from diablerie.engine.text import say
from diablerie.games.tails.rules.state import BODIES, CELLS, COPIES, KINDS, LETTERS, TURNS, pairs
from diablerie.games.tails.ui.drawing import free_cell, seams
from diablerie.games.tails.ui.drawing.around import around
from diablerie.games.tails.ui.drawing.layout import CELL_EDGE, HEIGHT, WIDTH
from diablerie.games.tails.ui.drawing.symbols import definitions, line, use
from diablerie.games.tails.ui.drawing.tiles import tile
from diablerie.games.tails.ui.tracing import Tail
from diablerie.games.tails.ui.view import Tile

SCALE = 0.433  # millimetres for a unit of the picture
BOX = (-8, 10, HEIGHT + 16, WIDTH - 20)  # the outermost beards with a little room
SIDES = 3  # all seams, which part the six sectors


def printed(t: Translate) -> Printed:
    """The hexagon and its tiles."""
    # turned by a quarter, so that the seam of its sheets runs between the halves
    board = group(
        around([_untouched(body) for body in range(BODIES)], SIDES, t),
        *(free_cell(cell, 0, False, False, t) for cell in range(CELLS)),
        seams(SIDES),
        transform=f"translate({HEIGHT} 0) rotate(90)",
    )
    faces = [(_face(kind), _back()) for kind in range(KINDS) for _ in range(COPIES)]
    return Printed(
        look="tails",
        parts=definitions(),
        boards=[Board(say("The hexagon with its devils"), board, BOX, SCALE, [HEIGHT / 2])],
        pieces=[triangles(say("Tiles"), faces, CELL_EDGE * SCALE)],
        making=[
            say(
                "The tiles lie edge to edge: first cut the rows apart, then cut each row in a zigzag."
            ),
        ],
        household=[
            say("Draw the tiles from a bag, if you like; then their backs need not be printed."),
            say("A coin marks the tile that was placed last, so that its twin is found."),
            say(
                "Paper and pencil keep the scores; two kinds of buttons tell whose devil is whose."
            ),
        ],
    )


def _untouched(body: int) -> Tail:
    """The tail of a devil before the game."""
    return Tail(body, LETTERS[body], body % 2, "open", 0, 0, -1, -1, ())


def _face(kind: int) -> Svg:
    """A tile as its lines run, nobody's."""
    nobody = ((),) * 3
    return placed(0, 0, *tile(Tile(kind, 0), nobody), scale=SCALE)


def _back() -> Svg:
    """A tile face down: a devil asleep on all lines that tiles have, so that none shows through."""
    asleep = placed(0, 14, head("sleep"), scale=0.19, class_="devil")
    return placed(0, 0, use("cell", "pile"), *_every_line(), asleep, scale=SCALE)


def _every_line() -> list[Svg]:
    """The lines of all kinds, however they are turned, each once."""
    laid = product(range(KINDS), range(TURNS))
    lines = (line(kind, a, b, "line beneath") for kind, turn in laid for a, b in pairs(kind, turn))
    return [*dict.fromkeys(lines)]
