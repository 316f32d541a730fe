"""What only the host of a table may do before the start: open it to anybody, and free a seat."""

from dataclasses import replace

from diablerie.engine.text import say
from diablerie.table.errors import Forbidden, NotFound, WrongTime
from diablerie.table.live import EMPTY, OPEN, Live, SeatInfo
from diablerie.table.shares import unshared
from diablerie.table.tables import Tables
from diablerie.table.visitors import Visitor


class Hosting:
    """The host's part."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def publish(self, table: str, visitor: Visitor, public: bool) -> Live:
        """Let anybody find the table, or only those who have its link. Raises Forbidden."""

        def step(live: Live) -> Live:
            _hosted(live, visitor)
            return live if live.public == public else replace(live, public=public)

        return self._tables.change(table, step)

    def free(self, table: str, visitor: Visitor, seat: int) -> Live:
        """Free the seat of another before the start. Raises Forbidden, WrongTime, NotFound."""

        def step(live: Live) -> Live:
            _hosted(live, visitor)
            if live.status != OPEN:
                raise WrongTime(say("The game has begun."))
            if seat not in range(len(live.seats)) or live.seats[seat].kind == EMPTY:
                raise NotFound(say("There is nobody on this seat."))
            if live.seats[seat].owner == visitor:
                raise WrongTime(say("This is your own seat: leave it instead."))
            return emptied(self._tables, live, seat)

        return self._tables.change(table, step)


def _hosted(live: Live, visitor: Visitor) -> None:
    if visitor != live.host:
        raise Forbidden(say("Only whoever opened the table may do that."))


def emptied(tables: Tables, live: Live, seat: int) -> Live:
    """The open table with a seat free again, whose shares in the dice are asked for anew."""
    others = [unshared(info) for info in live.seats if info.seat != seat]
    return tables.reseated(replace(live, waits=0.0), SeatInfo(seat), *others)
