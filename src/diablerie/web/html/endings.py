"""The end of a match: who stands where on the podium, who has won, and what turned it."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from diablerie.art.podium import Stand, podium
from diablerie.art.svg import Svg
from diablerie.engine.match import Match
from diablerie.engine.record import Record
from diablerie.engine.text import Line, listed, say
from diablerie.engine.verbs import EVERYTHING
from diablerie.runtime.serving import with_pauses
from diablerie.web.html.chances import names
from diablerie.web.html.speech import Speech


class TurningStep(NamedTuple):
    """The step from which the winners led to the end, and what the log says of it."""

    step: int
    line: Line


class Ending(NamedTuple):
    """What a page tells of the end: the headline, the podium, everybody's place in words, what turned it."""

    head: Line
    podium: Svg
    places: str
    turning: TurningStep | None


def ending(
    match: Match, speech: Speech, own: Collection[int], turning: TurningStep | None
) -> Ending:
    """The end of a finished match for whom the seats `own` are."""
    won = winners(match)
    head = headline(won, own)
    placed = stands(match, speech)
    heard = "win" if won and (not own or set(own) & set(won)) else "lose"
    in_words = speech.plain(places(placed))
    return Ending(head, podium(placed, heard, in_words), in_words, turning)


def winners(match: Match) -> list[int]:
    """The seats that have won; none if all returns are equal."""
    return [seat for seat, gain in enumerate(match.returns()) if gain > 0]


def stands(match: Match, speech: Speech) -> list[Stand]:
    """Every seat's place on the podium of a finished match, by return and then by progress."""
    game = match.game
    returns = match.returns()
    merits = list(zip(returns, _progress(match, match.state) or returns, strict=True))
    view = game.ui.look(match.state, EVERYTHING)
    points = game.points and game.points(match.state)

    def score(seat: int) -> str:
        """The points; in a game without them what its panel says first."""
        if points:
            return f"{points[seat]:g}"
        return next(map(speech.plain, game.ui.panel(view, seat)), "")

    best_first = sorted(merits, reverse=True)
    return [  # who are equal share the better place
        Stand(seat, speech.who(seat), 1 + best_first.index(merit), score(seat))
        for seat, merit in enumerate(merits)
    ]


def headline(won: Sequence[int], own: Collection[int] = ()) -> Line:
    """Who has won, in large letters, for whom the seats `own` are; several share a screen."""
    if not won:
        return say("Nobody wins.")
    who = _together(won)
    mine = len(own) == 1
    if mine and set(own) <= set(won):
        others = [seat for seat in won if seat not in own]
        return say("You win, with {who}!", who=_together(others)) if others else say("You win!")
    if len(won) > 1:
        return say("{who} win. Revenge?", who=who) if mine else say("{who} win!", who=who)
    return say("{who} wins. Revenge?", who=who) if mine else say("{who} wins!", who=who)


def places(placed: Sequence[Stand]) -> Line:
    """The podium in words."""
    return listed(
        [
            say("{n}. {who}: {score}", n=one.place, who=one.seat, score=one.score)
            for one in sorted(placed, key=lambda one: one.place)
        ]
    )


def turning_step(match: Match) -> TurningStep | None:
    """Where the winners took the lead for good; None if they never led, or nothing tells."""
    won = winners(match)
    found = None
    for step in with_pauses(match.steps(EVERYTHING)):
        if not _lead(_progress(match, step.state), won):
            found = None
        elif found is None:
            found = step
    if found is None:
        return None
    lines = [line for line in found.lines if _names_any(line, won)] or [*found.lines[:1]]
    n = found.number
    who = _together(won)
    if n == match.ply:  # its last line tells who has won
        line = say("The very last move decided it: {what}", what=lines[-2:][0])
    else:
        line = say(
            "From step {n} on nobody caught up with {who}: {what}", n=n, who=who, what=lines[-1]
        )
    return TurningStep(n, line)


def _names_any(line: Line, seats: Collection[int]) -> bool:
    return any(names(line, seat) for seat in seats)


def _together(seats: Sequence[int]) -> Line:
    *others, last = (say("{who}", who=seat) for seat in seats)
    return say("{who} and {last}", who=listed(others), last=last) if others else last


def _progress(match: Match, s: Record) -> Sequence[float]:
    measure = match.game.progress or match.game.points
    return measure(s) if measure else ()


def _lead(progress: Sequence[float], won: Sequence[int]) -> bool:
    """Whether all who win in the end are before all others."""
    others = [x for seat, x in enumerate(progress) if seat not in won]
    return bool(won and others) and min(progress[seat] for seat in won) > max(others)
