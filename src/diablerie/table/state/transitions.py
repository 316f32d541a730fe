"""How a decision changes a table: pure functions from one `TableState` to the next."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.plies import Ply, PlyKind, conceded
from diablerie.engine.queries import redacted
from diablerie.engine.record import same
from diablerie.engine.text import say
from diablerie.table.errors import BadInput, IllegalMove, Repeated, Stale, WrongTime
from diablerie.table.state.nonce_exchange import dice_stream, settled
from diablerie.table.state.table_state import (
    FINISHED_TABLE,
    RUNNING,
    TableState,
    TakeBackRequest,
    foresee,
)
from diablerie.table.state.take_back import (
    alone_with_bots,
    any_goal,
    check_who_can_agree,
    goal,
    outstanding,
)

MOST_DRAFT_STEPS = 16  # of a draft
LONGEST_DRAFT_STEP = 40  # characters


def begin_match(live: TableState, key: bytes, at: float) -> TableState:
    """Start the match: chance is drawn, and forced actions are played. `at` is Unix time."""
    live = settled(live, key)
    match = Match.new(live.game, at=at, **_table(live, key))
    return finished(live, match, at)


def start_from_plies(live: TableState, key: bytes, plies: Sequence[Ply], at: float) -> TableState:
    """Start the match with these plies of another one; chance is drawn anew after them."""
    live = settled(live, key)
    match = Match.opening(live.game, **_table(live, key))
    match.taken = len(plies)
    for ply in plies:
        match.append(ply._replace(at=at))
    return finished(live, match, at)


def pending_after(match: Match, ply: int) -> list[int]:
    """The seats that are to decide after so many plies and the forced actions that follow."""
    past = match.at(ply)
    while (single := _single(past)) is not None:
        past.carry_out(single[1], single[0])
    return past.pending


def _table(live: TableState, key: bytes) -> dict[str, Any]:
    """The arguments with which a table's match starts."""
    return {
        "seats": len(live.seats),
        "fair": dice_stream(key, live.seats, live.aborted, live.earlier),
        "names": [info.name for info in live.seats],
        "options": live.options,
    }


def play_decision(
    live: TableState, seat: int, ply: int, texts: Sequence[str], at: float
) -> TableState:
    """Play one or several decisions of a seat in a row, and the forced actions that follow.

    Raises Stale, Repeated, IllegalMove or BadInput. Of several decisions the first ones are
    played as long as things go as the player could foresee; the rest is dropped.
    """
    if not texts:
        raise BadInput(say("You have not decided anything."))
    assert live.match is not None
    _timely(live, seat, ply, texts[0])
    if live.status == FINISHED_TABLE:
        raise IllegalMove(say("The game is over."))
    expected = foresee(live.game, redacted(live.match.state, seat), seat, texts)
    match = live.match.copy()
    for action, foreseen in expected:
        anyway = int(match.state.node) in live.game.batched
        if anyway and verbs.forbids(match.state, seat, action):
            break
        # `foresee` has checked the action on a record that shows the player the same as the match.
        match.carry_out(action, seat, at)
        # Compared is only what the player sees: that the rest is dropped tells him nothing.
        if not anyway and not same(redacted(match.state, seat), foreseen):
            break
    return finished(live, match, at)


def returned(live: TableState, seat: int, ply: int, at: float) -> TableState:
    """Take the seat's last decision back.

    Raises WrongTime if it cannot be, Stale if the match has moved on since `ply`.
    """
    since = live.plies[max(0, ply) :]
    if any(ply.kind is not PlyKind.MOVE for ply in since) or (since and not alone_with_bots(live)):
        raise Stale(live.ply)
    to = goal(live, seat)
    assert live.match is not None
    match = live.match.copy()
    match.take_back(to, seat, at)
    return finished(replace(live, request=None), match, at)


def requested(live: TableState, seat: int, at: float) -> TableState:
    """Ask all others to agree that the seat takes its last decision back.

    Where nobody has to agree it is taken back at once. Raises WrongTime, also while a bot plays for
    somebody who has to.
    """
    if live.request and live.request.seat != seat:
        raise WrongTime(say("Another player has asked to take back a move: answer that first."))
    request = live.request or TakeBackRequest(seat, any_goal(live, seat))
    check_who_can_agree(live, request)
    return _agreed(replace(live, request=request), at)


def answered(live: TableState, seat: int, agree: bool, at: float) -> TableState:
    """Answer a request for the seat; its own player withdraws it by not agreeing.

    Raises WrongTime.
    """
    request = live.request
    if request is None or live.status != RUNNING:
        raise WrongTime(say("Nobody is asking to take back a move now."))
    if not agree:
        return replace(live, request=None)
    if seat == request.seat:
        raise WrongTime(say("The other players have to agree, not the one who asks."))
    agreed = tuple(sorted({*request.agreed, seat}))
    return _agreed(replace(live, request=request._replace(agreed=agreed)), at)


def _agreed(live: TableState, at: float) -> TableState:
    """The table after the take-back that is asked for, once all have agreed."""
    request = live.request
    assert request is not None
    assert live.match is not None
    if outstanding(live, request):
        return live
    match = live.match.copy()
    match.take_back(request.to, request.seat, at, agreed=True)
    return finished(replace(live, request=None), match, at)


def may_resign(live: TableState, seat: int) -> bool:
    """Whether the seat's resignation would end the match; else a bot takes the seat over."""
    teams = live.game.teams(len(live.seats))
    return seat >= 0 and live.status == RUNNING and conceded(teams, {seat})


def handed(live: TableState, seat: int, by: str, at: float) -> TableState:
    """The running match with a note that a bot plays for the seat now, or ("") its player again."""
    if live.status != RUNNING or live.match is None:
        return live
    match = live.match.copy()
    match.note(PlyKind.HAND_OVER, seat, by=by, at=at)
    return replace(live, match=match)


def _timely(live: TableState, seat: int, ply: int, text: str) -> None:
    """Raise Stale or Repeated if this seat's place in the log is not open any more."""
    now = live.ply
    if live.plies[-1].since <= ply <= now and (seat in live.pending or ply == now):
        return
    for k in range(max(1, ply), now):
        if live.plies[k].seat == seat and live.plies[k].events:
            if live.plies[k - 1].since <= ply and live.plies[k].events[0].text == text:
                raise Repeated(now)
            break
    raise Stale(now)


def finished(live: TableState, match: Match, at: float) -> TableState:
    """The table with this match, after all forced actions; OVER if the game is.

    A request to take back ends when its player has decided again.
    """
    while (single := _single(match)) is not None:
        seat, action = single
        match.carry_out(action, seat, at)
    asked = live.request
    again = any(ply.seat == asked.seat for ply in match.plies[live.ply :]) if asked else False
    request = None if again or match.over else asked
    status = FINISHED_TABLE if match.over else RUNNING
    return replace(live, match=match, status=status, request=request)


def _single(match: Match) -> tuple[int, int] | None:
    """A seat and its only legal action, at a node where the table plays such an action by itself."""
    if match.over or match.state.node not in match.game.forced:
        return None
    for seat in match.pending:
        actions = match.actions(seat)
        if len(actions) == 1:
            return seat, actions[0]
    return None


def split_steps(text: str) -> tuple[str, ...]:
    """The decisions of a draft or of a spot on the board: `a; b; c`. Raises BadInput."""
    steps = tuple(step.strip() for step in text.split(";") if step.strip())
    if len(steps) > MOST_DRAFT_STEPS or any(len(step) > LONGEST_DRAFT_STEP for step in steps):
        raise BadInput(say("You cannot decide that much at once."))
    return steps
