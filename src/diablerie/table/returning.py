"""Taking back: whether a seat may, and to where.

Alone against devils one may return as often as one likes. With other people only to where nothing
has been revealed since, to anybody, and where nobody else has decided.
"""

from diablerie.engine import verbs
from diablerie.engine.asking import redacted
from diablerie.engine.match import Match
from diablerie.engine.plies import Kind, Ply, before_last
from diablerie.engine.record import Record, same
from diablerie.engine.replay import number_of
from diablerie.engine.text import say
from diablerie.engine.verbs import WATCHER
from diablerie.table.errors import WrongTime
from diablerie.table.live import PERSON, RUNNING, Live

NOTHING = say("There is nothing of yours to take back.")
TOO_LATE = say("Others have decided or seen something since: that stands.")


def alone(live: Live) -> bool:
    """Whether all but one at this table are devils."""
    return sum(info.kind == PERSON for info in live.seats) == 1


def goal(live: Live, seat: int) -> int:
    """To which number of plies the seat may return: before its last decision, or its last plan.

    Raises WrongTime.
    """
    match = live.match
    if match is None or live.status != RUNNING:
        raise WrongTime(NOTHING)
    to = _before(match, seat, match.ply)
    if to < max(1, live.taken):
        raise WrongTime(NOTHING)
    if not alone(live) and _told(match, seat, to):
        raise WrongTime(TOO_LATE)
    return to


def may_take_back(live: Live, seat: int) -> bool:
    """Whether the seat may take something back now."""
    if seat < 0 or live.match is None or live.status != RUNNING or live.seats[seat].stand_in:
        return False
    if alone(live):  # what of it was forced is looked at when it is done
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


def _told(match: Match, seat: int, to: int) -> bool:
    """Whether somebody else has decided since, or anybody has learnt something."""
    past = match.at(to)
    for ply in match.plies[to:]:
        if ply.kind is Kind.HAND_OVER:
            continue
        if ply.kind is not Kind.MOVE or ply.seat != seat or _reveals(past, ply):
            return True
        past.append(ply)
    return False


def _reveals(past: Match, ply: Ply) -> bool:
    """Whether a decision leads to more than everybody could foresee who saw it."""
    if len(ply.events) > 1:
        return True  # chance has drawn something
    state, text = past.state, ply.events[0]
    action = number_of(past.game, state, text)
    after = state.copy()
    verbs.apply(after, ply.seat, action)
    return any(
        not same(redacted(after, viewer), _foreseen(state, viewer, ply.seat, action))
        for viewer in (WATCHER, *range(past.seats))
    )


def _foreseen(state: Record, viewer: int, seat: int, action: int) -> Record:
    expected = redacted(state, viewer)
    verbs.apply(expected, seat, action)
    return redacted(expected, viewer)
