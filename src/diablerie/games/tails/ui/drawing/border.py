"""Round the hexagon of TAILS: the devils with their letters and points, and the tail ends."""

from typing import Any

from diablerie.art.svg import Svg, at, circle, element, group, path, rect, text
from diablerie.engine.game import Translate
from diablerie.engine.text import Line, say, says
from diablerie.games.tails.rules.board import LETTERS
from diablerie.games.tails.ui.drawing import layout
from diablerie.games.tails.ui.drawing.symbols import MOODS, use
from diablerie.games.tails.ui.text.log import side_name
from diablerie.games.tails.ui.tracing import MET, OPEN, SCORED

HEAD, DISC, POINTS = 50, 17, -32  # how far out heads and letters are, how far along the points


def border(view: dict[str, Any], t: Translate) -> Svg:
    """All of it."""
    seats = len(view["sides"])
    arrived = {tail["goal"]: tail for tail in view["tails"] if tail["state"] == SCORED}
    return group(
        path(layout.outline(layout.rim(5)), "ledge"),
        path(layout.outline(layout.rim(0)), "rim"),
        *(_end(body, arrived.get(body)) for body in range(len(LETTERS))),
        *(_devil(tail, seats, t) for tail in view["tails"]),
    )


def _end(body: int, tail: dict[str, Any] | None) -> Svg:
    """A tail end: an empty socket, or the spade of the tail that has come out there."""
    post = layout.POSTS[body]
    turned = at(*post.tail, layout.heading(post.out))
    if tail is None:
        return use("spade", "socket", transform=turned)
    spade = use("spade", "spade", transform=turned)
    x, y = post.by(31, layout.EDGE / 3)
    letter = text(x, y + 6, tail["letter"], "end-letter", font_size=18)
    key = f"body-{tail['letter']}"
    return group(spade, letter, class_=f"end seat-{tail['side']}", data_light=key, data_lights=key)


def _devil(tail: dict[str, Any], seats: int, t: Translate) -> Svg:
    post, letter = layout.POSTS[tail["body"]], tail["letter"]
    (hx, hy), (lx, ly) = post.by(HEAD), post.by(DISC)
    stub = f"M{lx:.1f} {ly:.1f}L{post.body[0]:.1f} {post.body[1]:.1f}"
    key = f"body-{letter}"
    return group(
        element("title", t(_told(tail, seats))),
        path(f"M{hx:.1f} {hy:.1f}L{lx:.1f} {ly:.1f}", "reach"),
        path(stub, "stub-edge"),
        path(stub, "stub"),
        use(MOODS[tail["state"]], transform=at(hx, hy + 18, 0, 0.235)),
        circle(lx, ly, 12.5, "disc"),
        text(lx, ly + 6.5, letter, "disc-letter", font_size=18),
        _points(tail),
        id=key,
        class_=f"body {tail['state']} devil seat-{tail['side']}",
        tabindex=0,
        role="img",
        data_light=key,
        data_lights=key,
    )


def _points(tail: dict[str, Any]) -> Svg | None:
    """What a closed tail has brought."""
    if tail["state"] == OPEN:
        return None
    x, y = layout.POSTS[tail["body"]].by(HEAD - 2, POINTS)
    shown = tail["length"] if tail["state"] == SCORED else 0
    wide = 22 if shown < 10 else 32 if shown < 100 else 42
    return group(
        rect(-wide / 2, -12, wide, 24, "points-ground", rx=7),
        text(0, 7, shown, "points", font_size=20),
        transform=at(x, y),
        class_="badge-points",
    )


def _told(tail: dict[str, Any], seats: int) -> Line:
    """Devil, owner and length."""
    own = {"letter": tail["letter"], "side": side_name(seats, tail["side"])}
    if tail["state"] == OPEN:
        return says(
            "{letter}, devil of {side}: the tail is {n} tile long so far",
            "{letter}, devil of {side}: the tail is {n} tiles long so far",
            tail["length"],
            **own,
        )
    if tail["state"] == MET:
        goal = LETTERS[tail["goal"]]
        return say("{letter}, devil of {side}: met {other}, no points", other=goal, **own)
    return says(
        "{letter}, devil of {side}: {n} point",
        "{letter}, devil of {side}: {n} points",
        tail["length"],
        clause="T17",
        **own,
    )
