"""The picture of COASTERS: the bids over the table, and the players' places round it.

One picture, 600 wide, for large screens and small ones: no text in it is under 18 units.
"""

from coasters.ui.drawing.bids import HEIGHT, bids
from coasters.ui.drawing.coaster import definitions
from coasters.ui.drawing.places import ROW, mood, place
from coasters.ui.view import View
from diablerie.art.svg import element, group
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import say

WIDTH = 600


def draw(view: View, moves: Moves, t: Translate) -> str:
    """The picture, from a view."""
    seats = range(len(view.places))
    return element(
        "svg",
        element("title", t(say("The bids, and everybody’s coasters"))),
        definitions(frozenset(mood(view, i) for i in seats)),
        bids(view, moves, t),
        group(*(place(view, i, moves, t) for i in seats)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT + 2 * ROW}",
        role="img",
        class_="picture coasters",
        id="coasters-board",
    )
