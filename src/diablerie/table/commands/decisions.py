"""Decisions: of people for their own seats, of bots for those they drive, and advice."""

from collections.abc import Sequence

from diablerie.engine.text import say
from diablerie.table.commands.hints import Hint, hints
from diablerie.table.errors import Forbidden, Preparing, TooMany, WrongTime
from diablerie.table.state.table_state import OPEN, RUNNING, TableState
from diablerie.table.state.transitions import answered, play_decision, requested, returned
from diablerie.table.state.visitors import Visitor
from diablerie.table.tables import Tables, own


def act(
    tables: Tables,
    table: str,
    visitor: Visitor,
    seat: int,
    ply: int,
    actions: Sequence[str],
    client: str = "",
) -> TableState:
    """Decide for an own seat: one action, or the consecutive ones of a plan or a walk.

    `ply` is `TableState.ply` of the page the person saw. Answers when it is durable. Raises Stale
    (with the ply of now), Repeated, IllegalMove, BadInput, Forbidden, WrongTime.
    """
    tables.limits.take("moves", client)

    def step(live: TableState) -> TableState:
        own(live, visitor, seat)
        if live.status == RUNNING and live.match and seat in live.match.resigned:
            raise WrongTime(say("The player on this seat has resigned: a bot plays on to the end."))
        if live.seats[seat].stand_in:
            raise Forbidden(say("A bot plays for you: take your seat back first."))
        return _decided(tables, live, seat, ply, actions)

    return tables.change(table, step)


def act_for(tables: Tables, table: str, seat: int, ply: int, action: str) -> TableState:
    """Let a bot decide for the seat it drives; see act. Raises Forbidden for other seats."""

    def step(live: TableState) -> TableState:
        if not live.seats[seat].driver:
            raise Forbidden(say("This is not your seat."))
        return _decided(tables, live, seat, ply, [action])

    return tables.change(table, step)


def take_back(tables: Tables, table: str, visitor: Visitor, seat: int, ply: int) -> TableState:
    """Take back an own seat's last decision; see `take_back.goal` for when that can be.

    `ply` is `TableState.ply` of the page the person saw. Raises Stale, WrongTime, Forbidden.
    """

    def step(live: TableState) -> TableState:
        _deciding(live, visitor, seat)
        return returned(live, seat, ply, tables.clock())

    return tables.change(table, step)


def request_take_back(tables: Tables, table: str, visitor: Visitor, seat: int) -> TableState:
    """Ask all others to agree that an own seat's last decision is taken back; see `take_back`.

    Raises WrongTime, Forbidden.
    """

    def step(live: TableState) -> TableState:
        _deciding(live, visitor, seat)
        return requested(live, seat, tables.clock())

    return tables.change(table, step)


def answer_take_back(
    tables: Tables, table: str, visitor: Visitor, seat: int, agree: bool
) -> TableState:
    """Agree to a request for an own seat, or refuse it; who asked withdraws it by refusing.

    Raises WrongTime, Forbidden.
    """

    def step(live: TableState) -> TableState:
        _deciding(live, visitor, seat)
        return answered(live, seat, agree, tables.clock())

    return tables.change(table, step)


def _deciding(live: TableState, visitor: Visitor, seat: int) -> None:
    """Raise Forbidden unless this visitor decides for the seat."""
    own(live, visitor, seat)
    if live.seats[seat].stand_in:
        raise Forbidden(say("A bot plays for you: take your seat back first."))


def _decided(
    tables: Tables, live: TableState, seat: int, ply: int, actions: Sequence[str]
) -> TableState:
    if live.status == OPEN:
        raise WrongTime(say("The game has not begun."))
    return play_decision(live, seat, ply, actions, tables.clock())


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
    own(live, visitor, seat)
    if not tables.can_advise(live):
        raise Preparing(live.game.title)
    tables.limits.take("hints", client)
    with tables.limits.place(client) as free:
        if not free:
            raise TooMany(say("A devil is thinking for you already: wait for the answer."))
        return hints(live, seat, draft)
