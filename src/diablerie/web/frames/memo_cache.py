"""Memory: what was made from equal things is made once.

Where a key names a table, the memory is one server's own (`Authority`), not the process's.
"""

import threading
from collections.abc import Callable, Hashable
from typing import Any

from cachetools import LRUCache

KEPT = 2048


class MemoCache:
    """Things by what they were made from; the longest unused are made anew."""

    def __init__(self, size: int = KEPT) -> None:
        self._lock = threading.Lock()
        self._kept: LRUCache[Hashable, Any] = LRUCache(size)

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What was made for an equal key, or is made now."""
        with self._lock:
            found = self._kept.get(key)
        if found is None:
            found = make()
            with self._lock:
                self._kept[key] = found
        return found
