"""The corners beside the hexagon of TAILS: the score of each side, cells left, turning a tile."""

from functools import lru_cache

from diablerie.art import marks
from diablerie.art.cut import cut
from diablerie.art.svg import Parted, Svg, element, group, parted, path, placed, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import say, says
from diablerie.games.tails.rules.notation import ACTION_NAMES
from diablerie.games.tails.rules.state import LAY
from diablerie.games.tails.ui.drawing.layout import HEIGHT, WIDTH
from diablerie.games.tails.ui.drawing.symbols import arrow, use
from diablerie.games.tails.ui.log import side_name
from diablerie.games.tails.ui.view import View

SIGN_LEFT = 12
SIGN_TOP = 12
SPOTS = {  # by sides: whether at the right, whether at the bottom
    2: ((False, False), (False, True)),
    3: ((False, False), (True, True), (False, True)),
}
SIGN_HEIGHT = 104
SIGN = "M-35 -19L34 -20L36 19L-34 21Z"


def corners(view: View, t: Translate) -> Parted:
    """The scores, the cells left, and the knobs that turn the tile in hand."""
    sides = range(len(view.scores))
    return parted(
        "g",
        *(_score(view, side, t) for side in sides),
        _left(view.left, t) if view.left else None,
        _turning(view, t) if view.deciding and len(view.hand) > 1 else None,
    )


# -- the score ---------------------------------------------------------------------------------


def _score(view: View, side: int, t: Translate) -> Svg:
    """Points of closed tails, and below them the length of the open ones."""
    right, bottom = SPOTS[len(view.scores)][side]
    x = WIDTH - SIGN_LEFT if right else SIGN_LEFT
    y = HEIGHT - SIGN_TOP - SIGN_HEIGHT if bottom else SIGN_TOP
    points = view.scores[side]
    length = sum(view.open[side])
    # At the right the figures end where the marks do.
    anchor = "end" if right else "start"
    standing = " winner" if side in view.winners else " turn" if view.turn_of(side) else ""
    words = say(
        "{side}: {n} points on closed tails, {length} tiles on open ones",
        side=side_name(len(view.sides), side),
        n=points,
        length=length,
    )
    return placed(
        x,
        y,
        element("title", t(words)),
        _tokens(view, side, right),
        svg_text(0, 76, points, "score", 40, text_anchor=anchor),
        _open(length, right),
        id=f"score-{side}",
        class_=f"side seat-{side}{standing}",
    )


def _tokens(view: View, side: int, right: bool) -> Svg:
    """The marks of the side's players; whose turn it is stands in a ring."""
    seats = [seat for seat, own in enumerate(view.sides) if own == side]
    step = -34 if right else 34
    return group(
        *(
            placed(
                (-19 if right else 19) + k * step,
                19,
                element("circle", cx=0, cy=0, r=19, class_="ring-turn")
                if view.turn == seat
                else None,
                group(marks.token(seat, 12)),
            )
            for k, seat in enumerate(seats)
        )
    )


def _open(length: int, right: bool) -> Svg:
    """A piece of open tail, and how long they are together."""
    sample = group(path("M0 0H26", "sample-edge"), path("M0 0H26", "sample"))
    x = -26 if right else 0
    number = svg_text(
        -34 if right else 34,
        100,
        length,
        "open-length",
        22,
        text_anchor="end" if right else "start",
    )
    return group(placed(x, 93, sample), number)


# -- the rest ----------------------------------------------------------------------------------


@lru_cache(256)
def _left(left: int, t: Translate) -> Svg:
    """How many cells are still free."""
    title = says("{n} cell is still free", "{n} cells are still free", left, "T16")
    pile = [
        placed(WIDTH - 32 + 4 * k, 26 - 3 * k, use("cell", "pile"), scale=0.34)
        for k in range(min(3, left))
    ]
    return group(
        element("title", t(title)),
        *pile,
        svg_text(WIDTH - 54, 33, left, "left", 24, text_anchor="end"),
        id="cells-left",
    )


def _turning(view: View, t: Translate) -> Svg:
    """Two knobs to turn the tile in hand, and a sign to lay it."""
    lay = t(say("Place it"))
    sign = placed(
        WIDTH - 39,
        106,
        cut(SIGN, "sign"),
        svg_text(0, 6.5, lay, "sign-word", 18),
        class_="spot can",
        id="lay-it",
        data_action=ACTION_NAMES[LAY],
        data_cycle_do=True,
    )
    back = say("Turn it anticlockwise")
    on = say("Turn it clockwise (R)")
    return group(_knob(False, t(back)), _knob(True, t(on)), sign, class_="turner", id="turner")


def _knob(clockwise: bool, title: str) -> Svg:
    return placed(
        WIDTH - (24 if clockwise else 68),
        64,
        element("title", title),
        arrow(clockwise),
        data_cycle_step=1 if clockwise else -1,
        class_="knob-spot",
    )
