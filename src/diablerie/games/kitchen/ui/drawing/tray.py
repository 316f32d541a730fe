"""Below the board: the own tray with the menu nobody else may see, the dice and the points left."""

from functools import cache, lru_cache

from diablerie.art import pieces
from diablerie.art.cut import cut, gouges
from diablerie.art.marks import mark
from diablerie.art.svg import Svg, at, circle, element, group, parted, path, placed, rect, svg_text
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import say
from diablerie.games.kitchen.rules.state import CARDS
from diablerie.games.kitchen.ui.drawing.layout import HEIGHT, POT_SCALE, WIDTH
from diablerie.games.kitchen.ui.drawing.parts import badge, card, pot
from diablerie.games.kitchen.ui.log import card_word, devil_id, pot_word
from diablerie.games.kitchen.ui.view import PotView, View

TRAY_HEIGHT = 150  # height of what lies below the board
TRAY_MIDDLE = HEIGHT + 82


def tray(view: View, moves: Moves, t: Translate) -> Svg:
    """Everything below the board; nothing while the menu is to be laid, which shows the pots."""
    own = view.own
    if view.node == "menu" and moves:
        return group()
    return parted(
        "g",
        _own_tray(view, own, t) if own is not None else None,
        _dice(view, 470 if own is not None else 270),
        _left(view, 602 if own is not None else 420, t),
    )


def _own_tray(view: View, c: int, t: Translate) -> Svg:
    """Four pots with their cards; those in hand can be picked to be put out."""
    return placed(
        8,
        TRAY_MIDDLE,
        element("title", t(say("Your tray: nobody else sees it", "K8"))),
        tray_board(384),
        *(
            _slot(view.pots[4 * c + sign], sign in view.puts, sign == min(view.puts, default=-1))
            for sign in range(4)
        ),
        class_="own-tray",
        id="kitchen-tray",
        data_hand=True,
    )


@cache
def tray_board(width: int) -> Svg:
    """The wood of a tray, from (0, -64), 128 high."""
    shape = f"M0 -62L{width} -64L{width - 4} 62L4 64Z"
    grain = [(20, -44, 120, -46), (180, 50, 300, 48), (width - 90, -50, width - 20, -48)]
    return cut(shape, "tray-wood", group(gouges(grain, 3), class_="grain"))


@lru_cache(256)
def _slot(shown: PotView, may: bool, first: bool) -> Svg:
    c = shown.colour
    sign = shown.sign
    pick = f"hand-{sign}" if may else None
    dish_card = card(shown.card) if shown.card is not None else None
    x = 50 + 95 * sign
    return group(
        rect(x - 44, -56, 90, 112, "slot-glow", rx=9) if pick else None,
        placed(x + 16, 6, dish_card),
        placed(
            x - 14,
            32,
            pot(c, sign),
            scale=POT_SCALE,
            # Once it has left the hand, a pot has its name elsewhere.
            id=f"kitchen-pot-{4 * c + sign}" if shown.hand else None,
            data_move=shown.hand,
        ),
        data_pick=pick,
        data_default=first,
        class_="slot" + (" may" if pick else "") + (" delivered" if shown.delivered else ""),
    )


# -- dice and points ---------------------------------------------------------------------------


def _dice(view: View, x: float) -> Svg | None:
    if view.dice is None:
        return None
    drawn = [
        placed(
            x + 66 * (i - 0.5),
            TRAY_MIDDLE + 3 * i,
            pieces.die(face or "wing", 58),
            turn=-6 + 11 * i,
            id=f"kitchen-die-{view.turns}-{i}",
            data_enter="roll",
            data_heard="dice",
            data_delay=120 * i,
        )
        for i, face in enumerate(view.dice)
    ]
    return group(*drawn, class_="dice")


def _left(view: View, x: float, t: Translate) -> Svg | None:
    """Points left, in the colour of who walks, and the extra one of K22."""
    if view.dice is None or view.turn is None:
        return None
    c = next(c for c, colour in enumerate(view.colours) if colour.seat == view.turn)
    words = "✈" if view.wings else str(view.points)
    return placed(
        x,
        TRAY_MIDDLE,
        element("title", t(say("Points left", "K13"))),
        circle(0, 0, 45, "edge-fill"),
        circle(0, 0, 41, "seat-fill ink-line"),
        path(pieces.WING, "seat-shape", transform="scale(1.7)")
        if view.wings
        else svg_text(0, 19, words, "seat-text", 54),
        placed(
            33,
            33,  # the mark of the player whose turn it is
            circle(0, 0, 17, "white ink-thin"),
            mark(view.turn, 20, "seat-fill"),
        ),
        _extra(view.turn, view.extra, c) if view.extra is not None else None,
        class_=f"seat-{c}",
        id="kitchen-points",
    )


def _extra(seat: int, devil: int, colour: int) -> Svg:
    """The point that a devil has won in a duel; no other devil may use it."""
    return placed(
        76,
        -30,
        svg_text(-16, 8, "+1", "extra", 26),
        placed(14, 0, badge(seat, devil + 1), scale=1.1),
        id="kitchen-extra",
        data_enter="pop",
        data_names=devil_id(colour, devil),
    )


# -- the menu ----------------------------------------------------------------------------------


def menu(view: View, moves: Moves, t: Translate) -> Svg | None:
    """Four cards to be laid onto four pots, by clicking or dragging (see static/assign.js)."""
    own = view.own
    if view.node != "menu" or own is None or not moves:
        return None
    return group(
        cut("M40 150L680 144L686 652L34 658Z", "tray-wood"),
        svg_text(WIDTH / 2, 190, t(say("Which dish is in which pot?")), "menu-title", 30),
        *(_menu_pot(own, sign, t) for sign in range(4)),
        *(_menu_card(i, value, t) for i, value in enumerate(CARDS)),
        placed(
            WIDTH / 2,
            606,
            cut("M-120 -26L118 -29L120 25L-118 28Z", "sign-wood"),
            svg_text(0, 9, t(say("Close the tray")), "sign-word", 27),
            data_assign_send=True,
        ),
        data_assign="menu {} {} {} {}",
        class_="menu",
    )


def _menu_pot(own: int, sign: int, t: Translate) -> Svg:
    x = 135 + 150 * sign
    return group(
        element("title", t(pot_word(own, sign))),
        rect(-58, -104, 116, 208, "slot-place", rx=12),
        placed(0, 62, pot(own, sign), scale=1.7),
        data_slot=sign,
        data_at=f"{x} 420",
        transform=at(x, 452),
    )


def _menu_card(i: int, value: int, t: Translate) -> Svg:
    x = 135 + 150 * i
    name = element("title", t(card_word(value)))
    home = {"data_home": f"{x} 262", "transform": at(x, 262, 0, 1.5)}
    return group(name, card(value), id=f"kitchen-card-{value}", data_card=value, **home)
