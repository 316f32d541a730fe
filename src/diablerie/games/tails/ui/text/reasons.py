"""What speaks for a decision of TAILS: which tails it is about, and how long they become."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.tails.rules.board import ENDS
from diablerie.games.tails.rules.sides import side_of
from diablerie.games.tails.rules.state import LAY, PASS
from diablerie.games.tails.ui.text.words import side_name
from diablerie.games.tails.ui.tracing import Tail, tails, tails_after


def reason(s: Record, seat: int, action: int) -> Line | None:
    """The longest own tail that an action is about, or another's."""
    side = int(side_of(s, seat))
    if action == PASS:
        return None
    return _cell(s, side, action) if action < LAY else _laid(s, side, action)


def _cell(s: Record, side: int, cell: int) -> Line | None:
    there = [tail for tail in tails(s) if tail.tip >= 0 and tail.tip // ENDS == cell]
    there.sort(key=lambda tail: (tail.side != side, -tail.length))
    if not there:
        return None
    first = there[0]
    values = {"letter": first.letter, "n": first.length, "who": side_name(s.seats, first.side)}
    if first.side == side and not first.length:
        return say("Your devil {letter} begins its tail there.", "T17", **values)
    if first.side == side:
        return say("Your tail {letter}, {n} long so far, goes on there.", "T17", **values)
    return say("{who} would like to go on there with tail {letter}.", "T17", **values)


def _laid(s: Record, side: int, action: int) -> Line | None:
    pairs = list(zip(tails(s), tails_after(s, action), strict=True))
    grown = [now for then, now in pairs if now.side == side and now.length > then.length]
    if mine := _longest(grown):
        values = {"letter": mine.letter, "n": mine.length}
        if mine.state == "scored":
            return say("It closes your tail {letter} with {n} points.", "T19", **values)
        if mine.state == "open":
            return say("It lengthens your tail {letter} to {n}.", "T17", **values)
    met = [now for then, now in pairs if now.side != side and then.state == "open" != now.state]
    if lost := _longest([tail for tail in met if tail.state == "met"]):
        values = {"letter": lost.letter, "who": side_name(s.seats, lost.side)}
        return say("It leaves tail {letter} of {who} without a point.", "T17", **values)
    return None


def _longest(found: list[Tail]) -> Tail | None:
    """Open tails before those that score, and these before those that met; the longest."""
    order = {"open": 1, "scored": 2, "met": 0}
    return max(found, key=lambda tail: (order[tail.state], tail.length), default=None)
