"""What only the host of a table may do before the start: open it to anybody, and free a seat."""

from dataclasses import replace

from diablerie.engine.fair import DiceStream
from diablerie.engine.text import say
from diablerie.table.errors import Forbidden, NotFound, WrongTime
from diablerie.table.state.nonce_exchange import emptied
from diablerie.table.state.table_state import EMPTY, OPEN, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage import rows
from diablerie.table.tables import Tables


def publish(tables: Tables, table: str, visitor: Visitor, public: bool) -> TableState:
    """Let anybody find the table, or only those who have its link. Raises Forbidden."""

    def step(live: TableState) -> TableState:
        _hosted(live, visitor)
        return live if live.public == public else replace(live, public=public)

    return tables.change(table, step)


def free(tables: Tables, table: str, visitor: Visitor, seat: int) -> TableState:
    """Free the seat of another before the start. Raises Forbidden, WrongTime, NotFound."""
    fresh = DiceStream.fresh()

    def step(live: TableState) -> TableState:
        _hosted(live, visitor)
        if live.status != OPEN:
            raise WrongTime(say("The game has begun."))
        if seat not in range(len(live.seats)) or live.seats[seat].kind == EMPTY:
            raise NotFound(say("There is nobody on this seat."))
        if live.seats[seat].owner == visitor:
            raise WrongTime(say("This is your own seat: leave it instead."))
        return emptied(live, seat, fresh.commitment)

    return tables.change(table, step, lambda live: rows.rekeyed(live, fresh))


def _hosted(live: TableState, visitor: Visitor) -> None:
    if visitor != live.host:
        raise Forbidden(say("Only whoever opened the table may do that."))
