"""Round the hexagon of TAILS: the devils with their letters and points, and the tail ends."""

from collections.abc import Sequence
from functools import cache, lru_cache

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
from diablerie.games.tails.rules.state import LETTERS
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.symbols import MOODS, use
from diablerie.games.tails.ui.log import side_name
from diablerie.games.tails.ui.tracing import Tail
from diablerie.games.tails.ui.view import View

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
def _edge(apart: int, klass: str) -> Svg:
    return path(layout.outline(layout.rim(apart)), klass, id=f"tails-{klass}")


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
