"""Everyone's chances in a finished match: their curve as a picture, and the turning points in sentences.

All changes are told by one measure, how much likelier it became to win: of 100 games played on,
about so many more or fewer are won. A turning point is a mistake, luck, or what was neither.

The lines of the curve run from the first step at `data-left` to the last at `data-right`, in the units
of its viewBox: from these the script finds the step at which the mouse points. One seat's line stands
out, and the others are drawn with fewer points.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from diablerie.art.marks import DASHES, token
from diablerie.art.svg import Svg, at, circle, group, path, rect, svg, svg_text
from diablerie.bots.analysis.findings import Analysis, TurningPoint, Verdict
from diablerie.bots.analysis.timeline import mover
from diablerie.engine.game import Game, Translate
from diablerie.engine.match import Chapter, Match
from diablerie.engine.queries import redacted, sees
from diablerie.engine.record import Record
from diablerie.engine.replay import ReplayStep, number_of
from diablerie.engine.text import Line, SeatRef, say
from diablerie.engine.verbs import CHANCE, EVERYTHING, WATCHER

# -- turning points in sentences -------------------------------------------------------------------

CHANCE_STEP = 5  # chances are no more precise, with some fifty playouts, than so many games of 100
LUCK_SHARE = 0.5  # the share of a change that luck must have, to be called luck
MANY_SIDES = 3  # sides: with fewer it goes without saying who gains by a mistake
ENOUGH_OWN_POINTS = 3  # turning points of a match: with fewer of one seat, others' are told as well
MOST_LOG_LINES = 4  # of the log, at most, at a turning point
Kind = Literal["mistake", "luck", "turn"]


class NamedMove(NamedTuple):
    """A decision as its button says it, and the game's reason for it, None if it has none."""

    label: Line
    why: Line | None


class Point(NamedTuple):
    """A turning point of a seat.

    kind: a mistake, luck of the dice, or a change that was neither; verdict: what it changed;
    played: what was decided, if that was a mistake or the log does not say it; better: what the Oberteufel
    would have decided in place of a mistake; lines: of others, what happened; and what is said of it.
    """

    step: int
    seat: int
    kind: Kind
    verdict: Line
    played: NamedMove | None = None
    better: NamedMove | None = None
    lines: tuple[Line, ...] = ()


def of_100(chance: float) -> int:
    """A chance, or the change of one, as it is told: of 100 games about so many, in fives."""
    return CHANCE_STEP * round(100 * chance / CHANCE_STEP)


def turning_points(match: Match, analysis: Analysis) -> list[Point]:
    """The turning points of a finished match, in their order; nothing is hidden in them."""
    steps = list(match.steps(EVERYTHING))
    return [
        _point(match.game, analysis, turn, *steps[turn.step - 2 : turn.step])
        for turn in analysis.turns
    ]


def others_points(points: Sequence[Point], analysis: Analysis, seat: int) -> list[Point]:
    """The sharpest turning points of the other seats, as many as a seat lacks to `ENOUGH_OWN_POINTS`.

    They are in the order of the match.
    """
    changes = {turn.step: abs(turn.change) for turn in analysis.turns}
    others = [point for point in points if point.seat != seat]
    others.sort(key=lambda point: -changes[point.step])
    return sorted(
        others[: max(0, ENOUGH_OWN_POINTS - len(points) + len(others))],
        key=lambda point: point.step,
    )


def unlogged_decision(match: Match, step: int, lines: Sequence[Line]) -> Line | None:
    """What was decided at a step, as its button said it, if its `lines` of the log do not say it.

    That is where others could not see it then, and within a plan, which is logged at its end.
    """
    if step < 2 or (seat := mover(match.plies[step - 1])) == CHANCE:
        return None
    before = match.at(step - 1).state
    if lines and sees(before, seat, WATCHER):
        return None
    action = number_of(match.game, before, match.plies[step - 1].events[0])
    return say("Played: “{move}”.", move=match.game.ui.label(redacted(before, seat), seat, action))


def chapter_of(chapters: Sequence[Chapter], step: int) -> int | None:
    """The place of a step's chapter among all; None if there are none."""
    return next((i for i, one in enumerate(chapters) if one.first <= step <= one.last), None)


def _point(
    game: Game, analysis: Analysis, turn: TurningPoint, before: ReplayStep, after: ReplayStep
) -> Point:
    at = turn.step, turn.seat
    verdict = analysis.verdict(turn.step) or Verdict(*at)
    state = before.state
    event = after.ply.events[0]
    seen = redacted(state, turn.seat)
    played = _named(game, seen, turn.seat, number_of(game, state, event))
    # A mistake is told by what would have been better, anything else by what happened.
    if verdict.better:
        better = game.notation.parse_action(seen, turn.seat, verdict.better)
        line = say("Mistake: it cost about {n} wins in 100 games.", n=_games(verdict.cost))
        instead = _named(game, seen, turn.seat, better)
        return Point(*at, "mistake", line, played, instead, _helped(game, seen, verdict))
    secret = None if after.lines and sees(state, turn.seat, WATCHER) else played
    lines = _few(after.lines, turn.seat)
    if verdict.luck is not None and verdict.luck * turn.change > LUCK_SHARE * turn.change**2:
        return Point(*at, "luck", _luck(verdict.luck), secret, lines=lines)
    if verdict.asked:
        best = say(
            "Given what {who} could know, the Oberteufel finds nothing better.", who=turn.seat
        )
        lines += (best,)
    change = analysis.chance(*at) - analysis.chance(turn.step - 1, turn.seat)
    return Point(*at, "turn", _changed(change), secret, lines=lines)


def _few(lines: Sequence[Line], seat: int) -> tuple[Line, ...]:
    """What was done, and what came of it, for the seat and at last."""
    if len(lines) <= MOST_LOG_LINES:
        return tuple(lines)
    named = [i for i, line in enumerate(lines) if names(line, seat)]
    kept = {0, *named[-1:], len(lines) - 2, len(lines) - 1}
    return tuple(lines[i] for i in sorted(kept))


def names(line: Line, seat: int) -> bool:
    """Whether a sentence names a seat."""
    return any(isinstance(value, SeatRef) and value == seat for value in line.values.values())


def _helped(game: Game, seen: Record, verdict: Verdict) -> tuple[Line, ...]:
    """The sentence on who gained by a mistake, where it could have been several."""
    if verdict.helped < 0 or len(set(game.teams(int(seen.seats)))) < MANY_SIDES:
        return ()
    return (say("It helped {who} most.", who=verdict.helped),)


def _named(game: Game, seen: Record, seat: int, action: int) -> NamedMove:
    return NamedMove(game.ui.label(seen, seat, action), game.reason(seen, seat, action))


def _luck(change: float) -> Line:
    if change > 0:
        return say("Good luck: it brought about {n} more wins in 100 games.", n=_games(change))
    return say("Bad luck: it cost about {n} wins in 100 games.", n=_games(change))


def _changed(change: float) -> Line:
    if change > 0:
        return say("Turning point: it brought about {n} more wins in 100 games.", n=_games(change))
    return say("Turning point: it cost about {n} wins in 100 games.", n=_games(change))


def _games(change: float) -> int:
    return min(
        max(CHANCE_STEP, abs(of_100(change))), 100 - CHANCE_STEP
    )  # neither nothing nor all is sure


# -- the curve -------------------------------------------------------------------------------------

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
    # The line that stands out is drawn last, above the others.
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
        [_numbered_point(analysis, one, who, k + 1, steps) for k, one in enumerate(points)],
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


def _numbered_point(analysis: Analysis, step: int, seat: int, number: int, steps: int) -> Svg:
    x = across(step, steps)
    y = up(analysis.chance(step, seat))
    return group(
        circle(x, y, 9.5, "disc"),
        svg_text(x, y + 5, number, "number"),
        class_=f"turn seat-{seat}",
        data_step_to=step,
    )
