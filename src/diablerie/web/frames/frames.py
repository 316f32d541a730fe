"""Frames, and the events of a page's stream.

A frame is a page's regions, made from what one viewer may see and do. An event says how one frame
becomes the next. Both are cached: viewers who may see and do the same, in the same language, get the
same bytes.

A compressor for each stream would take 150 kB of memory for no fewer bytes, and compress for each
what many send. So every event is compressed by itself, into blocks of a deflate stream that refer
to the text of the last events which the stream has sent (a preset dictionary, as zlib calls it).
Streams share those texts, and an event that several streams send after the same events is
compressed once.
"""

import hashlib
import itertools
import zlib
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from diablerie.engine.game import Game
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import stands_in
from diablerie.table.commands import sequels
from diablerie.table.commands.forfeits import owed
from diablerie.table.commands.history import series_of
from diablerie.table.commands.latecomers import closed_to
from diablerie.table.commands.recollections import recalled
from diablerie.table.commands.seats import may_return
from diablerie.table.state.nonce_exchange import waited
from diablerie.table.state.table_state import FINISHED_TABLE, OPEN_TABLE, TableState
from diablerie.table.state.visitors import Visitor
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.patch import edited, patch
from diablerie.web.frames.regions import MAKERS, Region
from diablerie.web.frames.screen import SCREEN_MAKERS
from diablerie.web.frames.table_page import Page, PageContext, Recipient, Viewpoint
from diablerie.web.html import endings
from diablerie.web.html.assets import static_digest

# -- server-sent events ----------------------------------------------------------------------------

# Level of compression: an event is a seventh smaller than by 3, for a thirtieth of the time of its
# frame. Level 4 saves nothing, and 9 a thirtieth more for half the time again.
STREAM_COMPRESSION = 6
MEMORY = 6  # of 9: less to clear for each event, and no byte more
WINDOW_BYTES = 32_000  # bytes before an event that it may refer to; deflate knows 32,768
SHORT_EVENT_BYTES = 200  # bytes of an event that refers to nothing
_numbers = itertools.count()


class ServerSentEvent:
    """A server-sent event.

    `alone`: it holds what others wrote. It is compressed together with no other event, since the
    length of the compressed text would tell an eavesdropper whether both are alike.
    """

    def __init__(self, text: bytes, alone: bool = False) -> None:
        self.text = text
        self.alone = alone
        self.number = next(_numbers)
        self._squeezed: dict[tuple[int, ...], bytes] = {}

    def squeezed(self, after: tuple["ServerSentEvent", ...] = ()) -> bytes:
        """The event as blocks of a deflate stream, the last of which were those of `after`."""
        known = () if self.alone or len(self.text) < SHORT_EVENT_BYTES else after
        key = tuple(event.number for event in known)
        if key not in self._squeezed:
            before = b"".join([event.text for event in known])
            self._squeezed[key] = deflate_blocks(self.text, before)
        return self._squeezed[key]


EMPTY_EVENT = ServerSentEvent(b"")


class Window:
    """The last events that a stream has sent: what the next one may refer to."""

    def __init__(self) -> None:
        self._sent: tuple[ServerSentEvent, ...] = ()

    def squeeze(self, event: ServerSentEvent) -> bytes:
        """The event, compressed so that the stream can send it next, which it does."""
        squeezed = event.squeezed(self._sent)
        sent = () if event.alone else (*self._sent, event)
        size = sum(len(one.text) for one in sent)
        while size > WINDOW_BYTES:
            size -= len(sent[0].text)
            sent = sent[1:]
        self._sent = sent
        return squeezed


def deflate_blocks(text: bytes, before: bytes = b"") -> bytes:
    """Text as blocks that may follow any others in a deflate stream, if `before` was its last text."""
    bits = min(15, max(9, (len(text) + len(before)).bit_length()))
    deflate = zlib.compressobj(STREAM_COMPRESSION, zlib.DEFLATED, -bits, MEMORY, zdict=before)
    return deflate.compress(text) + deflate.flush(zlib.Z_FULL_FLUSH)


# -- frames ----------------------------------------------------------------------------------------

PART_DIGESTS_KEPT = 32_768  # of parts, that are kept


@dataclass(frozen=True, eq=False)
class Frame:
    """The page's regions at one moment. `url` is the address that shows them again.

    `until` is when it may change without a change of the table (Unix time), None for never.
    """

    ply: int
    title: str
    url: str
    parts: Mapping[str, Region]
    until: float | None = None

    @property
    def regions(self) -> dict[str, str]:
        """The regions' HTML."""
        return {name: "".join(parts) for name, parts in self.parts.items()}

    @cached_property
    def id(self) -> str:
        """The event's id: the number of plies, a digest of everything shown, that of the scripts."""
        regions = chain.from_iterable((name, *parts) for name, parts in self.parts.items())
        digest = hashlib.sha256(b"".join(map(_digest, (self.title, *regions))))
        return f"{self.ply}.{digest.hexdigest()[:24]}.{static_digest()}"

    def data(self, regions: Mapping[str, Any], now: float) -> dict[str, Any]:
        """The frame as JSON data, with some regions or patches of them."""
        about = {"ply": self.ply, "title": self.title, "url": self.url, "now": now}
        return about | {"regions": regions}


def is_outdated(have: str) -> bool:
    """Whether a page that has this frame came with other scripts and style sheets than today's."""
    return bool(have) and not have.endswith(f".{static_digest()}")


@lru_cache(PART_DIGESTS_KEPT)
def _digest(part: str) -> bytes:
    """The digest of a part; most stay as they are from ply to ply."""
    return hashlib.sha256(part.encode()).digest()


_events = MemoCache(512)  # by digests of all that is in them


class Sender:
    """What one stream has sent, so that it sends only what has changed."""

    def __init__(
        self, known: Frame | None = None, edits: bool = False, missed: bool = False
    ) -> None:
        self.last = known  # what the page shows
        self.missed = missed  # whether the first event brings what the page has missed
        self.edits = edits  # whether the script knows edits of parts: one of 0.4.0 does not
        self.sent: frozenset[str] = frozenset()  # regions of which the script has the parts

    def event(self, frame: Frame, now: float) -> ServerSentEvent:
        """The event that changes the page to this frame; empty if it shows it already."""
        before = self.last
        sent = self.sent
        self.last = frame
        if before is None:
            self.sent = frozenset(frame.parts)
        elif before.id == frame.id:
            return EMPTY_EVENT
        else:
            self.sent |= changed_regions(before, frame)
        past = self.missed and before is None
        key = (before and before.id, sent, frame.id, frame.url, int(now), self.edits, past)
        return _events.get(key, lambda: _event(before, sent, frame, now, self.edits, past))


def changed_regions(before: Frame, frame: Frame) -> frozenset[str]:
    """The names of the regions that differ."""
    return frozenset(n for n, parts in frame.parts.items() if before.parts[n] != parts)


def _event(
    before: Frame | None,
    sent: frozenset[str],
    frame: Frame,
    now: float,
    edits: bool,
    past: bool,
) -> ServerSentEvent:
    """`past`: what led to the frame happened while the page did not listen, and is not played."""
    names = frame.parts if before is None else changed_regions(before, frame)
    regions = {}
    for name in (name for name in frame.parts if name in names):
        old = before.parts[name] if before and name in sent else ()
        changes = patch(old, frame.parts[name])
        regions[name] = edited(changes, old) if edits else changes
    data = frame.data(regions, now) | ({"past": True} if past else {})
    body = msgspec.json.encode(data, enc_hook=str)  # parts are Svg, too
    text = b"id: %s\ndata: %s\n\n" % (frame.id.encode(), body)
    return ServerSentEvent(text, alone="chat" in names)


def make_frame(page: Page) -> Frame:
    """The frame of a page."""
    makers = SCREEN_MAKERS if page.viewpoint.screen else MAKERS
    parts = {name: make(page) for name, make in makers.items()}
    return Frame(page.live.ply, page.title, page.viewpoint.url, parts, page.until)


# -- gathered for a viewer, made once for all who may see and do the same --------------------------

LOG_PLIES_SHOWN = 30  # plies in the log beside the board; the whole log has its own page


class FrameCache:
    """The caches of one server. (A test runs several, whose tables may have the same ids.)"""

    def __init__(self) -> None:
        self.frames = MemoCache(512)
        self.parts = MemoCache()


_caches: WeakKeyDictionary[Authority, FrameCache] = WeakKeyDictionary()


def _cache_of(authority: Authority) -> FrameCache:
    return _caches.get(authority) or _caches.setdefault(authority, FrameCache())


def gather(authority: Authority, viewpoint: Viewpoint, recipient: Recipient) -> Page:
    """The page model of a viewpoint, with the latest LOG_PLIES_SHOWN plies of the log."""
    context = _context(authority, viewpoint.live, recipient.visitor)
    return _model(authority, viewpoint, recipient, context)


def cached_frame(authority: Authority, viewpoint: Viewpoint, recipient: Recipient) -> Frame:
    """The frame of a viewpoint, made once for all with an equal key."""
    context = _context(authority, viewpoint.live, recipient.visitor)
    who = recipient if _involved(viewpoint, recipient) else _anybody(viewpoint, recipient)

    def make() -> Frame:
        return make_frame(_model(authority, viewpoint, who, context))

    return _cache_of(authority).frames.get(_key(viewpoint, who, context), make)


def _context(authority: Authority, live: TableState, visitor: Visitor | None) -> PageContext:
    hook = authority.subscriptions.hook_of(live.id)
    ended = live.match if live.group and live.status == FINISHED_TABLE else None
    series = series_of(authority, live.group) if ended else None
    owing = owed(authority, live, endings.last(ended), visitor) if ended else None
    deadlines = authority.deadlines(live)
    rematch = sequels.rematch_of(authority, live)
    weaker = stands_in(authority, live)
    return PageContext(
        authority.clock(),
        authority.presence(live),
        deadlines,
        hook,
        series,
        rematch,
        () if rematch else _other_games(authority, live),
        weaker,
        owing,
        recalled(authority, live),
    )


def _other_games(authority: Authority, live: TableState) -> tuple[Game, ...]:
    """Other games that so many can play, when this one is over. A group has a page for that."""
    if live.group or live.status != FINISHED_TABLE:
        return ()
    games = authority.games.values()
    return tuple(game for game in games if game is not live.game and len(live.seats) in game.seats)


def _model(
    authority: Authority,
    viewpoint: Viewpoint,
    recipient: Recipient,
    context: PageContext,
) -> Page:
    live = viewpoint.live
    entries = (
        authority.log(live, viewpoint.viewer, max(0, live.ply - LOG_PLIES_SHOWN))
        if live.match
        else []
    )
    return Page(viewpoint, recipient, context, entries, _cache_of(authority).parts)


def _key(viewpoint: Viewpoint, recipient: Recipient, context: PageContext) -> Hashable:
    """All that a frame depends on. For all who take no part in the table it is the same."""
    live = viewpoint.live
    now = context.now
    return (
        recipient,
        live.id,
        live.version,  # of its plies, seats, chat, everything
        (viewpoint.own, viewpoint.viewer, viewpoint.chosen, viewpoint.cover, viewpoint.draft),
        viewpoint.screen,
        tuple((who.here, who.due is not None and now >= who.due) for who in context.presence),
        tuple(context.deadlines),
        context.hook,
        context.series,
        context.rematch,
        context.weaker,
        context.owed,
        context.recalled,
        waited(live, now, [who.here for who in context.presence]),
    )


def _involved(viewpoint: Viewpoint, recipient: Recipient) -> bool:
    """Whether the page depends on who the visitor is, not only on what anybody may see."""
    live = viewpoint.live
    visitor = recipient.visitor
    if visitor is None:
        return False
    back = any(may_return(live.id, info, visitor) for info in live.seats)
    asks = any(visitor in (info.wanted, info.declined) for info in live.seats)
    return bool(viewpoint.own or back or asks or visitor == live.host or recipient.muted)


def _anybody(viewpoint: Viewpoint, recipient: Recipient) -> Recipient:
    """The recipient without its visitor, and without the name except where the page asks for one."""
    live = viewpoint.live
    offers = live.status == OPEN_TABLE or closed_to(live, None) is None
    name = recipient.known_as if offers else ""
    return recipient._replace(visitor=None, known_as=name)
