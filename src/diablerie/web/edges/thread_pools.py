"""Thread pools by the kind of work, so that no kind can keep the others waiting.

Pages are made in Starlette's own threads; commands that write and bots that think have others. A
request waits for a place before it takes a thread, so that waiting requests occupy none.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import anyio
from anyio.lowlevel import RunVar

from diablerie.table.commands.hints import THINKERS, thinkers

T = TypeVar("T")
Gone = Callable[[], Awaitable[bool]]  # whether who asked has left
WRITERS = 16
TURNS = 1  # pages, and writes, that are made for one client at once: others go on meanwhile

_limiters: RunVar[dict[str, anyio.CapacityLimiter]] = RunVar("limiters")
_turns: RunVar[dict[str, "Turns"]] = RunVar("turns")


def _limiter(name: str, size: int) -> anyio.CapacityLimiter:
    """The limiter of this name, of the running event loop."""
    limiters = _limiters.get(None)
    if limiters is None:
        limiters = {}
        _limiters.set(limiters)
    return limiters.get(name) or limiters.setdefault(name, anyio.CapacityLimiter(size))


async def writing(client: str, work: Callable[[], T]) -> T:
    """Run a command that writes, in one of WRITERS threads, TURNS of a client at once."""
    async with turn(f"writes of {client}" if client else ""):
        return await anyio.to_thread.run_sync(work, limiter=_limiter("writing", WRITERS))


@asynccontextmanager
async def turn(client: str) -> AsyncIterator[Callable[[], None]]:
    """A context that at most TURNS requests of a client are in at once; "" never waits.

    It gives a function that ends the turn before the context does.
    """
    turns = _turns.get(None)
    if turns is None:
        turns = {}
        _turns.set(turns)
    mine, taken = turns.setdefault(client, Turns()), False

    def end() -> None:
        nonlocal taken
        if taken:
            taken = False
            mine.places.release()

    mine.users += 1
    try:
        if client:
            await mine.places.acquire()
            taken = True
        yield end
    finally:
        end()
        mine.users -= 1
        if not mine.users:
            turns.pop(client, None)


class Turns:
    """The turns of one client: the places, and how many requests have or await one."""

    def __init__(self) -> None:
        self.places, self.users = anyio.Semaphore(TURNS), 0


async def thinking(client: str, work: Callable[[], T], gone: Gone) -> T:
    """Run what takes long when it is the client's turn. Raises TooMany, see `FairPlaces`."""
    async with thinkers.place(client, gone):
        return await anyio.to_thread.run_sync(work, limiter=_limiter("thinking", THINKERS))
