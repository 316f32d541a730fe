"""The log in sentences, one reader for each viewer, going on where it stopped.

A reader replays the plies on its own copy of the match. What it keeps is made from the redacted
record only.
"""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import NamedTuple

from diablerie.engine.fair import Fair
from diablerie.engine.match import Match, Step, narrate, redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.text import Line
from diablerie.engine.verbs import CHANCE
from diablerie.table.live import Live, Ply

READERS = 1000
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
        read = game.notation.parse_outcome if event.seat == CHANCE else None
        if read:
            action = read(before, event.text)
        else:
            action = game.notation.parse_action(before, event.seat, event.text)
        match.apply(event)
        yield from narrate(game, Step(before, event.seat, action, copy(match.state)), viewer)


class Reader:
    """One viewer's log of one table."""

    def __init__(self, live: Live, viewer: int) -> None:
        self.viewer = viewer
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
            self._entries.append(Entry(seq, ply.seat, ply.at, lines))
            self._records.append(Seen(seq, redacted(self._match.state, self.viewer)))


class Logbook:
    """The readers of all tables; the longest unused are forgotten and made again when asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._readers: OrderedDict[tuple[str, int], Reader] = OrderedDict()

    def reader(self, live: Live, viewer: int) -> Reader:
        """The reader of this viewer at this table."""
        place = live.id, viewer
        with self._lock:
            if place not in self._readers:
                self._readers[place] = Reader(live, viewer)
            self._readers.move_to_end(place)
            while len(self._readers) > READERS:
                self._readers.popitem(last=False)
            return self._readers[place]
