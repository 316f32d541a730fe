"""Thread pools by the kind of work, so that no kind can keep the others waiting.

Pages are made in Starlette's own threads; commands that write and bots that think have others. A
request waits for a place before it takes a thread, so that waiting requests occupy none.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import anyio
from anyio.lowlevel import RunVar

from diablerie.engine.text import say
from diablerie.table.commands.hints import PATIENCE, THINKERS
from diablerie.table.errors import TooMany

T = TypeVar("T")
WRITERS = 16
MINE = 1  # places to think for one client

_limiters: RunVar[dict[str, anyio.CapacityLimiter]] = RunVar("limiters")
_askers: Counter[str] = (
    Counter()
)  # clients with a place or waiting for one; used in the event loop only


def _limiter(name: str, size: int) -> anyio.CapacityLimiter:
    """The limiter of this name, of the running event loop."""
    limiters = _limiters.get({})
    _limiters.set(limiters)
    return limiters.setdefault(name, anyio.CapacityLimiter(size))


async def writing(client: str, work: Callable[[], T]) -> T:
    """Run a command that writes, in one of WRITERS threads."""
    return await anyio.to_thread.run_sync(work, limiter=_limiter("writing", WRITERS))


async def thinking(client: str, work: Callable[[], T]) -> T:
    """Run what takes long. Raises TooMany if no place gets free in time, or the client has one."""
    async with _place(client):
        return await anyio.to_thread.run_sync(work, limiter=_limiter("thinking", THINKERS))


@asynccontextmanager
async def _place(client: str) -> AsyncIterator[None]:
    if client and _askers[client] >= MINE:
        raise TooMany(say("A devil is thinking for you already: wait for the answer."))
    places, me = _limiter("places", THINKERS), object()
    _askers[client] += 1
    try:
        with anyio.move_on_after(PATIENCE) as waited:
            await places.acquire_on_behalf_of(me)
        if waited.cancelled_caught:
            raise TooMany(say("The devils are busy with others: ask again in a moment."))
        try:
            yield
        finally:
            places.release_on_behalf_of(me)
    finally:
        _askers[client] -= 1
        if not _askers[client]:
            del _askers[client]
