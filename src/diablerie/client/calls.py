"""Calls of the API as data: what is sent, what comes back, and when to try again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import httpx
import msgspec

from diablerie import api

T = TypeVar("T")
TRIES = 6  # of a call that the server puts off
LATER = (429, 503)
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds, before a stream that broke off is asked for again


class Refusal(Exception):
    """The server refused: `problem` has its sentence, `code` a word for programs."""

    def __init__(self, problem: api.Problem) -> None:
        super().__init__(f"{problem.title} [{problem.clause}]" if problem.clause else problem.title)
        self.problem, self.code = problem, problem.code


@dataclass(frozen=True)
class Endpoint(Generic[T]):
    """One call; `gives` is the type of its answer."""

    method: str
    path: str
    gives: Any
    body: api.Body | None = None
    query: Mapping[str, str | int | None] = field(default_factory=dict)

    def sent(self) -> dict[str, Any]:
        """The arguments of httpx's `request`."""
        query = {name: value for name, value in self.query.items() if value not in (None, "")}
        told: dict[str, Any] = {"url": api.PREFIX.lstrip("/") + self.path, "params": query}
        if self.body is not None:
            told["content"] = msgspec.json.encode(self.body)
            told["headers"] = {"content-type": "application/json"}
        return {"method": self.method, **told}

    def read(self, response: httpx.Response) -> T:
        """The answer. Raises Refusal."""
        if response.is_error:
            raise Refusal(problem_of(response))
        found: T
        if self.gives is str:
            found = response.text  # type: ignore[assignment]
        else:
            found = msgspec.json.decode(response.content or b"null", type=self.gives)
        return found


def problem_of(response: httpx.Response) -> api.Problem:
    """The problem document of a refusal, or one in its place where a proxy answered."""
    try:
        return msgspec.json.decode(response.content, type=api.Problem)
    except msgspec.DecodeError:
        title = f"{response.status_code} {response.reason_phrase}"
        return api.Problem(type="about:blank", title=title, status=response.status_code, code="")


def retry_after(response: httpx.Response) -> float | None:
    """After how many seconds to try again what was refused for now; None if that is no use."""
    if response.status_code not in LATER:
        return None
    try:
        return min(60.0, float(response.headers.get("retry-after", "2")))
    except ValueError:
        return 2.0


class Following:
    """A stream that is gone on with where it broke off.

    `decided` says where each table stood after this program's last decision: lines that were on
    their way before are outdated, and what is new in them is told with the next one.
    """

    def __init__(self, table: str, seat: int | None, decided: Mapping[str, int]) -> None:
        self.table, self.seat, self.since, self.heard, self.failures = table, seat, 0, 0, 0
        self.decided = decided
        self.log: list[api.Told] = []
        self.chat: list[api.Said] = []

    @property
    def call(self) -> Endpoint[api.Event]:
        """The call that goes on."""
        query = {"seat": self.seat, "since": self.since, "heard": self.heard}
        return Endpoint("GET", f"/tables/{self.table}/stream", api.Event, query=query)

    def read(self, line: str) -> api.Table | None:
        """What a line tells, None for a sign of life. Raises Refusal at the end."""
        if not line:
            return None
        event: api.Event = msgspec.json.decode(line, type=api.Event)
        if isinstance(event, api.Gone):
            raise Refusal(event.problem)
        self.since, self.failures = event.ply, 0
        self.heard = event.chat[-1].id if event.chat else self.heard
        self.log += event.log
        self.chat += event.chat
        if event.ply < self.decided.get(self.table, 0):
            return None
        seen = msgspec.structs.replace(event, log=self.log, chat=self.chat)
        self.log, self.chat = [], []
        return seen

    def broken(self) -> float:
        """The stream has ended: after how many seconds to ask for it again."""
        self.failures += 1
        return PAUSES[min(self.failures, len(PAUSES)) - 1]


# -- the calls -----------------------------------------------------------------------------------


def games() -> Endpoint[list[api.GameInfo]]:
    """The games there are."""
    return Endpoint("GET", "/games", list[api.GameInfo])


def tables(game: str, status: str | None, limit: int) -> Endpoint[list[api.Row]]:
    """The public tables."""
    query = {"game": game, "status": status, "limit": limit}
    return Endpoint("GET", "/tables", list[api.Row], query=query)


def me() -> Endpoint[api.Me]:
    """Whom the server takes this program for."""
    return Endpoint("GET", "/me", api.Me)


def mine(status: str | None, limit: int, before: str) -> Endpoint[list[api.Row]]:
    """The program's own tables."""
    query = {"status": status, "limit": limit, "before": before}
    return Endpoint("GET", "/me/tables", list[api.Row], query=query)


def opening(
    game: str,
    plan: Sequence[str],
    options: Mapping[str, str] | None,
    name: str,
    public: bool,
    clock: int,
    share: bool,
) -> Endpoint[api.Done]:
    """Open a table."""
    chosen = dict(options or {})
    body = api.Opening(
        game=game,
        plan=list(plan),
        options=chosen,
        name=name,
        public=public,
        clock=clock,
        share=share,
    )
    return Endpoint("POST", "/tables", api.Done, body)


def look(table: str, seat: int | None, since: int) -> Endpoint[api.Table]:
    """A table."""
    return Endpoint("GET", f"/tables/{table}", api.Table, query={"seat": seat, "since": since})


def export(table: str, seat: int | None) -> Endpoint[str]:
    """The match file."""
    return Endpoint("GET", f"/tables/{table}/match.jsonl", str, query={"seat": seat})


def doing(table: str, what: str, body: api.Body) -> Endpoint[api.Done]:
    """Do something at a table: join, share, start, decide, chat, take, resign, rematch."""
    return Endpoint("POST", f"/tables/{table}/{what}", api.Done, body)


def leave(table: str, seat: int | None) -> Endpoint[None]:
    """Leave a seat."""
    return Endpoint("POST", f"/tables/{table}/leave", None, api.Own(seat=seat))
