"""Frames and the events of a page's stream.

A frame is a page's regions, made from what one viewer may see and do. An event says how one frame
becomes the next. Both are cached: viewers who may see and do the same, in the same language, get the
same bytes.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any

import msgspec

from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.patch import edited, patch
from diablerie.web.frames.regions import MAKERS, Region
from diablerie.web.frames.sse import EMPTY_EVENT, ServerSentEvent
from diablerie.web.frames.table_page import Page

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
        """The event's id: the number of plies, and a digest of everything shown."""
        regions = chain.from_iterable((name, *parts) for name, parts in self.parts.items())
        digest = hashlib.sha256(b"".join(map(_digest, (self.title, *regions))))
        return f"{self.ply}.{digest.hexdigest()[:24]}"

    def data(self, regions: Mapping[str, Any], now: float) -> dict[str, Any]:
        """The frame as JSON data, with some regions or patches of them."""
        about = {"ply": self.ply, "title": self.title, "url": self.url, "now": now}
        return about | {"regions": regions}


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
        self.told: frozenset[str] = frozenset()  # regions of which the script has the parts

    def event(self, frame: Frame, now: float) -> ServerSentEvent:
        """The event that changes the page to this frame; empty if it shows it already."""
        before = self.last
        told = self.told
        self.last = frame
        if before is None:
            self.told = frozenset(frame.parts)
        elif before.id == frame.id:
            return EMPTY_EVENT
        else:
            self.told |= changed_regions(before, frame)
        past = self.missed and before is None
        key = (before and before.id, told, frame.id, frame.url, int(now), self.edits, past)
        return _events.get(key, lambda: _event(before, told, frame, now, self.edits, past))


def changed_regions(before: Frame, frame: Frame) -> frozenset[str]:
    """The names of the regions that differ."""
    return frozenset(n for n, parts in frame.parts.items() if before.parts[n] != parts)


def _event(
    before: Frame | None,
    told: frozenset[str],
    frame: Frame,
    now: float,
    edits: bool,
    past: bool,
) -> ServerSentEvent:
    """`past`: what led to the frame happened while the page did not listen, and is not played."""
    names = frame.parts if before is None else changed_regions(before, frame)
    regions = {}
    for name in (name for name in frame.parts if name in names):
        old = before.parts[name] if before and name in told else ()
        changes = patch(old, frame.parts[name])
        regions[name] = edited(changes, old) if edits else changes
    data = frame.data(regions, now) | ({"past": True} if past else {})
    body = msgspec.json.encode(data, enc_hook=str)  # parts are Svg, too
    text = b"id: %s\ndata: %s\n\n" % (frame.id.encode(), body)
    return ServerSentEvent(text, apart="chat" in names)


def make_frame(page: Page) -> Frame:
    """The frame of a page."""
    parts = {name: make(page) for name, make in MAKERS.items()}
    return Frame(page.live.ply, page.title, page.viewpoint.url, parts, page.until)
