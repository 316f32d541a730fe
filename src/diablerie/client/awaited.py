"""The client that is awaited."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Self, TypeVar

import httpx

from diablerie import api
from diablerie.client import calls
from diablerie.client.calls import TRIES, Endpoint, Following, Refusal, problem_of, retry_after
from diablerie.client.http import client_settings

T = TypeVar("T")


class AsyncClient:
    """As Client, with every method awaited and `stream` iterated over with `async for`."""

    def __init__(
        self, server: str, token: str = "", transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._http = httpx.AsyncClient(**client_settings(server, token, transport))
        self._decided: dict[str, int] = {}  # by table

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def run(self, call: Endpoint[T]) -> T:
        """Make a call. Raises Refusal, and httpx.TransportError without a server."""
        for _ in range(TRIES - 1):
            response = await self._http.request(**call.sent())
            wait = retry_after(response)
            if wait is None:
                return call.read(response)
            await asyncio.sleep(wait)
        return call.read(await self._http.request(**call.sent()))

    async def games(self) -> list[api.GameInfo]:
        """The games there are."""
        return await self.run(calls.games())

    async def tables(
        self, game: str = "", status: str | None = None, limit: int = 50
    ) -> list[api.Row]:
        """The public tables one may join or watch, newest first."""
        return await self.run(calls.tables(game, status, limit))

    async def me(self) -> api.Me:
        """Whom the server takes this program for."""
        return await self.run(calls.me())

    async def mine(
        self, status: str | None = None, limit: int = 20, before: str = ""
    ) -> list[api.Row]:
        """The program's own tables, newest first, those after the table `before`."""
        return await self.run(calls.mine(status, limit, before))

    async def open(
        self,
        game: str,
        plan: Sequence[str],
        *,
        options: Mapping[str, str] | None = None,
        name: str = "",
        public: bool = False,
        clock: int = 0,
        share: bool = False,
    ) -> api.Done:
        """Open a table; `plan` says who sits where: "me", "open", or a bot of the house."""
        return await self.run(calls.opening(game, plan, options, name, public, clock, share))

    async def look(self, table: str, seat: int | None = None, since: int = 0) -> api.Table:
        """A table as this program may see it."""
        return await self.run(calls.look(table, seat, since))

    async def export(self, table: str, seat: int | None = None) -> str:
        """The match file; of a running match what the seat may know."""
        return await self.run(calls.export(table, seat))

    async def join(
        self, table: str, seat: int | None = None, name: str = "", share: bool = False
    ) -> api.Done:
        """Take an open seat: this one, or any. With `share` a nonce for the dice will come."""
        body = api.Joining(seat=seat, name=name, share=share)
        return await self.run(calls.doing(table, "join", body))

    async def share(
        self, table: str, seat: int | None = None, *, hash: str = "", nonce: str = ""
    ) -> api.Done:
        """Send the hash of a nonce for the dice, or when all hashes are in the nonce."""
        body = api.Sharing(seat=seat, hash=hash, nonce=nonce)
        return await self.run(calls.doing(table, "share", body))

    async def begin(self, table: str) -> api.Done:
        """Start without the hashes or nonces that do not come."""
        return await self.run(calls.doing(table, "begin", api.Empty()))

    async def leave(self, table: str, seat: int | None = None) -> None:
        """Leave a seat before the start."""
        await self.run(calls.leave(table, seat))

    async def start(self, table: str, bot: str = "devil") -> api.Done:
        """Give the open seats of one's own table to bots of the house."""
        return await self.run(calls.doing(table, "start", api.Starting(bot=bot)))

    async def decide(self, table: str, ply: int, do: str, seat: int | None = None) -> api.Done:
        """Decide on what one saw at `ply`."""
        body = api.Deciding(ply=ply, do=do, seat=seat)
        done = await self.run(calls.doing(table, "decide", body))
        self._decided[table] = done.ply
        return done

    async def chat(self, table: str, text: str, seat: int | None = None) -> api.Done:
        """Say something."""
        return await self.run(calls.doing(table, "chat", api.Talking(text=text, seat=seat)))

    async def take(self, table: str, seat: int | None = None) -> api.Done:
        """Take a seat back that others have given to a bot meanwhile."""
        return await self.run(calls.doing(table, "take", api.Own(seat=seat)))

    async def resign(self, table: str, seat: int | None = None) -> api.Done:
        """Give the match up."""
        return await self.run(calls.doing(table, "resign", api.Own(seat=seat)))

    async def rematch(self, table: str) -> api.Done:
        """The same players again."""
        return await self.run(calls.doing(table, "rematch", api.Empty()))

    async def stream(self, table: str, seat: int | None = None) -> AsyncIterator[api.Table]:
        """The table now and at every change, for ever; what breaks off is gone on with.

        `log` and `chat` are what is new. Raises Refusal when there is nothing to hear any more.
        """
        following = Following(table, seat, self._decided)
        while True:
            try:
                async with self._http.stream(**following.call.sent()) as response:
                    wait = retry_after(response)
                    if response.is_error and wait is None:
                        await response.aread()
                        raise Refusal(problem_of(response))
                    async for line in response.aiter_lines() if wait is None else _nothing():
                        if (seen := following.read(line)) is not None:
                            yield seen
            except httpx.TransportError:
                wait = None
            await asyncio.sleep(following.broken() if wait is None else wait)


async def _nothing() -> AsyncIterator[str]:
    for _ in range(0):
        yield ""
