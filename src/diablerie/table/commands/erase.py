"""What people may delete: tables of their own, and the names they gave themselves."""

from contextlib import suppress
from dataclasses import replace

from diablerie.api import Empty, Operations
from diablerie.engine.text import say
from diablerie.table.commands.command import Asker, change, command
from diablerie.table.errors import NotFound, Preparing, UnreadableTable, WrongTime
from diablerie.table.state.table_state import OPEN_TABLE, TableState, reseated
from diablerie.table.state.visitors import Visitor
from diablerie.table.tables import Tables


@command(Operations.delete_table)
def delete_table(live: TableState, asker: Asker, asked: Empty) -> None:
    """Delete a table that the visitor has opened, and everything that is stored of it.

    Raises Forbidden for others, WrongTime while somebody else has a seat in a game begun.
    """
    asker.hosts(live)
    others = any(info.owner not in (None, asker.visitor) for info in live.seats)
    if others and live.status != OPEN_TABLE:
        raise WrongTime(say("Others play here too: you can only delete your name."))


def delete_names(tables: Tables, visitor: Visitor) -> int:
    """Delete every name that this browser has given itself; returns at how many tables."""
    named = tables.store.named(visitor)
    for table in named:
        with suppress(NotFound, Preparing, UnreadableTable):
            change(tables, table, visitor, lambda live, _: _nameless(live, visitor))
    return len(named)


def _nameless(live: TableState, visitor: Visitor) -> TableState:
    infos = [replace(live.seats[seat], name="", called="") for seat in live.seats_of(visitor)]
    return reseated(live, *infos)
