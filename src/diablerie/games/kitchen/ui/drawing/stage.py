"""The stove in the middle: the Oberteufel, the duel at hand, its bursts one after the other."""

from functools import cache
from math import cos, radians, sin

from diablerie.art import props
from diablerie.art.cut import cut, gouges
from diablerie.art.svg import Parted, Svg, at, circle, group, parted, path, placed, rect, svg_text
from diablerie.engine.game import Moves, Translate
from diablerie.engine.text import say
from diablerie.games.kitchen.ui.drawing.layout import STOVE
from diablerie.games.kitchen.ui.drawing.parts import coloured, devil, use
from diablerie.games.kitchen.ui.view import DuelView, View

X, Y = STOVE
FIRST_PRESS = 250  # milliseconds
LATEST_JUMP = 2500  # milliseconds
LATEST_JUMP_OF_OTHERS = 1200  # milliseconds, for a player who only looks on
BURST_MILLISECONDS = 420  # from burst to burst, while there is time
ENLARGED = 2.8  # so many times as large the stove is while presses are shown
LONG_WORD = 8  # letters on a sign in full size
NEXT_PRESS = 1600  # how long the stove waits for the presser's next press

# How attacker and defender look, by how the duel stands.
FIGHTERS = {
    "asked": ("sly", "wild"),
    "fought": ("sly", "sly"),
    "refused": ("grin", "sulk"),
    "won": ("triumph", "burnt"),
    "lost": ("burnt", "triumph"),
}


def stage(view: View, moves: Moves, t: Translate) -> Parted:
    """The stove and what happens at it."""
    return parted(
        "g",
        _oberteufel(view),
        stove(),
        _duel(view, view.duel, t) if view.duel else None,
        group(
            _sign(X - 66, "fight", t(say("Fight")), moves),
            _sign(X + 66, "refuse", t(say("Refuse")), moves),
        )
        if "fight" in moves
        else None,
    )


@cache
def button() -> Svg:
    """The stove's button, round (0, 0)."""
    return group(
        circle(0, 0, 13, "edge-fill"),
        circle(0, 0, 11, "button ink-line"),
        circle(-3, -3, 3, "glint"),
    )


@cache
def stove() -> Svg:
    """The stove with its button."""
    return placed(
        X,
        Y - 2,
        props.stove(),
        placed(0, 106, button()),
        scale=0.86,
        id="kitchen-stove",
    )


def oberteufel_mood(view: View) -> str:
    """The mood of the Oberteufel: he sleeps without a fight, and jumps when a duel is decided."""
    if view.node == "over":
        return "triumph"
    if not view.duel or view.duel.state == "refused":
        return "sleep"
    return "wild" if view.duel.decided else "sly"


def _oberteufel(view: View) -> Svg:
    mood = oberteufel_mood(view)
    if mood == "wild" and view.duel:
        jump = group(  # after the bursts before that have been shown
            placed(X, Y + 22, props.flames(170, 120)),
            placed(X, Y - 2, use("head-wild"), turn=-6, scale=0.86),
            id=f"kitchen-jump-{view.duel.id}",
            class_="devil",
            data_enter="shock",
            data_heard="jump",
            **after_bursts(view, view.duel),
        )
        return group(jump, group(_head("sly", 34), class_="lurks"))
    cap = props.nightcap() if mood == "sleep" else None
    head = _head(mood, 8 if view.node == "over" else 34, cap)
    return group(head, class_="devil", id=f"kitchen-oberteufel-{mood}")


def _head(mood: str, down: float, cap: Svg | None = None) -> Svg:
    return placed(X, Y + down, use(f"head-{mood}"), cap, scale=0.66)


# -- the duel ----------------------------------------------------------------------------------


def _delays(view: View, duel: DuelView) -> list[int]:
    """The delay of each burst in milliseconds: slower and slower, until the latest jump."""
    looks_on = view.viewer >= 0 and view.viewer not in duel.seats
    latest = LATEST_JUMP_OF_OTHERS if looks_on else LATEST_JUMP
    beats = [FIRST_PRESS + BURST_MILLISECONDS * (i + i * (i - 1) / 8) for i in range(duel.bursts)]
    squeeze = min(1.0, latest / max(1.0, beats[-1] if beats else 1.0))
    return [round(beat * squeeze) for beat in beats]


def after_bursts(view: View, duel: DuelView) -> dict[str, int]:
    """Attributes that delay what shows the end of a duel until its bursts have been shown."""
    if not duel.decided:
        return {}
    return {"data_beat": duel.bursts + 1, "data_delay": _delays(view, duel)[-1]}


def _duel(view: View, duel: DuelView, t: Translate) -> Svg:
    """Both fighters beside the stove, and the bursts in an arch above it."""
    fighters = [_fighter(view, duel, side) for side in (0, 1)]
    ends = [_fighter(view, duel, side, "-end") for side in (0, 1)] if duel.decided else []
    press = _press(duel, t) if duel.decided and view.viewer in duel.seats else None
    return group(*fighters, *_bursts(view, duel), *ends, press, data_zoom=f"{X} {Y} {ENLARGED}")


def _coloured(view: View, duel: DuelView, kind: str, side: int) -> str:
    """The class of what belongs to the attacker (0) or the defender (1)."""
    colour = duel.colours[side]
    return coloured(kind, colour, view.colours[colour].seat)


def _fighter(view: View, duel: DuelView, side: int, end: str = "") -> Svg:
    """A fighter; in a decided duel as before the end, and over that (`end`) as after it."""
    state = "fought" if duel.decided and not end else duel.state
    neutral = view.colours[duel.colours[side]].seat is None
    return group(
        circle(0, 0, 34, "edge-fill"),
        circle(0, 0, 31, "seat-fill ink-line"),
        devil(FIGHTERS[state][side], None if neutral else duel.caps[side], 0.3),
        transform=at(X + (86 if side else -86), Y + 52),
        class_=_coloured(view, duel, "devil", side),
        id=f"kitchen-fighter-{duel.id}-{side}{end}",
        data_enter="pop",
        **(after_bursts(view, duel) if end else {}),
    )


def _bursts(view: View, duel: DuelView) -> list[Svg]:
    """The last bursts; with more of them their numbers would lie on each other."""
    count = duel.bursts
    delays = _delays(view, duel)
    first = max(0, count - 10)
    gap = 27 if count < 8 else 20
    return [
        _burst(view, duel, i, 270 + (i - (first + count - 1) / 2) * gap, delays[i])
        for i in range(first, count)
    ]


def _press(duel: DuelView, t: Translate) -> Svg:
    """The stove's button, which a fighter who watches may press while the bursts are shown."""
    word = t(say("Press!"))
    return placed(
        X,
        Y + 89,
        circle(0, 0, 52, "hit"),
        circle(0, 0, 30, "press-ring"),
        circle(0, 0, 19, "button ink-line press-button"),
        rect(-52, 14, 104, 31, "press-label ink-thin", rx=9),
        svg_text(0, 38, word, "press-word", 24),
        class_="pacer",
        id=f"kitchen-press-{duel.id}",
        data_pacer=NEXT_PRESS,
        data_word=word,
    )


def _burst(view: View, duel: DuelView, i: int, angle: float, delay: int) -> Svg:
    """A burst of i + 1 presses by attacker or defender in turn; `data-clicks` if the viewer's."""
    x = X + 114 * cos(radians(angle))
    y = Y + 4 + 114 * sin(radians(angle))
    last = i == duel.bursts - 1 and duel.decided
    return placed(
        x,
        y,
        path(
            "M0 -30L7 -18L21 -21L18 -7L30 0L18 7L21 21L7 18L0 30L-7 18L-21 21L-18 7L-30 0L-18 -7"
            "L-21 -21L-7 -18Z",
            "spark-star ink-thin",
        )
        # The press that made him jump is a star.
        if last
        else circle(0, 0, 21, "edge-fill"),
        circle(0, 0, 17, "seat-fill ink-thin"),
        svg_text(0, 8.5, i + 1, "seat-text", 24),
        class_=_coloured(view, duel, "burst", i % 2),
        id=f"kitchen-burst-{duel.id}-{i}",
        data_enter="pop",
        data_delay=delay,
        data_beat=i + 1,
        data_heard="press",
        data_clicks=i + 1 if view.viewer == duel.seats[i % 2] else None,
    )


# -- fight or flee -----------------------------------------------------------------------------


def _sign(x: float, action: str, words: str, moves: Moves) -> Svg:
    """One of the wooden signs to answer a challenge with."""
    board = cut(
        "M-56 -20L54 -22L56 18L-54 21Z",
        "sign-wood",
        gouges([(-44, -6, -12, -8), (20, 10, 46, 8)], 2),
    )
    return placed(
        x,
        Y + 104,
        rect(-60, -28, 120, 56, "hit"),
        board,
        svg_text(0, 8, words, "sign-word", 24 if len(words) <= LONG_WORD else 21),
        class_="spot can" if action in moves else "spot",
        data_action=action,
        id=f"kitchen-sign-{action}",
        data_enter="pop",
    )
