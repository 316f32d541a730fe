"""The picture of COALS: the furnace, whose arch is the track, and the players' places before it.

One picture, 600 wide and about as high, for large screens and small ones: no text in it is under
18 units, which is 11 pixels on a phone.
"""

from diablerie.art.svg import element, parted
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import say
from diablerie.games.coals.ui.drawing.furnace import HEIGHT, devil_mood, flag, furnace, pawns, track
from diablerie.games.coals.ui.drawing.hands import ashes, hand, mood, places_height, slate
from diablerie.games.coals.ui.drawing.symbols import definitions
from diablerie.games.coals.ui.view import View

WIDTH = 600


def draw(view: View, moves: Moves, t: Translate) -> str:
    """The picture as one `<svg>`, from a view; spots in it stand for `moves`."""
    seats = range(len(view.seats))
    height = HEIGHT + places_height(view)
    return parted(
        "svg",
        element("title", t(say("The furnace, the track and the players’ coal"))),
        definitions(frozenset({devil_mood(view), *(mood(view, i) for i in seats)})),
        # What comes later lies above.
        furnace(view, moves, t),
        track(view.marks),
        flag(len(view.marks), view.goal_space, view.goal, t),
        pawns(view.marks, tuple(own.space for own in view.seats)),
        slate(view, t),
        parted("g", *(hand(view, i, t) for i in seats)),
        ashes(view, t),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        role="img",
        class_="picture coals",
        id="coals-board",
    )
