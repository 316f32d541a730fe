"""The log of a match in sentences, with a reader for each viewer; and match files for people.

A reader replays new plies on its own copy of the match, and keeps only what it makes from the
viewer's redacted record. One thread reads, which serves.

The file of a finished match has the whole truth. A running match's file has the header, then a line
for each ply: its sentences for the viewer and, where the viewer decided, what; then
`{"running":true}`. It is for reading, not for loading.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

import msgspec
from cachetools import LRUCache

from diablerie.engine import files
from diablerie.engine.match import Match
from diablerie.engine.moments import Moment
from diablerie.engine.replay import Replay
from diablerie.engine.text import ENGLISH, Line, SeatRef, render_line
from diablerie.runtime.serving import with_pauses
from diablerie.table.state.nonce_exchange import seat_names
from diablerie.table.state.table_state import FINISHED_TABLE, TableState

BOOKS = 4096  # as many as there are tables in memory
RENDERINGS_KEPT = 16  # of a ply: by language, names and purpose


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One ply in the log: `ply` is the table's after it, `lines` its sentences for the viewer.

    `shown` is for whoever shows the log, to keep what is made of the sentences by language and names.
    moments: what of it is staged for the viewer.
    """

    ply: int
    seat: int
    at: float
    lines: tuple[Line, ...]
    moments: tuple[Moment, ...] = ()
    shown: dict[Hashable, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    def rendered(self, key: Hashable, make: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """What is made of the sentences, by a key that says for whom; made once."""
        if key not in self.shown:
            if len(self.shown) >= RENDERINGS_KEPT:
                self.shown.clear()
            self.shown[key] = make()
        return self.shown[key]


class Reader:
    """One viewer's log of one table; entries that are the same for several viewers are `shared`."""

    def __init__(self, live: TableState, viewer: int, shared: dict[int, LogEntry]) -> None:
        self._viewer = viewer
        self._shared = shared
        assert live.match is not None
        self._replay = Replay(live.match)
        self._entries: list[LogEntry] = []

    def log(self, live: TableState, since: int) -> list[LogEntry]:
        """The plies above `since`, up to where `live` stands."""
        self._read(live)
        return self._entries[max(0, since) : live.ply]

    def _read(self, live: TableState) -> None:
        for number in with_pauses(range(len(self._entries), live.ply)):
            if number < len(self._entries):  # another who is served has read it meanwhile
                continue
            ply = live.plies[number]
            step = self._replay.step(ply, self._viewer)
            entry = LogEntry(step.number, ply.seat, ply.at, step.lines, step.moments)
            known = self._shared.setdefault(step.number, entry)
            self._entries.append(known if known == entry else entry)


class Logbook:
    """The readers of all tables; the longest unused are forgotten and made again when asked."""

    def __init__(self) -> None:
        # Of a table, its readers, and the entries that they share
        self._books: LRUCache[str, tuple[dict[int, Reader], dict[int, LogEntry]]] = LRUCache(BOOKS)

    def reader(self, live: TableState, viewer: int) -> Reader:
        """The reader of this viewer at this table."""
        readers, shared = self._books.setdefault(live.id, ({}, {}))
        if viewer not in readers:
            readers[viewer] = Reader(live, viewer, shared)
        return readers[viewer]


# -- export ------------------------------------------------------------------------------------


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
