"""Locks and pools of threads that can be copied, and that a forked child can use.

A forked child has one thread: a lock that another held would stay held for ever, and a pool would
wait for threads that are gone. So both begin anew in a child, and in a copy.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TypeVar
from weakref import WeakSet

Item = TypeVar("Item")
Result = TypeVar("Result")


class LocalLock:
    """A lock between the threads of one process, for the block that it begins."""

    def __init__(self) -> None:
        self.renew()
        _renewed.add(self)

    def renew(self) -> None:
        """Begin anew: nobody holds the lock."""
        self._lock = Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *raised: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[object, ...]:
        return LocalLock, ()


class Threads:
    """So many threads, which start when they are first needed; with one, the caller does the work."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.renew()
        _renewed.add(self)

    def renew(self) -> None:
        """Begin anew, without threads."""
        self._pool: ThreadPoolExecutor | None = None

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """What `work` gives for each of the items, in their order."""
        if self.count == 1:
            return list(map(work, items))
        self._pool = self._pool or ThreadPoolExecutor(self.count)
        return list(self._pool.map(work, items))

    def close(self) -> None:
        """End the threads; they start again when they are needed."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def __reduce__(self) -> tuple[object, ...]:
        return Threads, (self.count,)


_renewed: WeakSet[LocalLock | Threads] = WeakSet()


def _renew_all() -> None:
    for one in _renewed:
        one.renew()


if hasattr(os, "register_at_fork"):  # not in a browser
    os.register_at_fork(after_in_child=_renew_all)
