"""What the buttons of TAILS say."""

from diablerie.engine.game import Amount
from diablerie.engine.record import Record
from diablerie.engine.text import Line, say
from diablerie.games.tails.rules.board import LETTERS
from diablerie.games.tails.rules.state import LAY, PASS
from diablerie.games.tails.ui.text.words import TURNED, cell_name, naming_clause
from diablerie.games.tails.ui.tracing import Tail, finished, tails, tails_after


def label(s: Record, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action == PASS:
        return say("Pass", clause="T14")
    if action < LAY:
        return say("Choose {cell}", clause=naming_clause(s), cell=cell_name(action))
    turned = say("Lay it {turned}", clause="T8a", turned=TURNED[action - LAY])
    closed = finished(tails(s), tails_after(s, action))
    if not closed:
        return turned
    return say("{laying}: {result}", clause="T8a", laying=turned, result=_results(closed))


def _results(closed: list[Tail]) -> Line:
    first, *rest = closed
    if first.state == "scored":
        told = say("{letter} scores {n}", letter=first.letter, n=first.points)
    else:
        told = say("{one} meets {other}", one=first.letter, other=LETTERS[first.goal])
    return say("{first}, {rest}", first=told, rest=_results(rest)) if rest else told


def amount(s: Record, seat: int) -> Amount | None:
    """No decision is a number."""
    return None
