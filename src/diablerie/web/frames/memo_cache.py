"""A bounded cache that several threads share.

If its keys name tables, each server (`Authority`) has a cache of its own.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

KEPT = 2048
V = TypeVar("V")


class MemoCache:
    """Values by the key they were made from; the least recently used are dropped."""

    def __init__(self, size: int = KEPT) -> None:
        self._lock = threading.Lock()
        self._size, self._kept = size, OrderedDict[Hashable, Any]()  # cachetools' takes 2 µs a look

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of an equal key; without one, `make` it and keep it."""
        with self._lock:
            value = self._kept.get(key)
            if value is not None:
                self._kept.move_to_end(key)
        if value is None:
            value = make()
            with self._lock:
                self._kept[key] = value
                if len(self._kept) > self._size:
                    self._kept.popitem(last=False)
        return cast(V, value)
