"""The upper part of the picture: what is bid, how far the turning is, what the last round was."""

from typing import Any

from coasters.rules.notation import KINDS
from coasters.ui.drawing.coaster import small, use
from coasters.ui.view import Last, View
from diablerie.art.cut import cut
from diablerie.art.svg import Svg, at, circle, element, group, path, rect, svg_text
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import Line, say, says

HEIGHT = 136
MIDDLE = 300
BOARD = "M-290 0L288 -3L293 108L-287 112Z"


def bids(view: View, moves: Moves, t: Translate) -> Svg:
    """The slate behind the bar, and what can be chosen on it."""
    return group(
        _slate(view, t),
        _choices(view, moves, t),
        _pass(view, moves, t),
    )


def spot(view: View, action: str, moves: Moves) -> dict[str, Any]:
    """The attributes of a spot that stands for an action: a watcher's picture has none."""
    if view.viewer < 0 or view.node == "over":
        return {}
    return {"data_action": action, "class_": "spot can" if action in moves else "spot"}


def _slate(view: View, t: Translate) -> Svg:
    frame = cut(BOARD, "slate", path("M-276 12H276", "cut-light"))
    words = svg_text(MIDDLE, 46, t(_words(view)), "slate-word", 23)
    return group(group(frame, transform=at(MIDDLE, 8)), words)


def _words(view: View) -> Line:
    if view.winner is not None:
        return say("{who} wins!", clause="B17", who=view.winner)
    if view.node in ("bid", "turn"):
        return say("{who} bids {number}", who=view.bidder or 0, number=view.bid)
    if view.node == "drop":
        return say("One coaster is lost", clause="B11")
    if not view.table:
        return _told(view.last) if view.last else say("The first round", clause="B3")
    return says("{n} coaster on the table", "{n} coasters on the table", view.table)


def _told(last: Last) -> Line:
    if last.skull is None:
        return say("{who} has turned {number}: a point", clause="B10", who=last.turner,
                   number=last.bid)  # fmt: skip
    return say("{who} met a skull", clause="B11", who=last.turner)


def _choices(view: View, moves: Moves, t: Translate) -> Svg | None:
    """A bead for each number that can be bid; while turning, for each coaster to be turned."""
    if view.node == "turn":
        done = sum(place.turned for place in view.places)
        kinds = ["flower"] * done + ["hidden"] * (view.bid - done)
        step = min(58.0, 540 / len(kinds))
        return small(kinds, MIDDLE - step * (len(kinds) - 1) / 2, 88, step, min(1, step / 58))
    if view.node == "drop":
        return group(*(_drop(view, kind, 230 + 140 * i, moves) for i, kind in enumerate(KINDS)))
    if view.node not in ("lay", "bid"):
        return None
    return group(*(_bead(view, n, moves) for n in range(1, view.table + 1)))


def _drop(view: View, kind: str, x: float, moves: Moves) -> Svg | None:
    if view.turn != view.viewer:
        return None
    return group(
        use(kind, x, 86, 1.1), id=f"coasters-drop-{kind}", **spot(view, f"drop {kind}", moves)
    )


def _bead(view: View, n: int, moves: Moves) -> Svg:
    step = min(46.0, (430 if view.node == "bid" else 550) / view.table)
    left = 36 if view.node == "bid" else MIDDLE - step * (view.table - 1) / 2
    look = "bead now" if n == view.bid else "bead gone" if n < view.bid else "bead"
    r = min(20.0, step / 2 - 1)
    return group(
        circle(0, 0, r, f"{look} ink-thin"),
        svg_text(0, r * 0.36, n, "bead-number", max(18.0, r)),
        transform=at(left + step * (n - 1), 88),
        id=f"coasters-bid-{n}",
        **spot(view, f"bid {n}", moves),
    )


def _pass(view: View, moves: Moves, t: Translate) -> Svg | None:
    if view.node != "bid" or view.turn != view.viewer:
        return None
    return group(
        element("title", t(say("Pass", clause="B7"))),
        rect(-52, -22, 104, 44, "sign ink-thin", rx=8),
        svg_text(0, 8, t(say("Pass")), "sign-word", 22),
        transform=at(528, 88),
        id="coasters-pass",
        **spot(view, "pass", moves),
    )
