"""Functions called in the event loop that may wait, while the loop goes on.

Whoever serves a request is a plain function: it decides and draws in the event loop's own thread.
Where it has to wait, its greenlet is set aside until another thread has done what it waits for.

That happens in no other functions than those marked with `suspends`, and in whatever calls them: from
one such call to the next nobody else is served. A function whose docstring says that it never waits
calls none of them, directly or not; `tests/test_serving.py` checks that.
"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextvars import copy_context
from typing import Any, TypeVar

try:
    from greenlet import getcurrent, greenlet  # type: ignore[import-untyped]
except ImportError:  # in a browser, where there is one thread: nobody is served
    getcurrent = object
    greenlet = type

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
LOCK_LOOK_SECONDS = 0.001  # seconds between two looks at a lock
LONG_TURN_SECONDS = 0.01  # seconds after which others have their turn


def suspends(function: F) -> F:
    """The function, marked as one in which whoever is served may be suspended."""
    return function


class _Served(greenlet):  # type: ignore[misc]
    """One function that is served, `since` when without a pause."""

    since: float


async def serve(work: Callable[[], T]) -> T:
    """What `work` returns or raises, called in this thread."""
    served = _Served(work)
    served.gr_context = copy_context()
    served.since = time.monotonic()
    made = served.switch()
    while not served.dead:
        try:
            value = await made
        except BaseException as error:
            made = served.throw(error)
        else:
            made = served.switch(value)
    return made  # type: ignore[no-any-return]


@suspends
def apart(work: Callable[[], T], threads: Executor | None = None) -> T:
    """What `work` returns or raises, done by `threads` while who is served waits; else here."""
    if not _is_served():
        return work()
    done: T = _until(asyncio.get_running_loop().run_in_executor(threads, work))
    return done


@suspends
def with_pauses(items: Iterable[T]) -> Iterator[T]:
    """The items; whoever takes long over them lets others have their turn before the next one."""
    for item in items:
        if _is_served() and time.monotonic() - getcurrent().since > LONG_TURN_SECONDS:
            sleep(0)
        yield item


@suspends
def sleep(seconds: float) -> None:
    """Return after so many seconds."""
    _until(asyncio.sleep(seconds)) if _is_served() else time.sleep(seconds)


@suspends
def acquire(lock: threading.Lock) -> None:
    """Take a lock that another thread, or another who is served, may hold for a while."""
    while not lock.acquire(blocking=not _is_served()):
        sleep(LOCK_LOOK_SECONDS)


def _is_served() -> bool:
    return isinstance(getcurrent(), _Served)


@suspends
def _until(event: Awaitable[Any]) -> Any:
    """What an event brings, for which the loop waits."""
    served = getcurrent()
    value = served.parent.switch(event)
    served.since = time.monotonic()
    return value
