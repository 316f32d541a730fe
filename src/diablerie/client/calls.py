"""Requests of the API as data: what is sent, what comes back, and when to try again.

`client.py` has the two clients that send them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar, cast

import msgspec

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
        return cast(T, read_json(response.content, self.operation.gives))


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

        Raises Refusal for the last line of a stream, which says why it ends.
        """
        if not line:
            return None
        told = msgspec.json.decode(line)
        event: api.Event = msgspec.convert(told, api.Event)
        if isinstance(event, api.Gone | api.Refused):
            raise Refusal(event.problem)
        if isinstance(event, api.Change):
            self.last = json_patch.patched(self.last, told["patch"])
        else:
            self.last = told
        table = msgspec.convert(self.last, api.Table)
        self.since = table.ply
        self.failures = 0
        self.heard = event.chat[-1].id if event.chat else self.heard
        self.log += event.log
        self.chat += event.chat
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
