"""Taking back: whether a seat may, and to where.

Alone against devils one may return as often as one likes. With other people only to where nothing
has been revealed since, to anybody, and where nobody else has decided (engine/returning.py).
"""

from diablerie.engine.match import Match
from diablerie.engine.plies import before_last
from diablerie.engine.replay import forbids_take_back
from diablerie.engine.text import say
from diablerie.table.errors import WrongTime
from diablerie.table.state.table_state import PLAYERS, RUNNING, TableState

NOTHING = say("There is nothing of yours to take back.")
TOO_LATE = say("Others have decided or seen something since: that stands.")


def alone_with_bots(live: TableState) -> bool:
    """Whether all but one at this table are devils."""
    return sum(info.kind in PLAYERS for info in live.seats) == 1


def goal(live: TableState, seat: int) -> int:
    """To which number of plies the seat may return: before its last decision, or its last plan.

    Raises WrongTime.
    """
    match = live.match
    if match is None or live.status != RUNNING:
        raise WrongTime(NOTHING)
    to = _before(match, seat, match.ply)
    if to < max(1, live.taken):
        raise WrongTime(NOTHING)
    if not alone_with_bots(live) and forbids_take_back(match, seat, to):
        raise WrongTime(TOO_LATE)
    return to


def may_take_back(live: TableState, seat: int) -> bool:
    """Whether the seat may take something back now."""
    if seat < 0 or live.match is None or live.status != RUNNING or live.seats[seat].stand_in:
        return False
    if alone_with_bots(live):  # what of it was forced is looked at when it is done
        return before_last(live.plies, seat) >= max(1, live.taken)
    last = before_last(live.plies)
    if last < 1 or live.plies[last].seat != seat:
        return False
    try:
        goal(live, seat)
    except WrongTime:
        return False
    return True


def _before(match: Match, seat: int, ply: int) -> int:
    """Before the last free decision of the seat, or of its last plan; -1 without one."""
    to = before_last(match.plies[:ply], seat)
    while to > 0 and _bound(match.at(to), seat):
        to = before_last(match.plies[:to], seat)
    return to


def _bound(past: Match, seat: int) -> bool:
    """Whether a decision was forced, or went on with a plan."""
    node = int(past.state.node)
    return node in past.game.plan or (node in past.game.forced and len(past.actions(seat)) == 1)
