"""Turns: of one client, one page and one write at a time are made, so that others go on meanwhile."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
from anyio.lowlevel import RunVar

TURNS = 1  # pages, and writes, that are made for one client at once

_turns: RunVar[dict[str, "Turns"]] = RunVar("turns")


def writing(client: str) -> AbstractAsyncContextManager[Callable[[], None]]:
    """The turn of a command that writes."""
    return turn(f"writes of {client}" if client else "")


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
