"""Who comes after the start: they ask for a bot's seat, and the host gives it to them.

Nobody may ask who has a seat at the table, or had one: its hidden cards would be theirs, too. The
dice were fixed before they came, so the part of the seat they get follows from the key. In a group's
series the game counts for those only who have played it from the start.
"""

from dataclasses import replace

from diablerie.api import Operations, SeatGrant, SeatWish
from diablerie.engine.plies import NEWCOMER
from diablerie.engine.text import Line, say
from diablerie.table.commands.command import Asker, command
from diablerie.table.commands.lobby import distinct
from diablerie.table.commands.seats import may_return, seat_of
from diablerie.table.errors import WrongTime
from diablerie.table.state.nonce_exchange import PROMISED_PLEDGE
from diablerie.table.state.table_state import (
    BOT,
    PERSON,
    PROGRAM,
    RUNNING,
    TableSeat,
    TableState,
    reseated,
)
from diablerie.table.state.transitions import handed
from diablerie.table.state.visitors import Visitor, chosen_name
from diablerie.table.storage import schema


def closed_to(live: TableState, visitor: Visitor | None) -> Line | None:
    """Why this visitor cannot ask for a bot's seat now; None: there is one."""
    if live.status != RUNNING:
        return say("No game is being played here now.")
    if live.seats_of(visitor):
        return say("You have a seat here, and may not know the cards of another one.")
    if any(may_return(live.id, info, visitor) for info in live.seats):
        return say("You have had a seat here: take that one back.")
    if not any(info.kind == BOT for info in live.seats):
        return say("All seats are people’s.")
    if not free_for(live, visitor):
        return say("Others ask for the devils’ seats already.")
    return None


def free_for(live: TableState, visitor: Visitor | None) -> list[int]:
    """The seats of bots that nobody else asks for."""
    devils = (info for info in live.seats if info.kind == BOT)
    return [info.seat for info in devils if info.wanted in (None, visitor)]


def wished(live: TableState, visitor: Visitor | None) -> int | None:
    """The seat that this visitor asks for, None if there is none."""
    wanted = (info.seat for info in live.seats if visitor and info.wanted == visitor)
    return next(wanted, None)


@command(Operations.ask_seat)
def ask_seat(live: TableState, asker: Asker, asked: SeatWish) -> TableState:
    """Ask for the seat of a bot (None: the first) in a running game; another wish is forgotten.

    Raises BadInput for a name, WrongTime with the reason if there is none to be had, NotFound.
    """
    if why := closed_to(live, asker.visitor):
        raise WrongTime(why)
    free = free_for(live, asker.visitor)
    seat = free[0] if asked.seat is None else seat_of(live, asked.seat).seat
    if seat not in free:
        raise WrongTime(say("This seat is not to be had."))
    before = wished(live, asker.visitor)
    if before is not None:
        live = reseated(live, _unasked(live.seats[before]))
    # The pledge is of no use in this game, which has its dice, but rematches ask for it.
    pledge = PROMISED_PLEDGE if asked.share else ""
    name = chosen_name(asked.name)
    distinct(replace(live.seats[seat], name=name), live.seats)  # raises BadInput
    wish = {"wanted": asker.known, "wanted_name": name, "pledge": pledge, "declined": None}
    return reseated(live, replace(live.seats[seat], **wish))  # type: ignore[arg-type]


@command(Operations.answer_seat)
def answer_seat(live: TableState, asker: Asker, asked: SeatGrant) -> TableState:
    """Give the seat to who asks for it, or not; who asked withdraws by not agreeing.

    Raises Forbidden for others than who leads the table, WrongTime, NotFound.
    """
    info = seat_of(live, asked.seat)
    if not asked.agree and info.wanted == asker.known:
        return reseated(live, _unasked(info))
    asker.leads(live)
    if info.wanted is None:
        raise WrongTime(say("Nobody asks for this seat now."))
    if not asked.agree:
        return reseated(live, replace(_unasked(info), declined=info.wanted))
    if closed_to(live, info.wanted):  # who asked has got a seat by a personal link meanwhile
        raise WrongTime(say("Who asked cannot take this seat any more."))
    return _given(live, asker, info)


def _given(live: TableState, asker: Asker, info: TableSeat) -> TableState:
    """The table after the person who asks for a bot's seat has got it; the log says so."""
    program = asker.tables.store.row(schema.tokens, "id", str(info.wanted))
    seated = replace(
        info,
        kind=PROGRAM if program else PERSON,
        owner=info.wanted,
        name=info.wanted_name,
        bot="",
        wanted=None,
        wanted_name="",
        declined=None,
        # The dice are bound to what the bot was called.
        called=str(info.shown_as(info.called)),
    )
    return reseated(handed(live, info.seat, NEWCOMER, asker.now), distinct(seated, live.seats))


def _unasked(info: TableSeat) -> TableSeat:
    """The seat, for which nobody asks any more."""
    return replace(info, wanted=None, wanted_name="", pledge="")
