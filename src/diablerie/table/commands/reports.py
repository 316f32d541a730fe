"""Lines of chat that players have reported: kept for whoever keeps the server, until looked at."""

from datetime import UTC, datetime
from typing import NamedTuple

import sqlalchemy as sa

from diablerie.engine.text import say
from diablerie.table.errors import Forbidden, NotFound, TooMany, WrongTime
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Store, Write
from diablerie.table.tables import Tables

MOST = 20  # of one table
KEPT = 90 * 24 * 3600.0  # seconds


class Report(NamedTuple):
    """A reported line: what was said where, by whom, when; and when it was reported."""

    table: str
    line: int
    seat: int
    name: str
    text: str
    said: float
    last: float  # when it was last reported
    times: int  # how often

    def __str__(self) -> str:
        """One line for whoever keeps the server."""
        when = datetime.fromtimestamp(self.said, UTC).strftime("%Y-%m-%d %H:%M")
        who = self.name or f"player {self.seat + 1}"
        often = f" ({self.times} times)" if self.times > 1 else ""
        return f"{when} table {self.table}, line {self.line}, {who}: {self.text}{often}"


def report(tables: Tables, table: str, visitor: Visitor, line: int, client: str = "") -> None:
    """Report a line that somebody else has said.

    Raises Forbidden for who has no seat, NotFound, WrongTime if it is one's own or has been
    reported, TooMany.
    """
    live, store = tables.live(table), tables.store
    if not live.seats_of(visitor):
        raise Forbidden(say("Only the players may report what is said here."))
    said = next((said for said in live.chat if said.id == line), None)
    if said is None:
        raise NotFound(say("This line is gone already."))
    if said.seat in live.seats_of(visitor):
        raise WrongTime(say("You said that yourself."))
    r = schema.reports
    made = store.rows(r, "match", table)
    if any(row.line == line and row.reporter == visitor for row in made):
        raise WrongTime(say("You have reported this line already."))
    if len(made) >= MOST:
        raise TooMany(say("Enough has been reported here: somebody will look at it."))
    tables.limits.take("reports", client)
    name = live.seats[said.seat].name if said.seat >= 0 else ""
    row = {
        "match": table,
        "line": line,
        "reporter": visitor,
        "seat": said.seat,
        "name": name,
        "text": said.text,
        "said": said.at,
        "at": tables.clock(),
    }
    try:
        store.commit([Write(sa.insert(r), [row])])
    except Conflict:
        raise WrongTime(say("You have reported this line already.")) from None


def sweep(tables: Tables) -> None:
    """Throw away what is old."""
    forget_reports(tables.store, tables.clock() - KEPT)


def list_reports(store: Store) -> list[Report]:
    """What was reported, the oldest first."""
    r = schema.reports.c
    wanted = (
        sa.select(
            r.match, r.line, r.seat, r.name, r.text, r.said, sa.func.max(r.at), sa.func.count()
        )
        .group_by(r.match, r.line, r.seat, r.name, r.text, r.said)
        .order_by(sa.func.min(r.at))
    )
    return [Report(*row) for row in store.select(wanted)]


def forget_reports(store: Store, before: float) -> None:
    """Throw away what was reported up to a moment (Unix time)."""
    r = schema.reports
    store.commit([Write(sa.delete(r).where(r.c.at <= before))])
