"""Frames: what the stream sends, for one viewer: the regions of his page that have changed."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from diablerie.web import pages
from diablerie.web.scene import Scene

REGIONS = ("board", "ask", "seats", "log", "chat", "tools")


@dataclass(frozen=True)
class Frame:
    """The page's regions at one moment. `url` is the address that shows them again."""

    seq: int
    title: str
    url: str
    regions: Mapping[str, str]
    waits: bool = False  # for the rules to be compiled

    @property
    def id(self) -> str:
        """The event's id: the number of plies, and a digest of everything shown."""
        h = hashlib.sha256(self.title.encode())
        for name, html in self.regions.items():
            h.update(f"{name}\0{html}\0".encode())
        return f"{self.seq}.{h.hexdigest()[:12]}"

    def since(self, before: "Frame | None") -> "Frame":
        """The frame with only the regions that are not as they were `before`."""
        if before is None:
            return self
        changed = {k: v for k, v in self.regions.items() if before.regions.get(k) != v}
        return replace(self, regions=changed)

    def data(self) -> dict[str, Any]:
        """The frame as JSON data."""
        return {
            "seq": self.seq,
            "title": self.title,
            "url": self.url,
            "regions": dict(self.regions),
        }

    def event(self, before: "Frame | None") -> bytes:
        """The server-sent event that brings a page from `before` to this frame."""
        body = msgspec.json.encode(self.since(before).data())
        return b"id: %s\ndata: %s\n\n" % (self.id.encode(), body)


def frame(scene: Scene) -> Frame:
    """The frame of a scene."""
    drawn = {name: pages.render(scene.tongue, f"parts/{name}.html", scene=scene,
                                speech=scene.speech) for name in REGIONS}  # fmt: skip
    waits = scene.compiling is not None
    return Frame(scene.live.seq, scene.title, scene.sight.url, drawn, waits)
