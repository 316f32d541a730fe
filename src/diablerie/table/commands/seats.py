"""Seats that move: to another browser by a personal link, to a bot for a while, and back."""

from dataclasses import replace

from diablerie.engine.plies import PlyKind
from diablerie.engine.text import say
from diablerie.table.commands.lobby import bot_spec
from diablerie.table.errors import Forbidden, NotFound, WrongTime
from diablerie.table.state import nonce_exchange
from diablerie.table.state.seat_links import linked, may_return, opens, use_link
from diablerie.table.state.table_state import OVER, RUNNING, TableSeat, TableState
from diablerie.table.state.transitions import handed
from diablerie.table.state.visitors import Visitor, fresh_secret
from diablerie.table.tables import Tables, own

STAND_IN = "sensible"  # plays for somebody who is away


def link(tables: Tables, table: str, visitor: Visitor, seat: int) -> str:
    """Make a personal link for an own seat, and return its secret; older links stop working.

    Raises Forbidden.
    """
    secret = fresh_secret()

    def step(live: TableState) -> TableState:
        seated = own(live, visitor, seat)
        return tables.reseated(live, replace(seated, link=linked(seated, secret)))

    tables.change(table, step)
    return secret


def claim(tables: Tables, table: str, secret: str, visitor: Visitor) -> int:
    """Move the seat with this personal link to this browser; returns the seat.

    The link works once; the browser that had the seat first may take it back by `return_seat`.
    Raises NotFound.
    """
    seat = -1

    def step(live: TableState) -> TableState:
        nonlocal seat
        before = linked_seat(live, secret)
        seat = before.seat
        if before.owner == visitor:
            return live
        return _moved(tables, live, replace(before, link=use_link(table, before)), visitor)

    tables.change(table, step)
    return seat


def linked_seat(live: TableState, secret: str) -> TableSeat:
    """The seat whose personal link has this secret. Raises NotFound."""
    for info in live.seats:
        if opens(info, secret):
            return info
    raise NotFound(say("This link does not work, or no longer does."))


def return_seat(tables: Tables, table: str, visitor: Visitor, seat: int) -> TableState:
    """Move a seat back to the browser that it moved away from. Raises Forbidden, NotFound."""

    def step(live: TableState) -> TableState:
        if seat not in range(len(live.seats)):
            raise NotFound(say("There is no such seat."))
        before = live.seats[seat]
        if not may_return(table, before, visitor):
            raise Forbidden(say("This seat was not moved away from this device."))
        return _moved(tables, live, replace(before, link=None), visitor)

    return tables.change(table, step)


def _moved(tables: Tables, live: TableState, info: TableSeat, visitor: Visitor) -> TableState:
    """The table after a seat moved to another browser, which becomes host if the first one was."""
    host = visitor if live.host == info.owner else live.host
    seat = replace(nonce_exchange.forget_nonce_of_moved_seat(live, info), owner=visitor)
    return tables.reseated(replace(live, host=host), seat)


def give_to_bot(tables: Tables, table: str, visitor: Visitor, seat: int) -> TableState:
    """Let a bot play for another player who is away. Raises Forbidden, NotFound, WrongTime."""

    def step(live: TableState) -> TableState:
        if not live.seats_of(visitor) or live.status != RUNNING:
            raise Forbidden(say("Only the players of a running game may do that."))
        if seat not in range(len(live.seats)):
            raise NotFound(say("There is no such seat."))
        due = tables.attendance.of(live)[seat].due
        if due is None or due > tables.clock():
            raise WrongTime(say("{who} is not away.", who=live.name(seat)))
        return _handed(tables, live, live.seats[seat], bot_spec(STAND_IN))

    return tables.change(table, step)


def resign(tables: Tables, table: str, visitor: Visitor, seat: int) -> TableState:
    """Resign a running match; where others play on, a bot takes the seat over.

    Raises Forbidden, WrongTime.
    """

    def step(live: TableState) -> TableState:
        own(live, visitor, seat)
        if live.match is None or live.status != RUNNING:
            raise WrongTime(say("You can resign only from a game that is being played."))
        if seat in live.match.resigned:
            raise WrongTime(say("The player on this seat has resigned already."))
        match = live.match.copy()
        match.note(PlyKind.RESIGN, seat, at=tables.clock())
        if match.over:
            return replace(live, match=match, status=OVER, request=None)
        bot = replace(live.seats[seat], stand_in=bot_spec(STAND_IN))
        return tables.reseated(replace(live, match=match), bot)

    return tables.change(table, step)


def hand_over(tables: Tables, table: str, visitor: Visitor, seat: int) -> TableState:
    """Let a bot play on for an own seat of a running game, until `relieve_bot`.

    Raises WrongTime, Forbidden.
    """

    def step(live: TableState) -> TableState:
        seated = own(live, visitor, seat)
        if live.status != RUNNING:
            raise WrongTime(say("No game is being played here now."))
        return _handed(tables, live, seated, bot_spec(STAND_IN))

    return tables.change(table, step)


def _handed(tables: Tables, live: TableState, info: TableSeat, by: str) -> TableState:
    """The table with this bot playing for a seat from now on, or ("") its owner; the log says so."""
    if info.stand_in == by:
        return live
    noted = handed(live, info.seat, by, tables.clock())
    return tables.reseated(noted, replace(info, stand_in=by))


def relieve_bot(tables: Tables, table: str, visitor: Visitor, seat: int) -> TableState:
    """Take the seat back from the bot that plays for its owner. Raises Forbidden, WrongTime."""

    def step(live: TableState) -> TableState:
        seated = own(live, visitor, seat)
        if live.match and seat in live.match.resigned:
            raise WrongTime(say("The player on this seat has resigned: a bot plays on to the end."))
        return _handed(tables, live, seated, "")

    return tables.change(table, step)
