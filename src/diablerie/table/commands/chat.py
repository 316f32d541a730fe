"""Talking at a table."""

from dataclasses import replace

from diablerie.engine.text import say
from diablerie.table.errors import BadInput, Forbidden
from diablerie.table.state.table_state import LINES, ChatLine, TableState
from diablerie.table.state.visitors import Visitor, clean
from diablerie.table.tables import Tables

LONGEST = 300  # characters
KEPT = LINES


def post_message(
    tables: Tables,
    table: str,
    visitor: Visitor,
    text: str,
    client: str = "",
    seat: int | None = None,
) -> TableState:
    """A line of chat by a seated person (of one of his seats)."""
    tables.limits.take("chat", client)
    shown = clean(text, LONGEST)
    if not shown:
        raise BadInput(say("Say something first."))

    def step(live: TableState) -> TableState:
        own = live.seats_of(visitor)
        if not own or (seat is not None and seat not in own):
            raise Forbidden(say("Only the players talk here."))
        number = live.chat[-1].id + 1 if live.chat else 1
        line = ChatLine(number, own[0] if seat is None else seat, shown, tables.clock())
        return replace(live, chat=(*live.chat, line)[-KEPT:])

    return tables.change(table, step)
