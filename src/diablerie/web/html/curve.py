"""The curve of a finished match: a picture of everyone's chances after every step.

Its lines run from the first step at `data-left` to the last at `data-right`, in the units of its
viewBox: from these the script finds the step at which the mouse points. One seat's line stands out,
and the others are drawn with fewer points.
"""

from collections.abc import Sequence

from diablerie.art.marks import DASHES, token
from diablerie.art.svg import Svg, at, circle, group, path, rect, svg, svg_text
from diablerie.bots.analysis.findings import Analysis
from diablerie.engine.game import Translate
from diablerie.engine.text import say

DIAGRAM_WIDTH = 400
DIAGRAM_HEIGHT = 190
DIAGRAM_LEFT = 34
DIAGRAM_RIGHT = 290
DIAGRAM_TOP = 14
DIAGRAM_BOTTOM = 172
MARK_RADIUS = 6.5  # radius of the marks at the ends
NAMES_APART = 2.6 * MARK_RADIUS
GRID_LEVELS = (0, 50, 100)  # of 100 games
FINE_POINTS = 250  # of the line that stands out, about at most
COARSE_POINTS = 60  # of each other line
NAME_LETTERS = 10  # letters of a name beside the end of its line, at most


def curve_svg(
    analysis: Analysis,
    step: int,
    t: Translate,
    *,
    steps: int = 0,
    who: int = 0,
    points: Sequence[int] = (),
    names: Sequence[str] = (),
    starts: Sequence[int] = (),
) -> Svg:
    """The picture, with a bar at `step`.

    steps: the match's number, if the analysis runs; who: the seat whose line stands out, with its
    turning points at the steps `points`; names: of the seats, beside the ends of their lines; a
    click there asks for that seat; starts: the first steps of the chapters.
    """
    steps = steps or len(analysis.chances)
    seats = sorted(range(len(analysis.chances[0])), key=lambda seat: seat == who)
    done = len(analysis.chances) == steps
    return svg(
        DIAGRAM_WIDTH,
        DIAGRAM_HEIGHT,
        [_level(level) for level in GRID_LEVELS],
        [path(f"M{across(one, steps):.1f} {DIAGRAM_BOTTOM}v5", "level") for one in starts],
        rect(
            across(step, steps) - 2,
            DIAGRAM_TOP - 8,
            4,
            DIAGRAM_BOTTOM - DIAGRAM_TOP + 16,
            "now",
            rx=2,
        ),
        [_line(analysis, seat, steps, mine=seat == who) for seat in seats],
        _ends(analysis, who, step, names) if done else None,
        [_point(analysis, one, who, k + 1, steps) for k, one in enumerate(points)],
        class_="curve",
        title=t(say("Everyone’s chances, step by step")),
        data_curve=True,
        data_left=DIAGRAM_LEFT,
        data_right=DIAGRAM_RIGHT,
    )


def across(step: float, steps: int) -> float:
    """The x coordinate of a step."""
    return DIAGRAM_LEFT + (DIAGRAM_RIGHT - DIAGRAM_LEFT) * (step - 1) / max(steps - 1, 1)


def up(chance: float) -> float:
    """The y coordinate of a chance from 0 to 1."""
    return DIAGRAM_BOTTOM + (DIAGRAM_TOP - DIAGRAM_BOTTOM) * chance


def _level(games: int) -> Svg:
    y = up(games / 100)
    line = path(f"M{DIAGRAM_LEFT} {y:.1f}H{DIAGRAM_RIGHT}", "level")
    return group(line, svg_text(DIAGRAM_LEFT - 6, y + 5, games, "level-text"))


def _line(analysis: Analysis, seat: int, steps: int, *, mine: bool) -> Svg:
    chances = [(k, analysis.chance(k, seat)) for k in range(1, len(analysis.chances) + 1)]
    thinned = _thinned(chances, FINE_POINTS if mine else COARSE_POINTS)
    drawn = "L".join(f"{across(k, steps):.1f} {up(chance):.1f}" for k, chance in thinned)
    line = path("M" + drawn, "line", stroke_dasharray=DASHES[seat] or None)
    return group(line, class_=f"seat-{seat}" + (" mine" if mine else ""))


def _thinned(points: Sequence[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """Means of points beside each other, about `most` or fewer; the first and the last stay."""
    from statistics import fmean  # which imports much, and only long matches need it

    many = -(-len(points) // most)
    parts = [points[k : k + many] for k in range(0, len(points), many)]
    means = []
    for part in parts:
        xs, ys = zip(*part, strict=True)
        means.append((fmean(xs), fmean(ys)))
    return means if many == 1 else [points[0], *means[1:-1], points[-1]]


def _ends(analysis: Analysis, who: int, step: int, names: Sequence[str]) -> list[Svg]:
    """The seats' marks and names at the ends of their lines, moved apart if lines end together."""
    last = analysis.chances[-1]
    order = sorted(range(len(last)), key=lambda i: (last[i], -i))
    heights = [up(last[seat]) for seat in order]
    for i in range(1, len(order)):  # from below, each above the one before
        heights[i] = min(heights[i], heights[i - 1] - NAMES_APART)
    for i in reversed(range(len(order))):  # and back down, where that is higher than the picture
        heights[i] = max(heights[i], DIAGRAM_TOP + (len(order) - 1 - i) * NAMES_APART)
    ends = zip(order, heights, strict=True)
    return [
        group(
            token(seat, MARK_RADIUS),
            svg_text(12, 5, _short(names[seat]), "name") if names else None,
            transform=at(DIAGRAM_RIGHT + 14, y),
            class_="end mine" if seat == who else "end",
            data_step_to=step,
            data_who=seat,
        )
        for seat, y in ends
    ]


def _short(name: str) -> str:
    """A name beside a line: of a long one the last word, or with a number the beginning, too."""
    if len(name) <= NAME_LETTERS:
        return name
    last = name.split()[-1][:NAME_LETTERS]
    return f"{name[: NAME_LETTERS - len(last) - 2]}. {last}" if last.isdecimal() else last


def _point(analysis: Analysis, step: int, seat: int, number: int, steps: int) -> Svg:
    x = across(step, steps)
    y = up(analysis.chance(step, seat))
    return group(
        circle(x, y, 9.5, "disc"),
        svg_text(x, y + 5, number, "number"),
        class_=f"turn seat-{seat}",
        data_step_to=step,
    )
