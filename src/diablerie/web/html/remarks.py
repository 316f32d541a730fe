"""What is remarked on a turning point: a mistake, luck, or that there was nothing better."""

from collections.abc import Iterator

from diablerie.bots.analysis.findings import Analysis, Turn, Verdict
from diablerie.engine.queries import redacted
from diablerie.engine.text import Line, SeatRef, say
from diablerie.table.state.table_state import TableState

MOST = 0.5  # the share of a change that luck must have, to be called most of it


def remarks(live: TableState, found: Analysis, turn: Turn) -> Iterator[Line]:
    """The sentences on a step of a finished match."""
    verdict = found.verdict(turn.step)
    if verdict is None:
        return
    lucky = verdict.luck is not None and verdict.luck * turn.change > MOST * turn.change**2
    if verdict.better:
        yield _better(live, verdict)
    if lucky:
        yield say("Most of this was luck.")
    elif verdict.asked and not verdict.better:
        yield say(
            "From what {who} could know, the Oberteufel finds nothing better.",
            who=SeatRef(verdict.seat),
        )


def _better(live: TableState, verdict: Verdict) -> Line:
    """What the Oberteufel would have done, as the button of it says."""
    assert live.match is not None
    seen = redacted(live.match.at(verdict.step - 1).state, verdict.seat)
    action = live.game.notation.parse_action(seen, verdict.seat, verdict.better)
    return say(
        "The Oberteufel would have chosen “{move}”: {who} gave away about {percent}%.",
        move=live.game.ui.label(seen, verdict.seat, action),
        who=SeatRef(verdict.seat),
        percent=round(100 * verdict.cost),
    )
