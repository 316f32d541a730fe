"""Round the hexagon of TAILS: the devils and the tail ends, and in the corners who has what.

The corners hold the score of each side, the cells left, and the knobs that turn a tile.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from diablerie.art import marks
from diablerie.art.cut import cut
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
from diablerie.engine.game import Translate
from diablerie.engine.text import Line, say, says
from diablerie.games.tails.rules.notation import ACTION_NAMES
from diablerie.games.tails.rules.state import LAY, LETTERS
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.layout import HEIGHT, WIDTH
from diablerie.games.tails.ui.drawing.symbols import MOODS, arrow, use
from diablerie.games.tails.ui.log import side_name
from diablerie.games.tails.ui.tracing import Tail
from diablerie.games.tails.ui.view import View

# -- the rim: devils with their letters and points, and the tail ends --------------------------


HEAD_OUT = 50  # how far out a devil's head is
DISC_OUT = 17  # how far out its letter is
POINTS_ALONG = -32  # how far along the border its points are


def border(view: View, t: Translate) -> Parted:
    """The rim of the hexagon, the devils round it, and the tail ends."""
    return around(view.tails, len(view.sides), t)


def around(tails: Sequence[Tail], seats: int, t: Translate) -> Parted:
    """The same for these tails."""
    arrived = {tail.goal: tail for tail in tails if tail.state == "scored"}
    ends = ((body, arrived.get(body)) for body in range(len(LETTERS)))
    return parted(
        "g",
        _edge(5, "ledge"),
        _edge(0, "rim"),
        *(_end(body, tail.letter if tail else "", tail.side if tail else 0) for body, tail in ends),
        *(_devil(tail, seats, t) for tail in tails),
    )


@cache
def _edge(beyond: int, klass: str) -> Svg:
    return path(layout.outline(layout.rim(beyond)), klass, id=f"tails-{klass}")


@cache
def _end(body: int, letter: str, side: int) -> Svg:
    """A tail end: an empty socket, or the spade of the tail that has come out there."""
    post = layout.POSTS[body]
    turned = at(*post.tail, layout.heading(post.out))
    if not letter:
        return use("spade", "socket", transform=turned)
    spade = use("spade", "spade", transform=turned)
    x, y = post.by(31, layout.CELL_EDGE / 3)
    beside = svg_text(x, y + 6, letter, "end-letter", 18)
    key = f"body-{letter}"
    return group(spade, beside, class_=f"end seat-{side}", data_light=key, data_lights=key)


@lru_cache(1024)
def _devil(tail: Tail, seats: int, t: Translate) -> Svg:
    post = layout.POSTS[tail.body]
    letter = tail.letter
    hx, hy = post.by(HEAD_OUT)
    lx, ly = post.by(DISC_OUT)
    stub = f"M{lx:.1f} {ly:.1f}L{post.body[0]:.1f} {post.body[1]:.1f}"
    key = f"body-{letter}"
    return group(
        element("title", t(_description(tail, seats))),
        path(f"M{hx:.1f} {hy:.1f}L{lx:.1f} {ly:.1f}", "reach"),
        path(stub, "stub-edge"),
        path(stub, "stub"),
        use(MOODS[tail.state], transform=at(hx, hy + 18, 0, 0.235)),
        circle(lx, ly, 12.5, "disc"),
        svg_text(lx, ly + 6.5, letter, "disc-letter", 18),
        _points(tail),
        id=key,
        class_=f"body {tail.state} devil seat-{tail.side}",
        tabindex=0,
        role="img",
        # Pointing at a devil lights its tail, and at the tail its devil.
        data_light=key,
        data_lights=key,
    )


def _points(tail: Tail) -> Svg | None:
    """What a closed tail has brought."""
    if tail.state == "open":
        return None
    x, y = layout.POSTS[tail.body].by(HEAD_OUT - 2, POINTS_ALONG)
    wide = 12 + 10 * len(str(tail.points))
    return placed(
        x,
        y,
        rect(-wide / 2, -12, wide, 24, "points-ground", rx=7),
        svg_text(0, 7, tail.points, "points", 20),
        class_="badge-points",
        id=f"points-{tail.letter}",
        data_enter="shock",
        data_heard="run" if tail.points else None,
    )


def _description(tail: Tail, seats: int) -> Line:
    """A tail in words: its devil, the owner, and its length or points."""
    letter = tail.letter
    side = side_name(seats, tail.side)
    if tail.state == "open":
        return says(
            "{letter}, devil of {side}: the tail is {n} tile long so far",
            "{letter}, devil of {side}: the tail is {n} tiles long so far",
            tail.length,
            letter=letter,
            side=side,
        )
    # A tail that met a body has a length, but it scores nothing.
    if tail.state == "met":
        return say(
            "{letter}, devil of {side}: met {other}, no points",
            letter=letter,
            side=side,
            other=LETTERS[tail.goal],
        )
    return says(
        "{letter}, devil of {side}: {n} point",
        "{letter}, devil of {side}: {n} points",
        tail.points,
        "T17",
        letter=letter,
        side=side,
    )


# -- the corners -------------------------------------------------------------------------------


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
    standing = " turn" if view.turn_of(side) else ""
    if side in view.winners:
        standing = " winner"
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
