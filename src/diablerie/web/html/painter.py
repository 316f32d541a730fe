"""`Painter`: draws pictures in a thread of its own, so that requests for them cannot load the server."""

import asyncio
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor

from cachetools import LRUCache

from diablerie.table.errors import TooMany

KEPT = 64  # pictures in memory
WAITING = 16  # pictures to be drawn, at most


class Painter:
    """Draws one picture after the other, and keeps the latest by their keys."""

    def __init__(self, kept: int = KEPT, waiting: int = WAITING) -> None:
        self._lock, self._waiting = threading.Lock(), waiting
        self._kept: LRUCache[Hashable, bytes] = LRUCache(kept)
        self._drawing: dict[Hashable, Future[bytes]] = {}
        self._thread = ThreadPoolExecutor(1, "painter")

    async def picture(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        """The picture of this key: kept, being drawn for somebody else already, or drawn now.

        Raises TooMany if too many others are waiting, and what `draw` raises.
        """
        with self._lock:
            if (made := self._kept.get(key)) is not None:
                return made
            drawing = self._drawing.get(key) or self._begin(key, draw)
        return await asyncio.shield(asyncio.wrap_future(drawing))

    def _begin(self, key: Hashable, draw: Callable[[], bytes]) -> Future[bytes]:
        if len(self._drawing) >= self._waiting:
            raise TooMany
        self._drawing[key] = drawing = self._thread.submit(self._draw, key, draw)
        return drawing

    def _draw(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        try:
            made = draw()
            with self._lock:
                self._kept[key] = made
            return made
        finally:
            with self._lock:
                self._drawing.pop(key, None)

    def stop(self) -> None:
        """Draw nothing more; who waits is told so by a CancelledError."""
        self._thread.shutdown(wait=False, cancel_futures=True)
