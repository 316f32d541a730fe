"""Chat at a table: quick phrases, and lines of it that players report to whoever keeps the server.

Quick phrases and reactions are stored as codes and shown in each reader's language: a line that is
nothing but a code, such as `:thanks:`, is shown as what the code stands for.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

import sqlalchemy as sa

from diablerie.api import Frozen, Operations, Talking
from diablerie.engine.text import Line, say
from diablerie.table.commands.command import Asker, command, table_command
from diablerie.table.errors import BadInput, Forbidden, NotFound, TooMany, WrongTime
from diablerie.table.state.table_state import CHAT_LINES_KEPT, ChatLine, TableState
from diablerie.table.state.visitors import clean
from diablerie.table.storage import schema
from diablerie.table.storage.store import Conflict, Store

LONGEST_CHAT_LINE = 300  # characters of a line
MOST_REPORTS = 20  # of one table
REPORTS_KEPT = 90 * 24 * 3600.0  # seconds


class Phrase(NamedTuple):
    """What a code stands for. A reaction has a `mood`, the face of the player's devil."""

    line: Line
    mood: str = ""


REACTIONS: Mapping[str, Phrase] = {
    ":grins:": Phrase(say("grins"), "grin"),
    ":cheers:": Phrase(say("cheers"), "triumph"),
    ":wonders:": Phrase(say("wonders"), "think"),
    ":schemes:": Phrase(say("is up to something"), "sly"),
    ":yawns:": Phrase(say("yawns"), "sleep"),
}
PHRASES: Mapping[str, Phrase] = {
    ":luck:": Phrase(say("Good luck!")),
    ":well-played:": Phrase(say("Well played!")),
    ":ouch:": Phrase(say("Ouch!")),
    ":moment:": Phrase(say("One moment, please.")),
    ":thanks:": Phrase(say("Thank you!")),
    ":again:": Phrase(say("Play again?")),
}


def phrase_of(text: str) -> Phrase | None:
    """What a line of chat stands for, None if it is no code."""
    return REACTIONS.get(text) or PHRASES.get(text)


# -- chat --------------------------------------------------------------------------------------


@command(Operations.chat)
def chat(live: TableState, asker: Asker, asked: Talking) -> TableState:
    """Add a line of chat by a seated person, for `seat` or the person's first one.

    Raises BadInput for an empty line, Forbidden for spectators.
    """
    cleaned = clean(asked.text, LONGEST_CHAT_LINE)
    own = live.seats_of(asker.visitor)
    if not cleaned:
        raise BadInput(say("Write something first."))
    if not own or (asked.seat is not None and asked.seat not in own):
        raise Forbidden(say("Only the players may write here."))
    number = live.chat[-1].id + 1 if live.chat else 1
    seat = own[0] if asked.seat is None else asked.seat
    line = ChatLine(number, seat, cleaned, asker.now)
    return replace(live, chat=(*live.chat, line)[-CHAT_LINES_KEPT:])


class Report(NamedTuple):
    """A reported line of chat; `said` and `last` are Unix times."""

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


class LineReport(Frozen):
    """Report the line of chat with this number."""

    line: int


@table_command(LineReport)
def report(asker: Asker, asked: LineReport) -> None:
    """Report a line that somebody else has said.

    Raises Forbidden for who has no seat, NotFound, WrongTime if it is one's own or has been
    reported, TooMany.
    """
    visitor = asker.known
    line = asked.line
    live = asker.tables.live(asker.table)
    store = asker.tables.store
    if not live.seats_of(visitor):
        raise Forbidden(say("Only the players may report a line."))
    said = next((said for said in live.chat if said.id == line), None)
    if said is None:
        raise NotFound(say("This line has been removed already."))
    if said.seat in live.seats_of(visitor):
        raise WrongTime(say("You wrote that line yourself."))
    r = schema.reports
    earlier = store.rows(r, "match", live.id)
    if any(row.line == line and row.reporter == visitor for row in earlier):
        raise WrongTime(say("You have reported this line already."))
    if len(earlier) >= MOST_REPORTS:
        raise TooMany(say("Enough lines have been reported here. Somebody will look at them."))
    # Only now, so that a report which is refused does not count.
    asker.count("reports")
    name = live.seats[said.seat].name if said.seat >= 0 else ""
    row = {
        "match": live.id,
        "line": line,
        "reporter": visitor,
        "seat": said.seat,
        "name": name,
        "text": said.text,
        "said": said.at,
        "at": asker.now,
    }
    try:
        store.commit(sa.insert(r).values(row))
    except Conflict:
        raise WrongTime(say("You have reported this line already.")) from None


def list_reports(store: Store) -> list[Report]:
    """The reported lines, the oldest first. Raises Unavailable."""
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
    """Delete what was reported up to a moment (Unix time). Raises Unavailable."""
    r = schema.reports
    store.commit(sa.delete(r).where(r.c.at <= before))
