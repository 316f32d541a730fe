"""The picture of KITCHEN: the kitchen from above, the stove in its middle, the own tray below.

One picture, 752 wide with its coordinates, for large screens and small ones: what must be read is
23 units high or more, which is 11 pixels on a phone.
"""

from diablerie.art.svg import element, parted
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import say
from diablerie.games.kitchen.ui.drawing.cells import devils, goals, grills, mood, pots
from diablerie.games.kitchen.ui.drawing.floor import coordinates, corners, floor
from diablerie.games.kitchen.ui.drawing.layout import HEIGHT, LABELS_EDGE, WIDTH
from diablerie.games.kitchen.ui.drawing.parts import definitions
from diablerie.games.kitchen.ui.drawing.stage import oberteufel_mood, stage
from diablerie.games.kitchen.ui.drawing.tray import TRAY_HEIGHT, menu, tray
from diablerie.games.kitchen.ui.view import View


def draw(view: View, moves: Moves, t: Translate) -> str:
    """The picture as one `<svg>`; `moves` are the viewer's legal actions, in notation."""
    seats = tuple(colour.seat for colour in view.colours)
    height = HEIGHT + TRAY_HEIGHT + LABELS_EDGE
    return parted(
        "svg",
        element("title", t(say("The kitchen, its devils and pots"))),
        definitions(_moods(view)),
        floor(),
        coordinates(),
        corners(seats),
        grills(view),
        stage(view, moves, t),
        parted("g", devils(view, t), pots(view, t)),
        tray(view, moves, t),
        # Above all that stands on the board: what can be chosen, and heaps spread out.
        goals(view, moves),
        parted("g", devils(view, t, fanned=True), pots(view, t, fanned=True)),
        menu(view, moves, t),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{-LABELS_EDGE} {-LABELS_EDGE} {WIDTH + LABELS_EDGE} {height}",
        role="img",
        class_=f"picture kitchen of-{sum(seat is not None for seat in seats)}",
        id="kitchen-board",
    )


def _moods(view: View) -> frozenset[str]:
    """The heads that are in the picture."""
    moods = {
        mood(view, c, d)
        for c, colour in enumerate(view.colours)
        for d, devil in enumerate(colour.devils)
        if devil.at
    }
    moods.add(oberteufel_mood(view))
    if view.duel:
        moods |= {"sly", "wild", "grin", "sulk", "triumph", "burnt"}
    return frozenset(moods)
