"""The two clients of the API: `Client` blocks, `AsyncClient` is awaited."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self, TypeVar

import diablerie
from diablerie import api
from diablerie.client.calls import MOST_TRIES, Endpoint, Following, Refusal, problem_of, retry_after
from diablerie.engine import extras

with extras.needed("client"):
    import httpx


T = TypeVar("T")
# seconds without a line, not even a heartbeat, after which a stream is given up
HEARTBEAT_TIMEOUT_SECONDS = 40.0


class ClientBase(api.Operations):
    """What both clients can do: every operation of the API; the stream is their own."""

    def __init__(self) -> None:
        self._decided: dict[str, int] = {}  # by table: the plies after this program's decision

    def _read(self, call: Endpoint[T], response: httpx.Response) -> T:
        answer = call.read(response)
        if isinstance(answer, api.Done) and isinstance(call.asked, api.Deciding):
            self._decided[answer.id] = answer.ply
        return answer


def client_settings(server: str, token: str, transport: Any) -> dict[str, Any]:
    """The arguments with which both clients make their httpx client."""
    headers = {"user-agent": f"diablerie/{diablerie.__version__}"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    return {
        "base_url": server,
        "headers": headers,
        "timeout": HEARTBEAT_TIMEOUT_SECONDS,
        "transport": transport,
    }


class Client(ClientBase, api.Blocking):
    """The API of one server.

    Every method raises Refusal for what the server refuses, and httpx.TransportError if it cannot
    be reached. While the server says that it is busy, a request is sent again, after the pause the
    server asks for. `transport` is httpx's, for tests.
    """

    def __init__(
        self, server: str, token: str = "", transport: httpx.BaseTransport | None = None
    ) -> None:
        super().__init__()
        self._http = httpx.Client(**client_settings(server, token, transport))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def ask(self, operation: api.Operation[..., T], *args: object, **named: object) -> T:
        """Send a request. Raises Refusal, and httpx.TransportError without a server."""
        call = Endpoint.of(operation, *args, **named)
        for _ in range(MOST_TRIES - 1):
            response = self._http.request(**call.sent())
            wait = retry_after(response)
            if wait is None:
                return self._read(call, response)
            time.sleep(wait)
        return self._read(call, self._http.request(**call.sent()))

    def stream(self, table: str, seat: int | None = None) -> Iterator[api.Table]:
        """Yield the table now and after every change, without end.

        A connection that breaks is opened again. `log` and `chat` hold what is new since the table
        yielded before. Raises Refusal when the server ends the stream.
        """
        following = Following(table, seat, self._decided)
        while True:
            try:
                with self._http.stream(**following.call.sent()) as response:
                    wait = retry_after(response)
                    if response.is_error and wait is None:
                        response.read()
                        raise Refusal(problem_of(response))
                    for line in response.iter_lines() if wait is None else ():
                        if (news := following.read(line)) is not None:
                            yield news
            except httpx.TransportError:
                wait = None
            time.sleep(following.broken() if wait is None else wait)


class AsyncClient(ClientBase, api.Awaiting):
    """As `Client`, with every method awaited and `stream` iterated over with `async for`."""

    def __init__(
        self, server: str, token: str = "", transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        super().__init__()
        self._http = httpx.AsyncClient(**client_settings(server, token, transport))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def ask(self, operation: api.Operation[..., T], *args: object, **named: object) -> T:
        """Send a request. Raises Refusal, and httpx.TransportError without a server."""
        call = Endpoint.of(operation, *args, **named)
        for _ in range(MOST_TRIES - 1):
            response = await self._http.request(**call.sent())
            wait = retry_after(response)
            if wait is None:
                return self._read(call, response)
            await asyncio.sleep(wait)
        return self._read(call, await self._http.request(**call.sent()))

    async def stream(self, table: str, seat: int | None = None) -> AsyncIterator[api.Table]:
        """Yield the table now and after every change, without end; see `Client.stream`. Raises Refusal."""
        following = Following(table, seat, self._decided)
        while True:
            try:
                async with self._http.stream(**following.call.sent()) as response:
                    wait = retry_after(response)
                    if response.is_error and wait is None:
                        await response.aread()
                        raise Refusal(problem_of(response))
                    async for line in response.aiter_lines():
                        if wait is None and (news := following.read(line)) is not None:
                            yield news
            except httpx.TransportError:
                wait = None
            await asyncio.sleep(following.broken() if wait is None else wait)
