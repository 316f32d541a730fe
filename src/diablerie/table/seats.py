"""Seats that move: to another browser by a personal link, to a bot for a while, and back."""

from dataclasses import replace

from diablerie.engine.plies import Kind
from diablerie.engine.text import say
from diablerie.table import shares
from diablerie.table.errors import Forbidden, NotFound, WrongTime
from diablerie.table.links import linked, may_return, moved, opens
from diablerie.table.live import OVER, RUNNING, Live, SeatInfo
from diablerie.table.lobby import bot_spec
from diablerie.table.playing import handed
from diablerie.table.tables import Tables, own
from diablerie.table.visitors import Visitor, fresh_secret

STAND_IN = "sensible"  # plays for somebody who is away


class Seats:
    """Who plays which seat."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def link(self, table: str, visitor: Visitor, seat: int) -> str:
        """A fresh secret for an own seat's personal link; older ones stop working."""
        secret = fresh_secret()

        def step(live: Live) -> Live:
            seated = own(live, visitor, seat)
            return self._tables.reseated(live, replace(seated, link=linked(seated, secret)))

        self._tables.change(table, step)
        return secret

    def claim(self, table: str, secret: str, visitor: Visitor) -> int:
        """Move the seat with this personal link to this browser; returns the seat.

        The link works once; the browser that had the seat first may have it `returned`.
        """
        seat = self.linked(self._tables.live(table), secret).seat

        def step(live: Live) -> Live:
            before = self.linked(live, secret)
            if before.owner == visitor:
                return live
            return self._moved(live, replace(before, link=moved(table, before)), visitor)

        self._tables.change(table, step)
        return seat

    @staticmethod
    def linked(live: Live, secret: str) -> SeatInfo:
        """The seat whose personal link has this secret. Raises NotFound."""
        for info in live.seats:
            if opens(info, secret):
                return info
        raise NotFound(say("This link does not work, or no longer."))

    def return_seat(self, table: str, visitor: Visitor, seat: int) -> Live:
        """The seat comes back to the browser that it moved away from. Raises Forbidden."""

        def step(live: Live) -> Live:
            if seat not in range(len(live.seats)):
                raise NotFound(say("There is no such seat."))
            before = live.seats[seat]
            if not may_return(table, before, visitor):
                raise Forbidden(say("This seat did not move away from here."))
            return self._moved(live, replace(before, link=None), visitor)

        return self._tables.change(table, step)

    def _moved(self, live: Live, info: SeatInfo, visitor: Visitor) -> Live:
        """The table with a seat that is another browser's now, and with it what was opened."""
        host = visitor if live.host == info.owner else live.host
        seat = replace(shares.moved(live, info), owner=visitor)
        return self._tables.reseated(replace(live, host=host), seat)

    def give_to_bot(self, table: str, visitor: Visitor, seat: int) -> Live:
        """A seated person lets a bot play for another who is away."""

        def step(live: Live) -> Live:
            if not live.seats_of(visitor) or live.status != RUNNING:
                raise Forbidden(say("Only the players of a running game may do that."))
            if seat not in range(len(live.seats)):
                raise NotFound(say("There is no such seat."))
            due = self._tables.attendance.of(live)[seat].due
            if due is None or due > self._tables.clock():
                raise WrongTime(say("{who} is not away.", who=live.name(seat)))
            return self._handed(live, live.seats[seat], bot_spec(STAND_IN))

        return self._tables.change(table, step)

    def resign(self, table: str, visitor: Visitor, seat: int) -> Live:
        """Give a running match up. Where others play on without, a bot takes the seat over."""

        def step(live: Live) -> Live:
            own(live, visitor, seat)
            if live.match is None or live.status != RUNNING:
                raise WrongTime(say("Only a game that is being played can be given up."))
            if seat in live.match.resigned:
                raise WrongTime(say("This seat has resigned already."))
            match = live.match.copy()
            match.note(Kind.RESIGN, seat, at=self._tables.clock())
            if match.over:
                return replace(live, match=match, status=OVER)
            bot = replace(live.seats[seat], stand_in=bot_spec(STAND_IN))
            return self._tables.reseated(replace(live, match=match), bot)

        return self._tables.change(table, step)

    def hand_over(self, table: str, visitor: Visitor, seat: int) -> Live:
        """Somebody leaves a running game: a devil plays on for an own seat, and may be relieved."""

        def step(live: Live) -> Live:
            seated = own(live, visitor, seat)
            if live.status != RUNNING:
                raise WrongTime(say("No game is being played here now."))
            return self._handed(live, seated, bot_spec(STAND_IN))

        return self._tables.change(table, step)

    def _handed(self, live: Live, info: SeatInfo, by: str) -> Live:
        """The table with a bot driving a seat from now on, or ("") its player; the log says so."""
        if info.stand_in == by:
            return live
        noted = handed(live, info.seat, by, self._tables.clock())
        return self._tables.reseated(noted, replace(info, stand_in=by))

    def take_back(self, table: str, visitor: Visitor, seat: int) -> Live:
        """The owner plays again, unless the seat has resigned."""

        def step(live: Live) -> Live:
            seated = own(live, visitor, seat)
            if live.match and seat in live.match.resigned:
                raise WrongTime(say("This seat has resigned: a bot plays on to the end."))
            return self._handed(live, seated, "")

        return self._tables.change(table, step)
