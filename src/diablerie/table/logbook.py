"""The log in sentences, one reader for each viewer, going on where it stopped.

A reader replays the plies on its own copy of the match. What it keeps is made from the redacted
record only.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from diablerie.engine.asking import redacted
from diablerie.engine.fair import Fair
from diablerie.engine.match import Match, Step, narrate
from diablerie.engine.record import Record, copy
from diablerie.engine.text import Line
from diablerie.engine.verbs import CHANCE
from diablerie.table.live import Live, Ply

BOOKS = 256
RECORDS = 12  # a page that missed more than so many plies shows where they led to, at once


class Entry(NamedTuple):
    """One ply in the log: `seq` is the table's after it, `lines` its sentences for the viewer."""

    seq: int
    seat: int
    at: float
    lines: tuple[Line, ...]


class Seen(NamedTuple):
    """The redacted record after a ply."""

    seq: int
    record: Record


def untold(live: Live) -> Match:
    """The match before its first event; its stream of chance stays behind, nothing is drawn."""
    count = len(live.seats)
    return Match.opening(live.game, seats=count, fair=Fair(b""), options=live.options)


def tell(match: Match, ply: Ply, viewer: int) -> Iterator[Line]:
    """Play one ply on `match`, and its sentences."""
    game = match.game
    for event in ply.events:
        before = copy(match.state)
        if event.seat == CHANCE:
            action = game.notation.parse_outcome(before, event.text)
        else:
            action = game.notation.parse_action(before, event.seat, event.text)
        match.apply(event)
        yield from narrate(game, Step(before, event.seat, action, copy(match.state)), viewer)


class Reader:
    """One viewer's log of one table. What it has in common with others is kept once, `shared`."""

    def __init__(self, live: Live, viewer: int, shared: dict[int, Entry] | None = None) -> None:
        self.viewer = viewer
        self._shared = {} if shared is None else shared
        self._lock = threading.Lock()
        self._match = untold(live)
        self._entries: list[Entry] = []
        self._records: deque[Seen] = deque(maxlen=RECORDS)

    def log(self, live: Live, since: int) -> list[Entry]:
        """The plies above `since`, up to where `live` stands."""
        with self._lock:
            self._read(live)
            return self._entries[max(0, since) : live.seq]

    def records(self, live: Live, since: int) -> list[Seen]:
        """What the viewer saw after each of the last plies."""
        with self._lock:
            self._read(live)
            return [seen for seen in self._records if since < seen.seq <= live.seq]

    def _read(self, live: Live) -> None:
        for ply in live.plies[len(self._entries) :]:
            lines = tuple(tell(self._match, ply, self.viewer))
            seq = len(self._entries) + 1
            entry = Entry(seq, ply.seat, ply.at, lines)
            known = self._shared.setdefault(seq, entry)
            self._entries.append(known if known == entry else entry)
            self._records.append(Seen(seq, redacted(self._match.state, self.viewer)))


@dataclass
class Book:
    """The readers of one table."""

    readers: dict[int, Reader] = field(default_factory=dict)
    shared: dict[int, Entry] = field(default_factory=dict)


class Logbook:
    """The readers of all tables; the longest unused are forgotten and made again when asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._books: OrderedDict[str, Book] = OrderedDict()

    def reader(self, live: Live, viewer: int) -> Reader:
        """The reader of this viewer at this table."""
        with self._lock:
            book = self._books.setdefault(live.id, Book())
            self._books.move_to_end(live.id)
            while len(self._books) > BOOKS:
                self._books.popitem(last=False)
            if viewer not in book.readers:
                book.readers[viewer] = Reader(live, viewer, book.shared)
            return book.readers[viewer]
