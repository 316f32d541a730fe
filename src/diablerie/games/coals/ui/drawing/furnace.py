"""The furnace of COALS: the vault with its devil, the pieces left in it, the tally of kinds."""

from collections.abc import Sequence
from functools import cache, lru_cache

from diablerie.art import props
from diablerie.art.cut import cut
from diablerie.art.svg import Parted, Svg, at, element, group, parted, path, placed, rect, svg_text
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import Line, say
from diablerie.games.coals.rules.state import DEVIL
from diablerie.games.coals.ui.drawing.symbols import face, lump, use
from diablerie.games.coals.ui.drawing.track import ARCH_BASE, ARCH_LENGTH, HALF_DEPTH, point
from diablerie.games.coals.ui.view import View

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
        _tally(view.furnace, view.full, t),
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
    return group(group(back, class_="back"), front, id="coals-fire")


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
def _tally(left: tuple[int, ...], full: tuple[int, ...], t: Translate) -> Svg:
    kinds = [_kind(kind, count, full[kind] - count) for kind, count in enumerate(left)]
    odds = _odds(left[DEVIL], sum(left), t)
    return placed(0, 398, *kinds, odds, id="coals-tally")


def _kind(kind: int, left: int, gone: int) -> Svg:
    """One kind: its face, how many are left, and a pip for each there is."""
    x = 26 + kind * 71
    return group(
        placed(x, 0, face(kind), scale=1.1),
        svg_text(x + 24, 9, left, "count", 25),
        path(_pips(x - 22, left), "pip"),
        path(_pips(x - 22 + 7 * left, gone), "pip gone"),
        class_="kind" if left else "kind none",
    )


def _pips(x: float, count: int) -> str:
    return "".join(f"M{x + 7 * i:.0f} 30v11" for i in range(count))


def _odds(devils: int, left: int, t: Translate) -> Svg:
    share = round(100 * devils / left) if left else 0
    risk = t(say("{percent}%", percent=share))
    return group(
        element("title", t(say("Chance that the next piece is a devil", "C12"))),
        svg_text(592, 12, risk, "odds", 34),
        svg_text(592, 62, t(say("that the next is a devil")), "odds-word", 18),
        rect(512, 28, 80, 14, "gauge", rx=7),
        rect(512, 28, max(0.8 * share, 4 if devils else 0), 14, "gauge-devils", rx=7),
        id="coals-odds",
    )
