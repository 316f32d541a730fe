"""Frames: what the stream sends, for one viewer: the regions of the page that have changed."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from diablerie.web import pages
from diablerie.web.page_model import PageModel
from diablerie.web.patch import Patch, patch, pieces

REGIONS = ("board", "ask", "seats", "log", "chat", "tools")


@dataclass(frozen=True)
class Frame:
    """The page's regions at one moment. `url` is the address that shows them again."""

    ply: int
    title: str
    url: str
    regions: Mapping[str, str]
    waits: bool = False  # for the rules to be compiled
    now: float = 0.0  # by the table's clock

    @property
    def id(self) -> str:
        """The event's id: the number of plies, and a digest of everything shown."""
        h = hashlib.sha256(self.title.encode())
        for name, html in self.regions.items():
            h.update(f"{name}\0{html}\0".encode())
        return f"{self.ply}.{h.hexdigest()[:12]}"

    def data(self, regions: Mapping[str, Any]) -> dict[str, Any]:
        """The frame as JSON data, with some regions or patches of them."""
        about = {"ply": self.ply, "title": self.title, "url": self.url, "now": self.now}
        return about | {"regions": regions}


class Sender:
    """What one stream has sent so far, so that it need not send it again."""

    def __init__(self, known: Frame | None = None) -> None:
        self.last = known  # what the page shows; its HTML is not known to the script
        self.sent: dict[str, list[str]] = {}

    def event(self, frame: Frame) -> bytes:
        """The server-sent event that brings the page to this frame; empty if it is there."""
        before, self.last = self.last, frame
        if before and before.id == frame.id:
            return b""
        changed = {
            name: self._told(name, html)
            for name, html in frame.regions.items()
            if before is None or before.regions[name] != html
        }
        body = msgspec.json.encode(frame.data(changed))
        return b"id: %s\ndata: %s\n\n" % (frame.id.encode(), body)

    def _told(self, name: str, html: str) -> str | Patch:
        cut = pieces(html)
        known, self.sent[name] = self.sent.get(name), cut
        return html if known is None else patch(known, cut)


def frame(model: PageModel) -> Frame:
    """The frame of a model."""
    drawn = {name: pages.render(model.tongue, f"parts/{name}.html", model=model,
                                speech=model.speech) for name in REGIONS}  # fmt: skip
    waits = model.compiling is not None
    return Frame(model.live.ply, model.title, model.viewpoint.url, drawn, waits, model.now)
