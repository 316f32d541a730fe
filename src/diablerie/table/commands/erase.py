"""What people may delete: tables of their own, and the names they gave themselves."""

from contextlib import suppress
from dataclasses import replace

from diablerie.engine.text import say
from diablerie.table.errors import Forbidden, NotFound, Preparing, UnreadableTable, WrongTime
from diablerie.table.state.table_state import OPEN, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.tables import Tables


def delete_table(tables: Tables, table: str, visitor: Visitor) -> None:
    """Delete a table that the visitor has opened, and everything that is stored of it.

    Raises Forbidden for others, WrongTime while somebody else has a seat in a game begun.
    """

    def step(live: TableState) -> TableState | None:
        if visitor != live.host:
            raise Forbidden(say("Only the person who opened the table may delete it."))
        others = any(info.owner not in (None, visitor) for info in live.seats)
        if others and live.status != OPEN:
            raise WrongTime(say("Others play here too: you can only delete your name."))
        return None

    tables.change(table, step)


def delete_names(tables: Tables, visitor: Visitor) -> int:
    """Delete every name that this browser has given itself; returns at how many tables."""
    named = tables.store.named(visitor)
    for table in named:
        with suppress(NotFound, Preparing, UnreadableTable):
            tables.change(table, lambda live: _nameless(tables, live, visitor))
    return len(named)


def _nameless(tables: Tables, live: TableState, visitor: Visitor) -> TableState:
    infos = [replace(live.seats[seat], name="", called="") for seat in live.seats_of(visitor)]
    return tables.reseated(live, *infos)
