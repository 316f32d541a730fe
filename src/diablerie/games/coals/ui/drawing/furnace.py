"""The furnace of COALS, whose arch is the track: the pieces left in it, their tally, the pawns."""

from bisect import bisect
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from math import ceil, cos, dist, pi, sin
from typing import NamedTuple

from diablerie.art import pieces, props
from diablerie.art.cut import cut
from diablerie.art.svg import Parted, Svg, at, element, group, parted, path, placed, rect, svg_text
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import Line, say
from diablerie.games.coals.rules.state import DEVIL
from diablerie.games.coals.ui.drawing.symbols import face, lump, use
from diablerie.games.coals.ui.view import View, kind_in_words

# -- the track: the stones of the arch, from 0-50 on the left to 1600 --------------------------


ARCH_LEFT = 46
ARCH_RIGHT = 554
ARCH_BASE = 356
ARCH_SPRING = 214
ARCH_RISE = 152
HALF_DEPTH = 30  # of a stone's depth
GAP = 1.6  # mortar
MARK_WIDTH = 1.5  # a mark's stone, against a grey one
PAWNS_ABOVE = 22  # so far above a label's line pawns stand: its digits stay whole


class Point(NamedTuple):
    """A point of the arch's middle line and its outward normal."""

    x: float
    y: float
    nx: float
    ny: float

    def out(self, depth: float) -> tuple[float, float]:
        """The point so far outside the middle line."""
        return self.x + self.nx * depth, self.y + self.ny * depth


def _line() -> list[tuple[float, float]]:
    centre = (ARCH_LEFT + ARCH_RIGHT) / 2
    half = (ARCH_RIGHT - ARCH_LEFT) / 2
    arc = [pi * i / 180 for i in range(181)]
    bow = [(centre - half * cos(a), ARCH_SPRING - ARCH_RISE * sin(a)) for a in arc]
    return [(ARCH_LEFT, ARCH_BASE), *bow, (ARCH_RIGHT, ARCH_BASE)]


ARCH_POINTS = _line()
ARCH_LENGTHS = [0.0, *accumulate(dist(a, b) for a, b in pairwise(ARCH_POINTS))]
ARCH_LENGTH = ARCH_LENGTHS[-1]


def point(along: float) -> Point:
    """The point of the arch at a distance along it, from the left foot."""
    i = min(max(bisect(ARCH_LENGTHS, along) - 1, 0), len(ARCH_POINTS) - 2)
    x, y = ARCH_POINTS[i]
    x2, y2 = ARCH_POINTS[i + 1]
    span = ARCH_LENGTHS[i + 1] - ARCH_LENGTHS[i]
    dx = (x2 - x) / span
    dy = (y2 - y) / span
    beyond = along - ARCH_LENGTHS[i]
    return Point(x + dx * beyond, y + dy * beyond, dy, -dx)


@cache
def bounds(marks: int) -> list[tuple[float, float]]:
    """Where each space begins and ends on the arch: 0-50, then a grey and a mark in turn."""
    widths = [MARK_WIDTH if i % 2 == 0 else 1.0 for i in range(2 * marks + 1)]
    unit = ARCH_LENGTH / sum(widths)
    ends = list(accumulate(w * unit for w in widths))
    return list(zip([0.0, *ends[:-1]], ends, strict=True))


@cache
def track(marks: tuple[int, ...]) -> Svg:
    """The stones of the track with their labels."""
    size = 19 if len(marks) < 9 else 16
    stones = [_stone(a, b, i % 2 == 0) for i, (a, b) in enumerate(bounds(len(marks)))]
    names = ["0–50", *marks]
    labels = []
    for i, name in enumerate(names):
        x, y = _foot(len(marks), 2 * i)
        labels.append(svg_text(x, y, name, "track-label", size))
    # Bare numbers say nothing to those who only hear them.
    return group(*stones, *labels, id="coals-track", aria_hidden="true")


def _foot(marks: int, space: int) -> tuple[float, float]:
    """The lower middle of a stone: a mark's label stands there, on a grey one the pawns."""
    start, end = bounds(marks)[space]
    middle = point((start + end) / 2)
    upright = abs(middle.nx) > 0.999
    return middle.x, middle.y + ((end - start) / 2 - 11 if upright else 14)


def _stone(start: float, end: float, mark: bool) -> Svg:
    depth = HALF_DEPTH if mark else HALF_DEPTH - 5
    steps = max(2, ceil((end - start) / 12))
    along = [start + GAP + (end - start - 2 * GAP) * i / steps for i in range(steps + 1)]
    outer = [point(s).out(depth) for s in along]
    inner = [point(s).out(-depth) for s in reversed(along)]
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in outer + inner) + "Z"
    return path(d, "stone mark" if mark else "stone grey")


@lru_cache(64)
def flag(marks: int, space: int, goal: int, t: Translate) -> Svg:
    """A pennant outside the arch, by the stone on which a pawn has reached the goal."""
    start, end = bounds(marks)[space]
    middle = point((start + end) / 2)
    x, y = middle.out(HALF_DEPTH)
    tip = 13 if middle.nx >= 0 else -13  # it flies away from the stones
    ends = say("The game ends when somebody owns {goal}", "C21", goal=goal)
    return group(
        element("title", t(ends)),
        path(f"M0 -24L{tip} -18L0 -12Z", "pennant"),
        path("M0 2V-25", "pole"),
        id="coals-goal",
        transform=at(x, y),
    )


@lru_cache(256)
def pawns(marks: tuple[int, ...], spaces: tuple[int, ...]) -> Svg:
    """A pawn for each seat on its space; those that share one stand in rows."""
    placed = [pawn(marks, spaces, seat) for seat in range(len(spaces))]
    ordered = sorted(placed, key=lambda spot: spot[0])  # who stands in front covers who is behind
    return group(*(drawn for _, drawn in ordered), id="coals-pawns")


def pawn(marks: tuple[int, ...], spaces: tuple[int, ...], seat: int) -> tuple[float, Svg]:
    """One of the pawns, and how far down it stands."""
    space = spaces[seat]
    x, y = _foot(len(marks), space)
    sharing = [i for i, other in enumerate(spaces) if other == space]
    wide = _width(len(marks), space)
    columns = min(len(sharing), max(2, int(wide / 20)))
    row, column = divmod(sharing.index(seat), columns)
    rows = ceil(len(sharing) / columns)
    beside = min(columns, len(sharing) - row * columns)
    x += (column - (beside - 1) / 2) * min(20, wide / columns)
    y += (row - rows + 1) * (17 if rows < 3 else 12) - (PAWNS_ABOVE if space % 2 == 0 else 0)
    drawn = group(
        pieces.pawn(seat), id=f"coals-pawn-{seat}", data_move=True, transform=at(x, y, 0, 0.82)
    )
    return y, drawn


def _width(marks: int, space: int) -> float:
    """The room for pawns side by side on a stone; a slanting one has some of both its sides."""
    start, end = bounds(marks)[space]
    middle = point((start + end) / 2)
    along = abs(middle.ny) * (end - start)
    across = abs(middle.nx) * 2 * HALF_DEPTH
    return max(along, across, 0.75 * (along + across))


# -- the furnace: the vault with its devil, the pieces left in it, the tally of kinds ----------


HEIGHT = 470  # of furnace and tally together
HEAP = (12, 11, 9, 7, 5, 4)  # pieces in a row, from below: 48


def furnace(view: View, moves: Moves, t: Translate) -> Parted:
    """Wall, vault, devil, heap, signs and tally."""
    return parted(
        "g",
        wall(),
        None if view.over else fire(),
        sleeper(devil_mood(view)),
        _heap(sum(view.furnace), tuple(_tries("pull", view, moves).items())),
        _signs(view, moves, t),
        _ledge(),
        _tally(view.furnace, view.full, view.node == "pull", t),
    )


def _tries(action: str, view: View, moves: Moves) -> dict[str, str]:
    """The attributes of a spot: a watcher's picture has none."""
    if view.viewer < 0 or view.over:
        return {}
    return {"data_action": action, "class_": "spot can" if action in moves else "spot"}


@cache
def wall() -> Svg:
    """The wall with its vault."""
    courses = "".join(f"M0 {y}H600" for y in range(24, 350, 36))
    joints = "".join(
        f"M{x} {y}v36"
        for i, y in enumerate(range(24, 320, 36))
        for x in range(30 * (i % 2), 600, 60)
    )
    points = [point(ARCH_LENGTH * i / 60).out(-HALF_DEPTH) for i in range(61)]
    mouth = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
    outer = [point(ARCH_LENGTH * i / 60).out(HALF_DEPTH + 3) for i in range(61)]
    arch = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in outer) + "Z"
    return group(
        rect(0, 0, 600, ARCH_BASE, "wall", rx=12),
        path(courses + joints, "bricks"),
        path(arch, "mortar"),
        path(mouth, "vault"),
        id="coals-wall",
    )


@cache
def fire() -> Svg:
    """The flames at the back of the vault."""
    back = _flames(((150, 150, 150), (250, 190, 215), (360, 190, 205), (455, 150, 140)))
    front = _flames(((200, 170, 120), (310, 220, 150), (420, 170, 110)))
    return group(group(back, class_="back"), front, id="coals-fire", data_glow=True)


def _flames(tongues: Sequence[tuple[int, int, int]]) -> Svg:
    """Each a place and a size."""
    return group(
        *(placed(x, ARCH_BASE, group(props.flames(w, h), class_="fire")) for x, w, h in tongues)
    )


def devil_mood(view: View) -> str:
    """The head that looks out of the furnace."""
    if view.over:
        return "sulk"
    return "wild" if any(own.busted for own in view.seats) else "sleep"


@cache
def sleeper(mood: str) -> Svg:
    """The devil in the furnace; he wears a nightcap while he sleeps."""
    cap = props.nightcap() if mood == "sleep" else None
    turned = {"data_enter": "shock"} if mood == "wild" else {}
    return group(
        use(f"head-{mood}"),
        cap,
        transform=at(300, 250),
        id=f"coals-devil-{mood}",
        class_="devil",
        **turned,
    )


@cache
def _spots() -> tuple[tuple[float, float], ...]:
    """Where the pieces of the heap lie, from below."""
    spots = []
    for row, count in enumerate(HEAP):
        for i in range(count):
            wobble = (i * 7 + row * 5) % 5 - 2
            spots.append(
                (300 + (i - (count - 1) / 2) * 31 + wobble, ARCH_BASE - 14 - row * 18 + wobble)
            )
    return tuple(spots)


@lru_cache(256)
def _heap(left: int, tries: tuple[tuple[str, str], ...]) -> Svg:
    """The face-down pieces; which is which nobody knows, so the topmost goes first."""
    lumps = [
        placed(x, y, lump(i), id=f"coals-heap-{i}") for i, (x, y) in enumerate(_spots()[:left])
    ]
    return group(*lumps, id="coals-heap", **dict(tries))


# -- the signs ---------------------------------------------------------------------------------


def _signs(view: View, moves: Moves, t: Translate) -> Svg | None:
    """For whoever's turn it is: stop, and pull."""
    if view.viewer < 0 or view.turn != view.viewer:
        return None
    coal = view.seats[view.viewer].coal
    stop = _sign(150, say("Stop"), coal, t, id="coals-stop", **_tries("stop", view, moves))
    pull = _sign(450, say("Pull"), None, t, id="coals-pull", **_tries("pull", view, moves))
    return group(stop, pull)


def _sign(x: float, word: Line, number: int | None, t: Translate, **attrs: object) -> Svg:
    board = "M-56 -26L55 -28L58 27L-54 29Z"
    grain = path("M-48 -16H-20M6 -18H46M-46 18H10M30 17H48", "grain")
    lines = [svg_text(0, 8 if number is None else -2, t(word), "sign-word", 24)]
    if number is not None:
        lines.append(svg_text(0, 22, number, "sign-word", 24))
    return group(cut(board, "sign", grain), *lines, transform=at(x, 212), **attrs)


# -- the tally ---------------------------------------------------------------------------------


@cache
def _ledge() -> Svg:
    shape = "M2 350L598 350L594 370L6 370Z"
    light = path("M14 356H586", "cut-light")
    return cut(shape, "iron", light, id="coals-ledge")


@lru_cache(256)
def _tally(left: tuple[int, ...], full: tuple[int, ...], pulling: bool, t: Translate) -> Svg:
    kinds = [_kind(kind, count, full[kind], t) for kind, count in enumerate(left)]
    odds = _odds(left[DEVIL], sum(left), pulling, t)
    return placed(0, 398, *kinds, odds, id="coals-tally")


def _kind(kind: int, left: int, full: int, t: Translate) -> Svg:
    """One kind: its face, how many are left, and a pip for each there is."""
    x = 26 + kind * 71
    seen = group(
        placed(x, 0, face(kind), scale=1.1),
        svg_text(x + 24, 9, left, "count", 25),
        path(_pips(x - 22, left), "pip"),
        path(_pips(x - 22 + 7 * left, full - left), "pip gone"),
        aria_hidden="true",
    )
    words = t(kind_in_words(kind, left, full))
    return group(seen, class_="kind" if left else "kind none", role="img", aria_label=words)


def _pips(x: float, count: int) -> str:
    return "".join(f"M{x + 7 * i:.0f} 30v11" for i in range(count))


def _odds(devils: int, left: int, pulling: bool, t: Translate) -> Svg:
    percent = round(100 * devils / left) if left else 0
    risk = t(say("{percent}%", percent=percent))
    return group(
        element("title", t(say("Chance that the next piece is a devil", "C12"))),
        svg_text(592, 12, risk, "odds", 34),
        svg_text(592, 62, t(say("that the next is a devil")), "odds-word", 18),
        rect(512, 28, 80, 14, "gauge", rx=7),
        rect(512, 28, max(0.8 * percent, 4 if devils else 0), 14, "gauge-devils", rx=7),
        id="coals-odds",
        **({"data_pulse": percent} if pulling else {}),
    )
