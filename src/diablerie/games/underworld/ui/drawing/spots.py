"""Where a space lies, what it can be chosen for, and signs of what that brings.

Where pointing at a space is not the next decision, a spot with `data-afresh` stands for all
decisions from the beginning of the turn.
"""

from collections.abc import Sequence

from diablerie.art.svg import Svg, at, circle, element, group, path, placed, rect, svg_text
from diablerie.engine.game import Moves, Translate
from diablerie.games.underworld.rules.notation import SPACE_NAMES
from diablerie.games.underworld.rules.state import SIDE
from diablerie.games.underworld.ui.choices import Kind, Preview
from diablerie.games.underworld.ui.drawing.around import NIGHT_HEIGHT
from diablerie.games.underworld.ui.drawing.cards import LOOKING, use
from diablerie.games.underworld.ui.prompts import move_label
from diablerie.games.underworld.ui.view import View

Pointing = tuple[tuple[str, str | bool], ...]  # attributes
PITCH = 82
BOARD_LEFT = 24
BOARD_TOP = NIGHT_HEIGHT + 22


def space_corner(i: int) -> tuple[float, float]:
    """The top left corner of a space."""
    return BOARD_LEFT + i % SIDE * PITCH, BOARD_TOP + i // SIDE * PITCH


def spot(view: View, i: int, moves: Moves) -> dict[str, str | bool]:
    """The attributes of a space: what pointing at it does, and whether it may."""
    space = view.spaces[i]
    afresh = view.selection.afresh
    if not moves or space.action is None:
        return {}
    if space.action in moves:
        return _pointing("spot can", space.action)
    if space.name in afresh:
        return {"class_": "spot can", "data_action": afresh[space.name], "data_afresh": True}
    return _pointing("spot", space.action)  # refused, with the clause


def _pointing(kind: str, action: str) -> dict[str, str | bool]:
    return {"class_": kind, "data_action": action, "data_light": action}


# -- what a move brings ------------------------------------------------------------------------


def badges(view: View, moves: Moves, t: Translate) -> Svg:
    """A sign on every space that can be chosen, saying why a move ends there."""
    signs = [
        _badge(view, SPACE_NAMES.index(name), p, t)
        for name, p in view.targets.items()
        if f"move {name}" in moves
    ]
    return group(*signs, *_choices(view, moves), id="uw-badges")


def _badge(view: View, i: int, p: Preview, t: Translate) -> Svg:
    x, y = space_corner(i)
    space = view.spaces[i]
    return placed(
        x,
        y,
        element("title", t(move_label(p, space.name))),
        _ring(),
        placed(66, 16 if space.disks else 66, sign(p)),
        class_=f"badge-spot {weight(p)}",
        data_action=space.action,
        data_light=space.action,
    )


def weight(p: Preview) -> str:
    """The class of a badge: whether the move is good or bad for the mover, neither, or by chance."""
    if p.leaves or p.kind in (Kind.LETTER, Kind.GIVE, Kind.GIVE_SECOND):
        return "good"
    if p.kind in (Kind.DEVIL, Kind.SECOND):
        return "bad"
    return "neutral" if p.kind in (Kind.OPEN, Kind.REST, Kind.STOP) else "chance"


def _ring() -> Svg:
    return group(*(rect(4.5, 4.5, 73, 73, name, rx=9) for name in ("ring-edge", "ring-spot")))


def sign(p: Preview) -> Svg:
    """The sign of a preview, round (0, 0), 28 across."""
    if p.kind in QUIET_NODES and not p.seen:
        return placed(3, 3, QUIET_NODES[p.kind])
    plate = circle(0, 0, 14, "plate")
    if p.leaves:
        return group(plate, path("M0 9V-7M-7 -1L0 -8L7 -1", "stroke"))
    return group(plate, SIGNS[p.kind])


def _horns(dx: float, scale: float) -> Svg:
    return placed(dx, 8, use("head-wild"), scale=scale, class_="devil")


QUIET_NODES = {  # nothing happens there
    Kind.OPEN: circle(0, 0, 6, "dot"),
    Kind.REST: circle(0, 0, 5, "dot hollow"),
}
SIGNS = {
    Kind.OPEN: path("M-5 -6L3 0L-5 6M2 -6L10 0L2 6", "stroke thin"),
    Kind.UNSEEN: svg_text(0, 7.5, "?", "sign-text", 22),
    Kind.LETTER: path("M0 -7V7M-7 0H7", "stroke"),
    Kind.STOP: path("M-7 0H7", "stroke bar"),
    Kind.DEVIL: _horns(0, 0.15),
    Kind.SECOND: group(_horns(-5, 0.13), _horns(6, 0.13)),
    Kind.TOWER: group(path(LOOKING, "uw-eye"), circle(0, 0, 4, "black")),
    Kind.GIVE: group(_horns(-4, 0.12), path("M3 -5L9 0L3 5", "stroke thin")),
    Kind.GIVE_SECOND: group(_horns(-5, 0.12), svg_text(7, 7, "!", "sign-text", 20)),
}


def _choices(view: View, moves: Moves) -> list[Svg]:
    """Rings on what may be pointed at where no move is asked for."""
    if not moves:
        return []
    chosen = view.selection
    done = chosen.laid if view.node == "lay" else [*chosen.taken, chosen.first]
    pointable = {*chosen.choices, *chosen.afresh}
    return [
        _choice(space.name in done, space_corner(i))
        for i, space in enumerate(view.spaces)
        if space.name in pointable
    ]


def _choice(chosen: bool, corner: tuple[float, float]) -> Svg:
    tick = placed(66, 66, circle(0, 0, 14, "plate"), path("M-6 0L-1 6L7 -6", "stroke"))
    kind = "choice chosen" if chosen else "choice"
    return group(_ring(), tick if chosen else None, transform=at(*corner), class_=f"{kind} inert")


# -- the way there -----------------------------------------------------------------------------


def ways(view: View, moves: Moves) -> Svg:
    """The way to each space, shown while it is pointed at."""
    lines = [
        path(_line(way), "way", data_preview=f"move {name}")
        for name, way in view.ways.items()
        if f"move {name}" in moves
    ]
    return group(*lines, id="uw-ways", class_=f"seat-{view.turn}" if lines else None)


def _line(names: Sequence[str]) -> str:
    points = [space_corner(SPACE_NAMES.index(name)) for name in names]
    return "M" + "L".join(f"{x + 41:.0f} {y + 41:.0f}" for x, y in points)
