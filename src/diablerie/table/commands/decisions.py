"""Decisions: of people for their own seats, of bots for those they drive, and advice."""

from collections.abc import Sequence

from diablerie.api import Answering, Deciding, Operations, Own, TakingBack
from diablerie.engine.text import say
from diablerie.table.commands.command import Asker, change, command
from diablerie.table.commands.hints import Hint, hints
from diablerie.table.errors import Forbidden, Preparing, TooMany, WrongTime
from diablerie.table.state.table_state import OPEN_TABLE, RUNNING, TableState
from diablerie.table.state.transitions import (
    answered,
    play_decision,
    requested,
    returned,
    split_steps,
)
from diablerie.table.state.visitors import Visitor
from diablerie.table.tables import Tables


@command(Operations.decide)
def decide(live: TableState, asker: Asker, asked: Deciding) -> TableState:
    """Decide for an own seat: one action, or the consecutive ones of a plan or a walk.

    Of several own seats it is the one that is to decide, else the first. Raises Stale (with the
    ply of now), Repeated, IllegalMove, BadInput, Forbidden, WrongTime.
    """
    own = live.seats_of(asker.visitor)
    waiting = [seat for seat in own if seat in live.pending]
    mine = asked.seat if asked.seat is not None else next(iter(waiting or own), None)
    seat = asker.own(live, mine).seat
    if live.status == RUNNING and live.match and seat in live.match.resigned:
        raise WrongTime(say("The player on this seat has resigned: a bot plays on to the end."))
    _driving(live, seat)
    return _decided(live, seat, asked.ply, split_steps(asked.do), asker.now)


def decide_as_bot(tables: Tables, table: str, seat: int, ply: int, action: str) -> TableState:
    """Let a bot decide for the seat it drives; see `decide`. Raises Forbidden for other seats."""

    def step(live: TableState, asker: Asker) -> TableState:
        if not live.seats[seat].driver:
            raise Forbidden(say("This is not your seat."))
        return _decided(live, seat, ply, [action], asker.now)

    return change(tables, table, None, step)


@command(Operations.take_back)
def take_back(live: TableState, asker: Asker, asked: TakingBack) -> TableState:
    """Take back an own seat's last decision; see `take_back.goal` for when that can be.

    Raises Stale, WrongTime, Forbidden.
    """
    return returned(live, _deciding(live, asker, asked.seat), asked.ply, asker.now)


@command(Operations.request_take_back)
def request_take_back(live: TableState, asker: Asker, asked: Own) -> TableState:
    """Ask all others to agree that an own seat's last decision is taken back; see `take_back`.

    Raises WrongTime, Forbidden.
    """
    return requested(live, _deciding(live, asker, asked.seat), asker.now)


@command(Operations.answer_take_back)
def answer_take_back(live: TableState, asker: Asker, asked: Answering) -> TableState:
    """Agree to a request for an own seat, or refuse it; who asked withdraws it by refusing.

    Raises WrongTime, Forbidden.
    """
    return answered(live, _deciding(live, asker, asked.seat), asked.agree, asker.now)


def _deciding(live: TableState, asker: Asker, asked: int | None) -> int:
    """The own seat for which the asker decides. Raises Forbidden."""
    seat = asker.own(live, asked).seat
    _driving(live, seat)
    return seat


def _driving(live: TableState, seat: int) -> None:
    if live.seats[seat].stand_in:
        raise Forbidden(say("A bot plays for you: take your seat back first."))


def _decided(
    live: TableState, seat: int, ply: int, actions: Sequence[str], at: float
) -> TableState:
    if live.status == OPEN_TABLE:
        raise WrongTime(say("The game has not begun."))
    return play_decision(live, seat, ply, actions, at)


def ask_hints(
    tables: Tables,
    live: TableState,
    visitor: Visitor,
    seat: int,
    draft: Sequence[str] = (),
    client: str = "",
) -> list[Hint]:
    """What a bot would do on an own seat, best first; see hints.hints. May take seconds.

    Raises Forbidden, TooMany, WrongTime, Preparing while the devils are not ready to think.
    """
    Asker(tables, visitor).own(live, seat)
    if not tables.can_advise(live):
        raise Preparing(live.game.title)
    tables.limits.take("hints", client)
    with tables.limits.place(client) as free:
        if not free:
            raise TooMany(say("A devil is thinking for you already: wait for the answer."))
        return tables.clock.apart(lambda: hints(live, seat, draft))
