"""The places of the players of COASTERS: who it is, points, hand, pile."""

from coasters.ui.drawing.bids import HEIGHT, spot
from coasters.ui.drawing.coaster import R, use
from coasters.ui.view import Place, View
from diablerie.art import marks
from diablerie.art.svg import Svg, at, element, group, rect, svg_text
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import say, says

ROW = 206
WIDE = 292
HIGH = 198
NAME = 15  # letters that fit
# of the pile and of the hand
LEFT = 100
STEP = 54


def place(view: View, i: int, moves: Moves, t: Translate) -> Svg:
    """The place of one player, two in a row, in order of the seats."""
    x = 4 + i % 2 * 300
    y = HEIGHT + i // 2 * ROW
    return group(
        rect(0, 0, WIDE, HIGH, "place", rx=10),
        _person(view, i, t),
        _pile(view, i, moves, t),
        _hand(view, i, moves),
        id=f"coasters-place-{i}",
        class_=f"seat-{i} {_state(view, i)}".strip(),
        transform=at(x, y),
    )


def _state(view: View, i: int) -> str:
    if view.winner == i:
        return "winner"
    if not view.places[i].coasters:
        return "out"
    return "turn" if view.turn == i else "passed" if view.places[i].passed else ""


def mood(view: View, i: int) -> str:
    """How a player looks."""
    own = view.places[i]
    if view.winner is not None:
        return "triumph" if view.winner == i else "sulk"
    if not own.coasters:
        return "sleep"
    if view.node == "drop" and view.turn == i:
        return "burnt"
    if view.bidder == i:
        return "sly"
    return "think" if view.turn == i else "sulk" if own.passed else "grin"


def _person(view: View, i: int, t: Translate) -> Svg:
    name = t(say("{who}", who=i))
    own = view.places[i]
    short = name if len(name) <= NAME else name[: NAME - 1] + "…"
    return group(
        group(
            use(f"head-{mood(view, i)}", scale=0.42), transform=at(40, 74), class_=f"devil seat-{i}"
        ),
        group(marks.token(i, 11), transform=at(40, 96)),
        svg_text(80, 30, short, "place-name", 20),
        _points(own, view.goal, t),
    )


def _points(own: Place, goal: int, t: Translate) -> Svg:
    """A star for every point there is to win."""
    stars = (
        group(marks.mark(4, 20, "star" if n < own.points else "star none"),
              transform=at(22 + 24 * n, 140))
        for n in range(goal)
    )  # fmt: skip
    words = t(says("{n} point", "{n} points", own.points, clause="B10"))
    return group(element("title", words), *stars)


# -- the pile ----------------------------------------------------------------------------------


def _pile(view: View, i: int, moves: Moves, t: Translate) -> Svg:
    own = view.places[i]
    down = len(own.pile) - own.turned
    attrs = spot(view, f"turn {i}", moves) if view.node == "turn" else {}
    if not own.pile:
        return group(_last(view, own, t))
    return group(*(_laid(view, i, k, k >= down) for k in range(len(own.pile))),
                 id=f"coasters-pile-{i}", **attrs)  # fmt: skip


def _laid(view: View, i: int, k: int, turned: bool) -> Svg:
    """A coaster of a pile: the topmost is at the right, and what is turned lies lower."""
    kind = view.places[i].pile[k]
    at_rest = at(LEFT + STEP * k, 84 if turned else 74)
    if turned:
        shown = use(kind)
        enter = "shock" if kind == "skull" else "turn"
        return group(shown, id=f"coasters-{i}-{k}-open", data_enter=enter, transform=at_rest)
    peek = None if kind == "hidden" else use(kind, R * 0.7, R * 0.7, 0.42)
    return group(use("hidden"), peek, id=f"coasters-{i}-{k}", data_enter="pop", transform=at_rest)


def _last(view: View, own: Place, t: Translate) -> Svg | None:
    """What was turned here in the last round, until something is laid again."""
    if view.last is None or not own.last_turned or view.node == "over":
        return None
    skull = view.last.skull is not None and view.places[view.last.skull] is own
    kinds = ["flower"] * (own.last_turned - skull) + ["skull"] * skull
    shown = (use(kind, LEFT + STEP * k, 78, 0.72) for k, kind in enumerate(kinds))
    return group(element("title", t(say("The last round"))), *shown, class_="last")


def _hand(view: View, i: int, moves: Moves) -> Svg:
    """The hand: one's own open, and a spot for each of it."""
    hand = view.places[i].hand
    own = i == view.viewer
    scale = 0.9 if own else 0.6
    shown = (
        group(
            use(kind, scale=scale),
            transform=at(LEFT + STEP * n, 158),
            id=f"coasters-hand-{i}-{n}",
            **(spot(view, f"lay {kind}", moves) if own and view.node == "lay" else {}),
        )
        for n, kind in enumerate(hand)
    )
    return group(*shown)
