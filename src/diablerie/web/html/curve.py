"""The curve of a finished match: a picture of everyone's chances after every step.

Its lines run from the first step at `data-left` to the last at `data-right`, in the units of its
viewBox: from these the script finds the step at which the mouse points.
"""

from collections.abc import Sequence

from diablerie.art.marks import DASHES, token
from diablerie.art.svg import Svg, at, circle, group, path, rect, svg, svg_text
from diablerie.bots.analysis.findings import Analysis, Turn
from diablerie.engine.game import Translate
from diablerie.engine.text import say

WIDTH, HEIGHT = 400, 190
LEFT, RIGHT, TOP, BOTTOM = 44, 378, 14, 172
MARK = 6.5  # radius of the marks at the ends
APART = 2.6 * MARK
LEVELS = (0, 50, 100)  # percent


def curve_svg(analysis: Analysis, step: int, t: Translate, steps: int = 0) -> Svg:
    """The picture, with a bar at `step`. `steps` is the match's number while the analysis runs."""
    steps = steps or len(analysis.chances)
    return svg(
        WIDTH,
        HEIGHT,
        [_level(percent, t) for percent in LEVELS],
        rect(across(step, steps) - 2, TOP - 8, 4, BOTTOM - TOP + 16, "now", rx=2),
        [_line(analysis.chances, seat, steps) for seat in range(len(analysis.chances[0]))],
        _ends(analysis.chances[-1]) if len(analysis.chances) == steps else None,
        [_turn(turn, k + 1, steps) for k, turn in enumerate(analysis.turns)],
        class_="curve",
        title=t(say("Everyone’s chances, step by step")),
        data_curve=True,
        data_left=LEFT,
        data_right=RIGHT,
    )


def across(step: int, steps: int) -> float:
    """The x coordinate of a step."""
    return LEFT + (RIGHT - LEFT) * (step - 1) / max(steps - 1, 1)


def up(chance: float) -> float:
    """The y coordinate of a chance from 0 to 1."""
    return BOTTOM + (TOP - BOTTOM) * chance


def _level(percent: int, t: Translate) -> Svg:
    y = up(percent / 100)
    line = path(f"M{LEFT} {y:.1f}H{RIGHT}", "level")
    return group(
        line, svg_text(LEFT - 6, y + 5, t(say("{percent}%", percent=percent)), "level-text")
    )


def _line(chances: Sequence[Sequence[float]], seat: int, steps: int) -> Svg:
    points = [f"{across(k + 1, steps):.1f} {up(x[seat]):.1f}" for k, x in enumerate(chances)]
    line = path("M" + "L".join(points), "line", stroke_dasharray=DASHES[seat] or None)
    return group(line, class_=f"seat-{seat}")


def _ends(last: Sequence[float]) -> list[Svg]:
    """The seats' marks at the ends of their lines, moved apart where lines end together."""
    order = sorted(range(len(last)), key=lambda i: (last[i], -i))
    heights = [up(last[seat]) for seat in order]
    for i in range(1, len(order)):  # from below, each above the one before
        heights[i] = min(heights[i], heights[i - 1] - APART)
    for i in reversed(range(len(order))):  # and back down, where that is higher than the picture
        heights[i] = max(heights[i], TOP + (len(order) - 1 - i) * APART)
    ends = zip(order, heights, strict=True)
    return [group(token(seat, MARK), transform=at(RIGHT + 12, y)) for seat, y in ends]


def _turn(turn: Turn, number: int, steps: int) -> Svg:
    x, y = across(turn.step, steps), up(turn.after)
    return group(
        circle(x, y, 9.5, "disc"),
        svg_text(x, y + 5, number, "number"),
        class_=f"turn seat-{turn.seat}",
        data_step_to=turn.step,
    )
