"""Turns: of one client, one page and one write at a time are made, so that others go on meanwhile."""

from asyncio import Semaphore
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

TURNS = 1  # pages, and writes, that are made for one client at once

_places: WeakValueDictionary[tuple[str, str], Semaphore] = (
    WeakValueDictionary()
)  # of clients who ask


@asynccontextmanager
async def turn(client: str, kind: str = "page") -> AsyncIterator[Callable[[], None]]:
    """A context that at most TURNS requests of a client and kind are in at once; "" never waits.

    It gives a function that ends the turn before the context does.
    """
    places, taken = Semaphore(TURNS), True
    if client:
        places = _places.setdefault((client, kind), places)
    await places.acquire()

    def end() -> None:
        nonlocal taken
        if taken:
            taken = False
            places.release()

    try:
        yield end
    finally:
        end()
