"""Match files for people: the whole truth of a finished match, of a running one what one may know.

A running match's file has the header, then a line for each ply: its sentences for the viewer and,
where the viewer decided, what; then `{"running":true}`. It is for reading, not for loading.
"""

from collections.abc import Sequence

import msgspec

from diablerie.engine import files
from diablerie.engine.match import Match
from diablerie.engine.text import ENGLISH, SeatRef, render_line
from diablerie.table.commands.logbook import LogEntry
from diablerie.table.state.nonce_exchange import seat_names
from diablerie.table.state.table_state import FINISHED_TABLE, TableState


def export(live: TableState, viewer: int, log: Sequence[LogEntry]) -> str:
    """The file of a match that has begun, with what `viewer` may know."""
    if live.status == FINISHED_TABLE:
        return files.dump(recorded(live))
    return msgspec.json.Encoder().encode_lines(_running(live, viewer, log)).decode()


def recorded(live: TableState) -> Match:
    """The match of a table with its seats called as in its file."""
    assert live.match is not None
    return live.match.named(seat_names(live))


def _running(live: TableState, viewer: int, log: Sequence[LogEntry]) -> list[object]:
    def name(seat: SeatRef) -> str:
        return str(live.name(seat))

    lines: list[object] = [files.header(recorded(live))]
    for entry, ply in zip(log, live.plies, strict=True):
        line: dict[str, object] = {"ply": entry.ply}
        if ply.seat == viewer and ply.events:
            line |= {"seat": viewer, "do": ply.events[0].text}
        lines.append({**line, "log": [render_line(one, ENGLISH, name) for one in entry.lines]})
    return [*lines, {"running": True}]
