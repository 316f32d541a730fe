"""The two clients of the API: `Client` blocks, `AsyncClient` is awaited.

A request is data before it is sent: what is asked, what comes back, and when to try again.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar, cast

import msgspec

import diablerie
from diablerie import api, json_patch
from diablerie.engine import extras
from diablerie.engine.foreign_json import BadJson, read_json

with extras.needed("client"):
    import httpx

T = TypeVar("T")
MOST_TRIES = 6  # how often a request is sent while the server says that it is busy
RETRY_STATUSES = (429, 503)  # the statuses that say so
STREAM_BACKOFF = (
    0.5,
    1.0,
    2.0,
    4.0,
    8.0,
)  # seconds before a broken stream is opened again: the backoff
# seconds without a line, not even a heartbeat, after which a stream is given up
HEARTBEAT_TIMEOUT_SECONDS = 40.0


class Refusal(Exception):
    """The server refused: `problem` has its sentence, `code` a word for programs."""

    def __init__(self, problem: api.Problem) -> None:
        super().__init__(f"{problem.title} [{problem.clause}]" if problem.clause else problem.title)
        self.problem = problem
        self.code = problem.code


@dataclass(frozen=True)
class Endpoint(Generic[T]):
    """One request: an operation, what is asked, and the table that it is about, "" if none."""

    operation: api.Operation[..., T]
    asked: msgspec.Struct
    table: str = ""

    @classmethod
    def of(cls, operation: api.Operation[..., T], *args: Any, **named: object) -> Self:
        """The request that a method of the clients sends."""
        table, *rest = args if "{id}" in operation.path else ("", *args)
        return cls(operation, operation.takes(*rest, **named), table)

    def sent(self) -> dict[str, Any]:
        """The arguments of httpx's `request`."""
        asked = msgspec.to_builtins(self.asked)
        query = {name: value for name, value in asked.items() if value not in (None, "")}
        return {
            "method": self.operation.method,
            "url": api.PREFIX.lstrip("/") + self.operation.path.format(id=self.table),
            **({"json": asked} if self.operation.writes else {"params": query}),
        }

    def read(self, response: httpx.Response) -> T:
        """The decoded body of an answer. Raises Refusal if the server answers with an error."""
        if response.is_error:
            raise Refusal(problem_of(response))
        if self.operation.gives is str:
            return cast(T, response.text)
        return read_json(response.content, cast(type[T], self.operation.gives))


def problem_of(response: httpx.Response) -> api.Problem:
    """The problem document of an error response.

    A proxy may answer with something else; then the document is made from the status line.
    """
    try:
        return read_json(response.content, api.Problem)
    except BadJson:
        title = f"{response.status_code} {response.reason_phrase}"
        return api.Problem(type="about:blank", title=title, status=response.status_code, code="")


def retry_after(response: httpx.Response) -> float | None:
    """How many seconds to wait before the same request is sent again, at most 60.

    None unless the server says that it is busy (429, 503); 2 if it does not say for how long.
    """
    if response.status_code not in RETRY_STATUSES:
        return None
    try:
        return min(60.0, float(response.headers.get("retry-after", "2")))
    except ValueError:
        return 2.0


class Following:
    """What a client has read of a table's stream, so that a new connection continues there.

    `decided` holds, for each table, the number of plies after this program's last decision. The
    server sent lines with fewer plies before it knew of that decision. They are not passed on; the
    log and chat in them are passed on with the next line.
    """

    def __init__(self, table: str, seat: int | None, decided: Mapping[str, int]) -> None:
        self.table = table
        self.seat = seat
        self.since = 0
        self.heard = 0
        self.failures = 0
        self.decided = decided
        self.last: json_patch.Json = None  # the table of the line before, as JSON
        self.log: list[api.Told] = []
        self.chat: list[api.Said] = []

    @property
    def call(self) -> Endpoint[api.Event]:
        """The request that opens the stream where it broke off."""
        return Endpoint(api.STREAM, api.Looking(self.seat, self.since, self.heard), self.table)

    def read(self, line: str) -> api.Table | None:
        """The table that a line holds; None for an empty line (a heartbeat) or an outdated one.

        Raises Refusal for the last line of a stream, which says why it ends, BadJson for a line
        that no server of ours writes.
        """
        if not line:
            return None
        decoded = read_json(line, dict[str, Any])
        event: api.Event = msgspec.convert(decoded, api.Event)
        if isinstance(event, api.Gone | api.Refused):
            raise Refusal(event.problem)
        if isinstance(event, api.Change):
            self.last = json_patch.patched(self.last, decoded["patch"])
        else:
            self.last = decoded
        table = msgspec.convert(self.last, api.Table)
        self.since = table.ply
        self.failures = 0
        self.heard = event.chat[-1].id if event.chat else self.heard
        self.log += event.log
        self.chat += event.chat
        # Sent before the server knew of the own decision: what is new in it comes with the next line.
        if table.ply < self.decided.get(self.table, 0):
            return None
        table = msgspec.structs.replace(table, log=self.log, chat=self.chat)
        self.log = []
        self.chat = []
        return table

    def broken(self) -> float:
        """Count a broken connection; return how many seconds to wait before the next one."""
        self.failures += 1
        return STREAM_BACKOFF[min(self.failures, len(STREAM_BACKOFF)) - 1]


# -- client ------------------------------------------------------------------------------------


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

        A connection that breaks is opened again. Its log and its chat hold what is new since the table
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
