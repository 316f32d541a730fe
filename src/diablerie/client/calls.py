"""Requests of the API as data: what is sent, what comes back, and when to try again.

`client.py` has the two clients that send them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

import httpx
import msgspec

from diablerie import api, json_patch

T = TypeVar("T")
TRIES = 6  # how often a request is sent while the server says that it is busy
LATER = (429, 503)  # the statuses that say so
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)  # seconds before a broken stream is opened again: the backoff


class Refusal(Exception):
    """The server refused: `problem` has its sentence, `code` a word for programs."""

    def __init__(self, problem: api.Problem) -> None:
        super().__init__(f"{problem.title} [{problem.clause}]" if problem.clause else problem.title)
        self.problem, self.code = problem, problem.code


@dataclass(frozen=True)
class Endpoint(Generic[T]):
    """One request. `gives` is the type that the body of its answer is decoded into."""

    method: str
    path: str
    gives: Any
    body: api.Body | None = None
    query: Mapping[str, str | int | None] = field(default_factory=dict)

    def sent(self) -> dict[str, Any]:
        """The arguments of httpx's `request`."""
        query = {name: value for name, value in self.query.items() if value not in (None, "")}
        arguments: dict[str, Any] = {
            "method": self.method,
            "url": api.PREFIX.lstrip("/") + self.path,
            "params": query,
        }
        if self.body is not None:
            arguments["content"] = msgspec.json.encode(self.body)
            arguments["headers"] = {"content-type": "application/json"}
        return arguments

    def read(self, response: httpx.Response) -> T:
        """The decoded body of an answer. Raises Refusal if the server answers with an error."""
        if response.is_error:
            raise Refusal(problem_of(response))
        if self.gives is str:
            return cast(T, response.text)
        return cast(T, msgspec.json.decode(response.content or b"null", type=self.gives))


def problem_of(response: httpx.Response) -> api.Problem:
    """The problem document of an error response.

    A proxy may answer with something else; then the document is made from the status line.
    """
    try:
        return msgspec.json.decode(response.content, type=api.Problem)
    except msgspec.DecodeError:
        title = f"{response.status_code} {response.reason_phrase}"
        return api.Problem(type="about:blank", title=title, status=response.status_code, code="")


def retry_after(response: httpx.Response) -> float | None:
    """How many seconds to wait before the same request is sent again, at most 60.

    None unless the server says that it is busy (429, 503); 2 if it does not say for how long.
    """
    if response.status_code not in LATER:
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
        self.table, self.seat, self.since, self.heard, self.failures = table, seat, 0, 0, 0
        self.decided = decided
        self.last: Any = None  # the table of the line before, as JSON
        self.log: list[api.Told] = []
        self.chat: list[api.Said] = []

    @property
    def call(self) -> Endpoint[api.Event]:
        """The request that opens the stream where it broke off."""
        query = {"seat": self.seat, "since": self.since, "heard": self.heard}
        return Endpoint("GET", f"/tables/{self.table}/stream", api.Event, query=query)

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
        self.since, self.failures = table.ply, 0
        self.heard = event.chat[-1].id if event.chat else self.heard
        self.log += event.log
        self.chat += event.chat
        if table.ply < self.decided.get(self.table, 0):
            return None
        table = msgspec.structs.replace(table, log=self.log, chat=self.chat)
        self.log, self.chat = [], []
        return table

    def broken(self) -> float:
        """Count a broken connection; return how many seconds to wait before the next one."""
        self.failures += 1
        return PAUSES[min(self.failures, len(PAUSES)) - 1]


# -- the requests ----------------------------------------------------------------------------------


def games() -> Endpoint[list[api.GameInfo]]:
    """List the games."""
    return Endpoint("GET", "/games", list[api.GameInfo])


def tables(game: str = "", status: str | None = None, limit: int = 50) -> Endpoint[list[api.Row]]:
    """List the public tables that anyone may join or watch, newest first."""
    query = {"game": game, "status": status, "limit": limit}
    return Endpoint("GET", "/tables", list[api.Row], query=query)


def me() -> Endpoint[api.Me]:
    """Tell whom the server takes this program for."""
    return Endpoint("GET", "/me", api.Me)


def mine(status: str | None = None, limit: int = 20, before: str = "") -> Endpoint[list[api.Row]]:
    """List the program's own tables, newest first; with `before`, those older than that table."""
    query = {"status": status, "limit": limit, "before": before}
    return Endpoint("GET", "/me/tables", list[api.Row], query=query)


def open_table(
    game: str,
    plan: Sequence[str],
    *,
    options: Mapping[str, str] | None = None,
    name: str = "",
    public: bool = False,
    clock: int = 0,
    share: bool = False,
) -> Endpoint[api.Done]:
    """Open a table. `plan` says who sits on each seat: "me", "open", or a bot of the server.

    clock: seconds after which a bot decides for a player; 0: never. share: whether the program
    will send a nonce for the dice.
    """
    body = api.Opening(
        game=game,
        plan=list(plan),
        options=dict(options or {}),
        name=name,
        public=public,
        clock=clock,
        share=share,
    )
    return Endpoint("POST", "/tables", api.Done, body)


def look(table: str, seat: int | None = None, since: int = 0) -> Endpoint[api.Table]:
    """Show a table as this program may see it, with the log above the ply `since`."""
    return Endpoint("GET", f"/tables/{table}", api.Table, query={"seat": seat, "since": since})


def export(table: str, seat: int | None = None) -> Endpoint[str]:
    """Download the match file; of a running match, what the seat may know."""
    return Endpoint("GET", f"/tables/{table}/match.jsonl", str, query={"seat": seat})


def join(
    table: str, seat: int | None = None, name: str = "", share: bool = False
) -> Endpoint[api.Done]:
    """Take an open seat: this one, or any. With `share` the program will send a nonce."""
    return _post(table, "join", api.Joining(seat=seat, name=name, share=share))


def share(
    table: str, seat: int | None = None, *, hash: str = "", nonce: str = ""
) -> Endpoint[api.Done]:
    """Send the hash of a nonce for the dice or, once the server has all hashes, the nonce."""
    return _post(table, "share", api.Sharing(seat=seat, hash=hash, nonce=nonce))


def begin(table: str) -> Endpoint[api.Done]:
    """Start the match without the hashes or nonces that other players do not send."""
    return _post(table, "begin", api.Empty())


def leave(table: str, seat: int | None = None) -> Endpoint[None]:
    """Leave a seat before the match starts."""
    return Endpoint("POST", f"/tables/{table}/leave", None, api.Own(seat=seat))


def start(table: str, bot: str = "devil") -> Endpoint[api.Done]:
    """Give the open seats of the program's own table to bots of the server."""
    return _post(table, "start", api.Starting(bot=bot))


def decide(table: str, ply: int, do: str, seat: int | None = None) -> Endpoint[api.Done]:
    """Decide for a seat. `ply` is that of the table the decision is based on; `do` is notation."""
    return _post(table, "decide", api.Deciding(ply=ply, do=do, seat=seat))


def chat(table: str, text: str, seat: int | None = None) -> Endpoint[api.Done]:
    """Write a line of chat."""
    return _post(table, "chat", api.Talking(text=text, seat=seat))


def take(table: str, seat: int | None = None) -> Endpoint[api.Done]:
    """Take back a seat that other players have given to a bot meanwhile."""
    return _post(table, "take", api.Own(seat=seat))


def resign(table: str, seat: int | None = None) -> Endpoint[api.Done]:
    """Resign the match."""
    return _post(table, "resign", api.Own(seat=seat))


def rematch(table: str) -> Endpoint[api.Done]:
    """Open a new table with the same players."""
    return _post(table, "rematch", api.Empty())


def _post(table: str, command: str, body: api.Body) -> Endpoint[api.Done]:
    return Endpoint("POST", f"/tables/{table}/{command}", api.Done, body)
