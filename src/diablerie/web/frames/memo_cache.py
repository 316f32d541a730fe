"""A bounded cache of what the one thread that draws has made.

If its keys name tables, each server (`Authority`) has a cache of its own.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

MEMOS_KEPT = 16_384  # what is shown at a thousand tables of four
V = TypeVar("V")


class MemoCache:
    """Values by the key they were made from; the least recently used are dropped."""

    def __init__(self, size: int = MEMOS_KEPT) -> None:
        # cachetools' takes 2 µs a look
        self._kept = OrderedDict[Hashable, Any]()
        self._size = size

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of an equal key; without one, `make` it and keep it."""
        value = self._kept.get(key)
        if value is not None:
            self._kept.move_to_end(key)
        else:
            value = self._kept[key] = make()
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return cast(V, value)
