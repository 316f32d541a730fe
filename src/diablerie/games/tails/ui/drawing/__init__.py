"""The picture of TAILS: the hexagon, the devils round it, and in the corners who has what.

One picture for large screens and small ones; no text in it is under 18 units, which is 10 pixels on
a phone.
"""

from diablerie.art.svg import element, parted
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import say
from diablerie.games.tails.ui.drawing.border import border
from diablerie.games.tails.ui.drawing.cells import hexagon
from diablerie.games.tails.ui.drawing.corners import corners
from diablerie.games.tails.ui.drawing.layout import HEIGHT, WIDTH
from diablerie.games.tails.ui.drawing.symbols import definitions
from diablerie.games.tails.ui.view import View


def draw(view: View, moves: Moves, t: Translate) -> str:
    """The picture as one `<svg>`, from a view; spots in it stand for `moves`."""
    return parted(
        "svg",
        element("title", t(say("The hexagon, its devils and their tails"))),
        definitions(),
        border(view, t),
        hexagon(view, moves, t),
        corners(view, t),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="group",
        class_="picture tails",
        id="tails-board",
    )
