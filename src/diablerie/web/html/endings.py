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
from diablerie.table.commands.forfeits import Owed
from diablerie.web.html.chances import names
from diablerie.web.html.speech import Speech


class Turn(NamedTuple):
    """The step from which the winners led to the end, and what the log says of it.

    last: it is the last one of the match, whose last sentence tells who has won.
    """

    step: int
    won: Sequence[int]
    lines: Sequence[Line]
    last: bool


class TurningStep(NamedTuple):
    """The step from which the winners led to the end, and what a page says of it."""

    step: int
    line: Line


class Ending(NamedTuple):
    """What a page tells of the end: the headline, the podium, everybody's place in words, what turned it."""

    head: Line
    podium: Svg
    places: str
    turning: TurningStep | None


def ending(match: Match, speech: Speech, own: Collection[int], turn: Turn | None) -> Ending:
    """The end of a finished match for whom the seats `own` are."""
    won = winners(match)
    head = headline(won, own)
    standing = stands(match, speech)
    heard = "win" if won and (not own or set(own) & set(won)) else "lose"
    in_words = speech.plain(places(standing))
    turning = turn and TurningStep(turn.step, turned(turn, own))
    return Ending(head, podium(standing, heard, in_words), in_words, turning)


def winners(match: Match) -> list[int]:
    """The seats that have won; none if all returns are equal."""
    return [seat for seat, gain in enumerate(match.returns()) if gain > 0]


def places_taken(match: Match) -> list[int]:
    """Every seat's place in a finished match, by return and then by progress, from 1.

    Who are equal share the better place.
    """
    returns = match.returns()
    merits = list(zip(returns, _progress(match, match.state) or returns, strict=True))
    best_first = sorted(merits, reverse=True)
    return [1 + best_first.index(merit) for merit in merits]


def last(match: Match) -> list[int]:
    """The seats on the last place of a finished match; none where all share the first."""
    taken = places_taken(match)
    return [seat for seat, place in enumerate(taken) if place == max(taken) > 1]


def stands(match: Match, speech: Speech) -> list[Stand]:
    """Every seat's place on the podium of a finished match."""
    game = match.game
    view = game.ui.look(match.state, EVERYTHING)
    points = game.points and game.points(match.state)

    def score(seat: int) -> str:
        """The points; in a game without them what its panel says first."""
        if points:
            return f"{points[seat]:g}"
        return next(map(speech.plain, game.ui.panel(view, seat)), "")

    return [
        Stand(seat, speech.who(seat), place, score(seat))
        for seat, place in enumerate(places_taken(match))
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


def places(standing: Sequence[Stand]) -> Line:
    """The podium in words."""
    return listed(
        [
            say("{n}. {who}: {score}", n=one.place, who=one.seat, score=one.score)
            for one in sorted(standing, key=lambda one: one.place)
        ]
    )


def forfeited(owed: Owed, own: Collection[int] = ()) -> Line:
    """What the last owe, for whom the seats `own` are."""
    if len(own) == 1 and set(own) == set(owed.seats):
        return say("Last place is yours: “{forfeit}”", forfeit=owed.text)
    who = _together(owed.seats)
    return say("Last place belongs to {who}: “{forfeit}”", who=who, forfeit=owed.text)


def turned(turn: Turn, own: Collection[int] = ()) -> Line:
    """What turned the match, for whom the seats `own` are: of oneself the log is not quoted.

    Its sentences are in the third person, and would tell readers of themselves by their colour.
    """
    mine = len(own) == 1
    others = [seat for seat in turn.won if not (mine and seat in own)]
    if mine and len(others) < len(turn.won):
        if turn.last:
            return say("The very last move decided it.")
        if others:
            who = _together(others)
            return say(
                "From step {n} on nobody caught up with you and {who}.", n=turn.step, who=who
            )
        return say("You took the lead at step {n} and kept it.", n=turn.step)
    told = [line for line in turn.lines if not (mine and _names_any(line, own))]
    who = _together(turn.won)
    if turn.last and told:
        before_the_win = told[-2:][0]  # the last sentence tells who has won
        return say("The very last move decided it: {what}", what=before_the_win)
    if turn.last:
        return say("The very last move decided it.")
    if not told:
        return say("From step {n} on nobody caught up with {who}.", n=turn.step, who=who)
    return say(
        "From step {n} on nobody caught up with {who}: {what}", n=turn.step, who=who, what=told[-1]
    )


def turning_step(match: Match) -> Turn | None:
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
    return Turn(found.number, won, lines, found.number == match.ply)


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
