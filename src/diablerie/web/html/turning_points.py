"""Turning points of a finished match in sentences: mistakes, luck, and what was neither.

All changes are told by one measure, how much likelier it became to win: of 100 games played on,
about so many more or fewer are won.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from diablerie.bots.analysis.findings import Analysis, TurningPoint, Verdict
from diablerie.bots.analysis.timeline import mover
from diablerie.engine.game import Game
from diablerie.engine.match import Chapter, Match
from diablerie.engine.queries import redacted, sees
from diablerie.engine.record import Record
from diablerie.engine.replay import ReplayStep, number_of
from diablerie.engine.text import Line, SeatRef, say
from diablerie.engine.verbs import CHANCE, EVERYTHING, WATCHER

CHANCE_STEP = 5  # chances are no more precise, with some fifty playouts, than so many games of 100
LUCK_SHARE = 0.5  # the share of a change that luck must have, to be called luck
MANY_SIDES = 3  # sides: with fewer it goes without saying who gains by a mistake
ENOUGH_OWN_POINTS = 3  # turning points of a match: with fewer of one seat, others' are told as well
MOST_LOG_LINES = 4  # of the log, at most, at a turning point
Kind = Literal["mistake", "luck", "turn"]


class Told(NamedTuple):
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
    played: Told | None = None
    better: Told | None = None
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
    played = _told(game, seen, turn.seat, number_of(game, state, event))
    if verdict.better:
        better = game.notation.parse_action(seen, turn.seat, verdict.better)
        line = say("Mistake: it cost about {n} wins in 100 games.", n=_games(verdict.cost))
        instead = _told(game, seen, turn.seat, better)
        return Point(*at, "mistake", line, played, instead, _helped(game, seen, verdict))
    secret = None if after.lines and sees(state, turn.seat, WATCHER) else played
    told = _few(after.lines, turn.seat)
    if verdict.luck is not None and verdict.luck * turn.change > LUCK_SHARE * turn.change**2:
        return Point(*at, "luck", _luck(verdict.luck), secret, lines=told)
    if verdict.asked:
        best = say(
            "Given what {who} could know, the Oberteufel finds nothing better.", who=turn.seat
        )
        told += (best,)
    change = analysis.chance(*at) - analysis.chance(turn.step - 1, turn.seat)
    return Point(*at, "turn", _changed(change), secret, lines=told)


def _few(lines: Sequence[Line], seat: int) -> tuple[Line, ...]:
    """What was done, and what came of it, for the seat and at last."""
    if len(lines) <= MOST_LOG_LINES:
        return tuple(lines)
    named = [i for i, line in enumerate(lines) if names(line, seat)]
    told = {0, *named[-1:], len(lines) - 2, len(lines) - 1}
    return tuple(lines[i] for i in sorted(told))


def names(line: Line, seat: int) -> bool:
    """Whether a sentence names a seat."""
    return any(isinstance(value, SeatRef) and value == seat for value in line.values.values())


def _helped(game: Game, seen: Record, verdict: Verdict) -> tuple[Line, ...]:
    """The sentence on who gained by a mistake, where it could have been several."""
    if verdict.helped < 0 or len(set(game.teams(int(seen.seats)))) < MANY_SIDES:
        return ()
    return (say("It helped {who} most.", who=verdict.helped),)


def _told(game: Game, seen: Record, seat: int, action: int) -> Told:
    return Told(game.ui.label(seen, seat, action), game.reason(seen, seat, action))


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
