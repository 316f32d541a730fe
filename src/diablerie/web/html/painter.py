"""`Painter`: draws pictures in a thread of its own, so that requests for them cannot load the server."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor

from cachetools import LRUCache

from diablerie.table.presence.fair_queue import FairPlaces

KEPT = 64  # pictures in memory


class Painter:
    """Draws one picture after the other, for clients in turn, and keeps the latest by their keys."""

    def __init__(self, kept: int = KEPT) -> None:
        self._lock, self._places = threading.Lock(), FairPlaces(1)
        self._kept: LRUCache[Hashable, bytes] = LRUCache(kept)
        self._thread = ThreadPoolExecutor(1, "painter")

    async def picture(
        self,
        key: Hashable,
        draw: Callable[[], bytes],
        client: str = "",
        gone: Callable[[], Awaitable[bool]] | None = None,
    ) -> bytes:
        """The picture of this key: kept, or drawn when it is the client's turn.

        Raises TooMany, see `FairPlaces`, and what `draw` raises.
        """
        if (made := self._found(key)) is not None:
            return made
        async with self._places.place(client, gone):
            if (made := self._found(key)) is None:  # else drawn for another meanwhile
                drawing = self._thread.submit(draw)
                made = await asyncio.wrap_future(drawing)
                with self._lock:
                    self._kept[key] = made
        return made

    def _found(self, key: Hashable) -> bytes | None:
        with self._lock:
            return self._kept.get(key)

    def stop(self) -> None:
        """Draw nothing more; who waits is told so by a CancelledError."""
        self._thread.shutdown(wait=False, cancel_futures=True)
