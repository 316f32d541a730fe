"""The picture of UNDERWORLD: the night above, the seven by seven spaces, the players below.

One picture, 600 wide, for large screens and small ones: what must be read is 17 units high at
least, which is 11 pixels on a phone.
"""

from functools import cache, lru_cache

from diablerie.art.svg import Svg, element, group, parted, rect, svg_text
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import say
from diablerie.games.underworld.rules.board import SIDE
from diablerie.games.underworld.rules.notation import COLUMNS
from diablerie.games.underworld.ui.drawing.around import NIGHT, SIGNS, night, signs
from diablerie.games.underworld.ui.drawing.cards import Lying, definitions, ground, space_card
from diablerie.games.underworld.ui.drawing.disks import disks
from diablerie.games.underworld.ui.drawing.players import players, players_height
from diablerie.games.underworld.ui.drawing.spots import Pointing, badges, spot, ways
from diablerie.games.underworld.ui.view import View

WIDTH, PITCH, LEFT, TOP = 600, 82, 24, NIGHT + 22
BOTTOM = TOP + SIDE * PITCH


def draw(view: View, moves: Moves, t: Translate) -> str:
    """The picture as one `<svg>`, from a view; spots in it stand for `moves`."""
    height = BOTTOM + SIGNS + players_height(view)
    return parted(
        "svg",
        element("title", t(say("The underworld: cards, disks and the devil’s face"))),
        definitions(),
        night(view, t),
        _margins(),
        parted("g", *(_space(view, i, moves, t) for i in range(SIDE * SIDE)), id="uw-spaces"),
        ways(view, moves, place),
        disks(view, moves, t, place),
        badges(view, moves, t, place),
        signs(view, moves, t, BOTTOM),
        players(view, moves, t, BOTTOM + SIGNS),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        role="img",
        class_="picture underworld",
        id="uw-board",
    )


def place(i: int) -> tuple[float, float]:
    """The top left corner of a space."""
    return LEFT + i % SIDE * PITCH, TOP + i // SIDE * PITCH


@cache
def _margins() -> Svg:
    columns = (
        svg_text(LEFT + PITCH * (i + 0.5), TOP - 6, name, "margin")
        for i, name in enumerate(COLUMNS)
    )
    rows = (svg_text(11, TOP + PITCH * (i + 0.5) + 6, i + 1, "margin") for i in range(SIDE))
    soil = rect(LEFT - 3, TOP - 3, SIDE * PITCH + 6, SIDE * PITCH + 6, "soil", rx=10)
    return group(soil, *columns, *rows, id="uw-margins")


def _space(view: View, i: int, moves: Moves, t: Translate) -> Svg:
    space, chosen = view.spaces[i], view.selection
    lying = Lying(
        space=space,
        turn=view.turns if space.name in view.moved else None,
        picked=space.name in (*chosen.taken, chosen.first),
        seats=len(view.seats),
    )
    pegs = view.pegs if space.ground == "face" else 0
    return _drawn(i, lying, pegs, tuple(spot(view, i, moves).items()), t)


@lru_cache(2048)
def _drawn(i: int, lying: Lying, pegs: int, pointing: Pointing, t: Translate) -> Svg:
    x, y = place(i)
    return group(
        ground(lying.space, pegs),
        space_card(lying, t),
        transform=f"translate({x} {y})",
        id=f"uw-space-{lying.space.name}",
        **dict(pointing),
    )
