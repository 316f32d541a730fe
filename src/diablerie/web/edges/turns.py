"""Turns: of one client, one page and one write at a time are made, so that others go on meanwhile."""

from asyncio import Semaphore
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from weakref import WeakValueDictionary

TURNS_OF_CLIENT = 1  # pages, and writes, that are made for one client at once

# Of clients who ask
_places: WeakValueDictionary[tuple[str, str], Semaphore] = WeakValueDictionary()


@asynccontextmanager
async def turn(client: str, kind: str = "page") -> AsyncIterator[Callable[[], None]]:
    """A context that at most TURNS_OF_CLIENT requests of a client and kind are in at once; "" never waits.

    It gives a function that ends the turn before the context does.
    """
    places = Semaphore(TURNS_OF_CLIENT)
    if client:
        places = _places.setdefault((client, kind), places)
    await places.acquire()
    with ExitStack() as left:
        left.callback(places.release)
        yield left.close
