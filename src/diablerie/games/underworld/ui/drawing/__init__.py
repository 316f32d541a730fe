"""The picture of UNDERWORLD: the night above, the seven by seven spaces, the players below.

One picture, 600 wide, for large screens and small ones: what must be read is 17 units high at
least, which is 11 pixels on a phone.
"""

from functools import cache, lru_cache
from math import cos, pi, sin

from diablerie.art import marks
from diablerie.art.svg import (
    Parted,
    Svg,
    at,
    circle,
    element,
    group,
    parted,
    path,
    placed,
    rect,
    svg_text,
)
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import Line, say
from diablerie.games.underworld.rules.notation import COLUMNS, LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.state import SIDE
from diablerie.games.underworld.ui.drawing.around import (
    SIGNS_HEIGHT,
    night,
    players,
    players_height,
    signs,
)
from diablerie.games.underworld.ui.drawing.cards import Lying, definitions, ground, space_card, use
from diablerie.games.underworld.ui.drawing.spots import (
    BOARD_LEFT,
    BOARD_TOP,
    PITCH,
    Pointing,
    badges,
    space_corner,
    spot,
    ways,
)
from diablerie.games.underworld.ui.view import Player, View

DISK_RADIUS = 29
HOLES_RADIUS = 20  # how far out a disk's holes are
ONE_DISK = ((46, 46, 1),)
TWO_DISKS = ((31, 30, 0.8), (54, 54, 0.8))
BURST = "M0 -46L8 -24L26 -38L22 -16L46 -18L28 0L44 16L22 16L28 38L9 24L0 46L-9 24L-28 38L-22 16L-44 16L-28 0L-46 -18L-22 -16L-26 -38L-8 -24Z"  # noqa: E501
BOARD_BOTTOM = BOARD_TOP + SIDE * PITCH


def draw(view: View, moves: Moves, t: Translate) -> str:
    """The picture as one `<svg>`, from a view; spots in it stand for `moves`."""
    height = BOARD_BOTTOM + SIGNS_HEIGHT + players_height(view)
    return parted(
        "svg",
        element("title", t(say("The underworld: cards, disks and the devil’s face"))),
        definitions(),
        night(view, t),
        _margins(),
        parted("g", *(_space(view, i, moves, t) for i in range(SIDE * SIDE)), id="uw-spaces"),
        ways(view, moves),
        disks(view, moves, t),
        badges(view, moves, t),
        signs(view, moves, t, BOARD_BOTTOM),
        # Below the board, so that the board keeps its place however many play.
        players(view, moves, t, BOARD_BOTTOM + SIGNS_HEIGHT),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 600 {height}",
        role="img",
        class_="picture underworld",
        id="uw-board",
    )


@cache
def soil() -> Svg:
    """What the spaces lie on."""
    return rect(BOARD_LEFT - 3, BOARD_TOP - 3, SIDE * PITCH + 6, SIDE * PITCH + 6, "soil", rx=10)


@cache
def _margins() -> Svg:
    columns = (
        svg_text(BOARD_LEFT + PITCH * (i + 0.5), BOARD_TOP - 6, name, "margin")
        for i, name in enumerate(COLUMNS)
    )
    rows = (svg_text(11, BOARD_TOP + PITCH * (i + 0.5) + 6, i + 1, "margin") for i in range(SIDE))
    return group(soil(), *columns, *rows, id="uw-margins")


def _space(view: View, i: int, moves: Moves, t: Translate) -> Svg:
    space = view.spaces[i]
    chosen = view.selection
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
    x, y = space_corner(i)
    return group(
        ground(lying.space, pegs),
        space_card(lying, t),
        transform=f"translate({x} {y})",
        id=f"uw-space-{lying.space.name}",
        **dict(pointing),
    )


# -- the disks: whose, with which letters, possessed or not ---------------------------------------


def disks(view: View, moves: Moves, t: Translate) -> Parted:
    """All disks, the one on the move last and so on top."""
    placed = [i for i, seat in enumerate(view.seats) if seat.disk]
    placed.sort(key=lambda i: i == view.turn)
    return parted("g", *(_disk(view, i, moves, t) for i in placed), id="uw-disks")


def _disk(view: View, i: int, moves: Moves, t: Translate) -> Svg:
    own = view.seats[i]
    space = SPACE_NAMES.index(own.disk)
    here = view.spaces[space].disks
    x, y = space_corner(space)
    dx, dy, scale = (ONE_DISK if len(here) == 1 else TWO_DISKS)[here.index(i) % 2]
    where = at(x + dx, y + dy, 0, scale)
    struck = view.turns if view.struck == i else None
    pointing = tuple(_choice(view, i, moves, space).items())
    return _drawn_disk(own, i, where, view.turn == i, struck, pointing, t)


@lru_cache(1024)
def _drawn_disk(
    own: Player,
    i: int,
    where: str,
    turn: bool,
    struck: int | None,
    pointing: Pointing,
    t: Translate,
) -> Svg:
    return group(
        element("title", t(_words(own, i))),
        circle(0, 0, DISK_RADIUS + 6, "on-turn") if turn else None,
        None  # where a player has met a second devil
        if struck is None
        else group(path(BURST, "burst"), id=f"uw-struck-{struck}", data_enter="shock"),
        disk_body(i, own.letters, own.possessed),
        placed(
            0,
            10,  # the peg in the middle; it flies in when the player gets it
            use("head-wild"),
            scale=0.21,
            class_="devil",
            id=f"uw-devil-{i}",
            data_enter="fly",
            data_heard="hand",
        )
        if own.possessed
        else None,
        id=f"uw-disk-{i}",
        class_=f"disk seat-{i}",
        transform=where,
        data_move=True,
        **dict(pointing),
    )


def _choice(view: View, i: int, moves: Moves, space: int) -> dict[str, str | bool]:
    """A disk stands for its owner, where one is asked for, else for the space it stands on."""
    if f"from {i}" in moves:
        return {"data_action": f"from {i}"}
    below = spot(view, space, moves)
    return {key: below[key] for key in ("data_action", "data_afresh") if key in below}


def _words(own: Player, i: int) -> Line:
    letters = own.letters or "–"
    if own.possessed:
        return say("{who}, possessed: {letters}", who=i, letters=letters)
    return say("{who}: {letters}", who=i, letters=letters)


@cache
def disk_body(seat: int, letters: str, possessed: bool) -> Svg:
    """A disk with its holes and the pegs in them; the mark where no devil stands."""
    holes = [_hole(k, name, name in letters) for k, name in enumerate(LETTER_NAMES)]
    return group(
        circle(0, 0, DISK_RADIUS + 2.4, "edge-fill"),
        circle(0, 0, DISK_RADIUS, "seat-fill ink-line"),
        *holes,
        None if possessed else marks.mark(seat, 18),
    )


def _hole(k: int, letter: str, full: bool) -> Svg:
    turn = pi * (k / 3 - 0.5)
    x = HOLES_RADIUS * cos(turn)
    y = HOLES_RADIUS * sin(turn)
    if not full:
        return circle(x, y, 4, "hole")
    return group(circle(x, y, 7.4, "peg-top"), svg_text(x, y + 4.2, letter, "peg-letter", 11.5))
