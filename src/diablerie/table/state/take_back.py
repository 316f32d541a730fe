"""Take-backs: whether a seat may take its last decision back, and to which ply.

Alone with bots, a person may take back as often as they like. With other people, at once only as
long as nothing has been revealed to anybody since and nobody else has decided
(`engine/replay.py`); later, if all others agree. A request stands until it is answered, its player
decides again, or something is taken back.

Bots and programs agree to everything, but a bot that plays for somebody agrees to nothing in their
place: else who knows the key could have a guest given to a bot, and draw anew. That holds of every
request, since it can be a secret whether something was drawn.
"""

from dataclasses import replace

from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.plies import before_last
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import Record
from diablerie.engine.replay import forbids_take_back
from diablerie.engine.text import say
from diablerie.table.errors import WrongTime
from diablerie.table.state.table_state import DECIDERS, PERSON, RUNNING, TableState, TakeBackRequest

NOTHING_TO_TAKE_BACK = say("You have nothing to take back.")
TOO_LATE = say("Others have decided or seen something since, so this cannot be taken back.")


def alone_with_bots(live: TableState) -> bool:
    """Whether only one person plays at this table."""
    return sum(info.kind in DECIDERS for info in live.seats) == 1


def goal(live: TableState, seat: int) -> int:
    """The number of plies to which a take-back leads: before the seat's last decision or plan.

    Raises WrongTime.
    """
    to = any_goal(live, seat)
    assert live.match is not None
    past = live.match.state_at(to)
    if not alone_with_bots(live) and forbids_take_back(live.match, seat, to, past):
        raise WrongTime(TOO_LATE)
    return to


def any_goal(live: TableState, seat: int) -> int:
    """The same, if all others agree. Raises WrongTime."""
    match = live.match
    if match is None or live.status != RUNNING:
        raise WrongTime(NOTHING_TO_TAKE_BACK)
    to = _before(match, seat, match.ply)
    if to < max(1, live.taken):
        raise WrongTime(NOTHING_TO_TAKE_BACK)
    return to


def standing(live: TableState) -> TableState:
    """The table without a request whose player has decided since, or has taken something back.

    Who decides at a process that does not know of the request yet writes only the decision.
    """
    request = live.request
    match = live.match
    if request is None or match is None or _before(match, request.seat, match.ply) == request.to:
        return live
    return replace(live, request=None)


def outstanding(live: TableState, request: TakeBackRequest) -> list[int]:
    """The seats whose people have not agreed to a request yet, also of those who are away."""
    return [
        info.seat
        for info in live.seats
        if info.kind == PERSON and info.seat not in (request.seat, *request.agreed)
    ]


def check_who_can_agree(live: TableState, request: TakeBackRequest) -> None:
    """Raise WrongTime if a bot plays for somebody who has not agreed to a request."""
    for seat in outstanding(live, request):
        if live.seats[seat].stand_in:
            who = live.name(seat)
            raise WrongTime(
                say("A devil plays for {who}, and only {who} could agree to this.", who=who)
            )


def may_request(live: TableState, seat: int, last: int | None = None) -> bool:
    """Whether the seat may ask the others for a take-back now, and cannot take back at once.

    last: the `returner`, if the caller knows it.
    """
    if not _plays(live, seat) or alone_with_bots(live) or live.request:
        return False
    return not may_take_back(live, seat, last) and _has_decided(live, seat)


def may_take_back(live: TableState, seat: int, last: int | None = None) -> bool:
    """Whether the seat may take its last decision back now; last: see `may_request`."""
    if not _plays(live, seat):
        return False
    if alone_with_bots(live):  # what of it was forced is looked at when it is done
        return _has_decided(live, seat)
    return seat == (returner(live) if last is None else last)


def returner(live: TableState) -> int:
    """The seat that may take its decision back at once at a table of several people; -1: none."""
    if live.match is None or live.status != RUNNING or alone_with_bots(live):
        return -1
    last = before_last(live.plies)
    if last < 1:
        return -1
    try:
        goal(live, live.plies[last].seat)
    except WrongTime:
        return -1
    return live.plies[last].seat


def _plays(live: TableState, seat: int) -> bool:
    """Whether the seat's own player decides for it in a running match."""
    return seat >= 0 and live.status == RUNNING and not live.seats[seat].stand_in


def _has_decided(live: TableState, seat: int) -> bool:
    return before_last(live.plies, seat) >= max(1, live.taken)


def _before(match: Match, seat: int, ply: int) -> int:
    """The ply of the seat's last free decision, or of the first one of its last plan; -1: none."""
    to = before_last(match.plies[:ply], seat)
    while to > 0 and _bound(match.game, match.state_at(to), seat):
        to = before_last(match.plies[:to], seat)
    return to


def _bound(game: Game, past: Record, seat: int) -> bool:
    """Whether the seat's decision at this position was forced, or goes on with a plan."""
    node = int(past.node)
    return node in game.plan or (node in game.forced and len(legal_actions(game, past, seat)) == 1)
