"""Seats that move: to another browser by a personal link, to a bot for a while, and back.

`TableSeat.link` has two halves in hex: the hash of the link's secret, and the hash of the browser
that the seat moved away from first, which may take it back. A half of zeros: there is none.
"""

from dataclasses import replace
from functools import partial

from diablerie.api import Frozen, Operations, Other, Own
from diablerie.engine.plies import PlyKind
from diablerie.engine.text import say
from diablerie.table.commands.command import Asker, change, command, step_command, table_command
from diablerie.table.errors import Forbidden, NotFound, WrongTime
from diablerie.table.state import nonce_exchange
from diablerie.table.state.table_state import (
    FINISHED_TABLE,
    RUNNING,
    TableSeat,
    TableState,
    reseated,
)
from diablerie.table.state.transitions import handed
from diablerie.table.state.visitors import Visitor, fresh_secret, hashed

LINK_DIGITS = 32  # 128 bits
NO_SECRET = "0" * LINK_DIGITS
STAND_IN = "sensible"  # plays for somebody who is away


def linked(info: TableSeat, secret: str) -> str:
    """The `link` of a seat after a link with this secret was made; older links stop working."""
    return hashed("link", secret)[:LINK_DIGITS] + _back(info)


def opens(info: TableSeat, secret: str) -> bool:
    """Whether this is the secret of the seat's link."""
    return (
        bool(info.link)
        and _link(info) != NO_SECRET
        and _link(info) == hashed("link", secret)[:LINK_DIGITS]
    )


def use_link(table: str, info: TableSeat) -> str | None:
    """The `link` of a seat after it moved away from its owner: the link works no more."""
    if _back(info) != NO_SECRET or info.owner is None:
        return NO_SECRET + _back(info)
    return NO_SECRET + _hash(table, info.seat, info.owner)


def may_return(table: str, info: TableSeat, visitor: Visitor | None) -> bool:
    """Whether a seat has moved away from this browser, which may take it back."""
    back = _back(info)
    return visitor is not None and back != NO_SECRET and back == _hash(table, info.seat, visitor)


def _link(info: TableSeat) -> str:
    return (info.link or NO_SECRET)[:LINK_DIGITS]


def _back(info: TableSeat) -> str:
    return (info.link or "")[LINK_DIGITS:] or NO_SECRET


def _hash(table: str, seat: int, visitor: Visitor) -> str:
    return hashed("back", f"{table} {seat} {visitor}")[:LINK_DIGITS]


# -- seats -------------------------------------------------------------------------------------


@table_command(Other)
def link(asker: Asker, asked: Other) -> str:
    """Make a personal link for an own seat, and return its secret; older links stop working.

    Raises Forbidden.
    """
    secret = fresh_secret()
    change(asker, partial(_with_link, seat=asked.seat, secret=secret))
    return secret


def _with_link(live: TableState, asker: Asker, seat: int, secret: str) -> TableState:
    seated = asker.own(live, seat)
    return reseated(live, replace(seated, link=linked(seated, secret)))


class Claiming(Frozen):
    """Move the seat with the personal link of this secret to the asker's browser."""

    secret: str


@step_command(Claiming)
def claim(live: TableState, asker: Asker, asked: Claiming) -> TableState:
    """Move the seat with this personal link to this browser.

    The link works once; the browser that had the seat first may take it back by `return_seat`.
    Raises NotFound.
    """
    before = linked_seat(live, asked.secret)
    if before.owner == asker.visitor:
        return live
    return _moved(live, replace(before, link=use_link(live.id, before)), asker.known)


def linked_seat(live: TableState, secret: str) -> TableSeat:
    """The seat whose personal link has this secret. Raises NotFound."""
    for info in live.seats:
        if opens(info, secret):
            return info
    raise NotFound(say("This link does not work, or no longer does."))


@step_command(Other)
def return_seat(live: TableState, asker: Asker, asked: Other) -> TableState:
    """Move a seat back to the browser that it moved away from. Raises Forbidden, NotFound."""
    before = seat_of(live, asked.seat)
    if not may_return(live.id, before, asker.visitor):
        raise Forbidden(say("This seat was not moved away from this device."))
    return _moved(live, replace(before, link=None), asker.known)


def seat_of(live: TableState, seat: int) -> TableSeat:
    """A seat of the table. Raises NotFound."""
    if seat not in range(len(live.seats)):
        raise NotFound(say("There is no such seat."))
    return live.seats[seat]


def _moved(live: TableState, info: TableSeat, visitor: Visitor) -> TableState:
    """The table after a seat moved to another browser, which becomes host if the first one was."""
    host = visitor if live.host == info.owner else live.host
    seat = replace(nonce_exchange.forget_nonce_of_moved_seat(live, info), owner=visitor)
    return reseated(replace(live, host=host), seat)


@command(Operations.give_to_bot)
def give_to_bot(live: TableState, asker: Asker, asked: Other) -> TableState:
    """Let a bot play for another player who is away. Raises Forbidden, NotFound, WrongTime.

    Whose browser has the table need not wait: guests go home.
    """
    owns = asker.owns(live)
    if live.status != RUNNING or not (owns or live.seats_of(asker.visitor)):
        raise Forbidden(say("Only the players of a running game may do that."))
    info = seat_of(live, asked.seat)
    due = asker.now if owns and info.owner else asker.tables.attendance.of(live)[info.seat].due
    if due is None or due > asker.now:
        raise WrongTime(say("{who} is not away.", who=live.name(info.seat)))
    return _handed(live, info, STAND_IN, asker.now)


@command(Operations.resign)
def resign(live: TableState, asker: Asker, asked: Own) -> TableState:
    """Resign a running match; where others play on, a bot takes the seat over.

    Raises Forbidden, WrongTime.
    """
    info = asker.own(live, asked.seat)
    if live.match is None or live.status != RUNNING:
        raise WrongTime(say("You can resign only from a game that is being played."))
    if info.seat in live.match.resigned:
        raise WrongTime(say("The player on this seat has resigned already."))
    match = live.match.copy()
    match.note(PlyKind.RESIGN, info.seat, at=asker.now)
    if match.over:
        return replace(live, match=match, status=FINISHED_TABLE, request=None)
    return reseated(replace(live, match=match), replace(info, stand_in=STAND_IN))


@command(Operations.hand_over)
def hand_over(live: TableState, asker: Asker, asked: Own) -> TableState:
    """Let a bot play on for an own seat of a running game, until `relieve_bot`.

    Raises WrongTime, Forbidden.
    """
    info = asker.own(live, asked.seat)
    if live.status != RUNNING:
        raise WrongTime(say("No game is being played here now."))
    return _handed(live, info, STAND_IN, asker.now)


@command(Operations.relieve_bot)
def relieve_bot(live: TableState, asker: Asker, asked: Own) -> TableState:
    """Take the seat back from the bot that plays for its owner. Raises Forbidden, WrongTime."""
    info = asker.own(live, asked.seat)
    if live.match and info.seat in live.match.resigned:
        raise WrongTime(say("The player on this seat has resigned: a bot plays on to the end."))
    return _handed(live, info, "", asker.now)


def _handed(live: TableState, info: TableSeat, by: str, at: float) -> TableState:
    """The table with this bot playing for a seat from now on, or ("") its owner; the log says so."""
    if info.stand_in == by:
        return live
    return reseated(handed(live, info.seat, by, at), replace(info, stand_in=by))
