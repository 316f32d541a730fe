"""The client that waits; awaited.py has the one that is awaited."""

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar

import httpx

import diablerie
from diablerie import api
from diablerie.client import calls
from diablerie.client.calls import TRIES, Endpoint, Following, Refusal, problem_of, retry_after

T = TypeVar("T")
SILENCE = 40.0  # seconds without a sign of life after which a stream is given up


def client_settings(server: str, token: str, transport: Any) -> dict[str, Any]:
    """What both clients are made with."""
    headers = {"user-agent": f"diablerie/{diablerie.__version__}"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    return {"base_url": server, "headers": headers, "timeout": SILENCE, "transport": transport}


class Client:
    """The API of one server. Whatever it refuses raises Refusal; what is put off is tried again.

    `transport` is httpx's, for tests.
    """

    def __init__(
        self, server: str, token: str = "", transport: httpx.BaseTransport | None = None
    ) -> None:
        self._http = httpx.Client(**client_settings(server, token, transport))
        self._decided: dict[str, int] = {}  # by table

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def run(self, call: Endpoint[T]) -> T:
        """Make a call. Raises Refusal, and httpx.TransportError without a server."""
        for _ in range(TRIES - 1):
            response = self._http.request(**call.sent())
            wait = retry_after(response)
            if wait is None:
                return call.read(response)
            time.sleep(wait)
        return call.read(self._http.request(**call.sent()))

    def games(self) -> list[api.GameInfo]:
        """The games there are."""
        return self.run(calls.games())

    def tables(self, game: str = "", status: str | None = None, limit: int = 50) -> list[api.Row]:
        """The public tables one may join or watch, newest first."""
        return self.run(calls.tables(game, status, limit))

    def me(self) -> api.Me:
        """Whom the server takes this program for."""
        return self.run(calls.me())

    def mine(self, status: str | None = None, limit: int = 20, before: str = "") -> list[api.Row]:
        """The program's own tables, newest first, those after the table `before`."""
        return self.run(calls.mine(status, limit, before))

    def open(
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
        return self.run(calls.opening(game, plan, options, name, public, clock, share))

    def look(self, table: str, seat: int | None = None, since: int = 0) -> api.Table:
        """A table as this program may see it."""
        return self.run(calls.look(table, seat, since))

    def export(self, table: str, seat: int | None = None) -> str:
        """The match file; of a running match what the seat may know."""
        return self.run(calls.export(table, seat))

    def join(
        self, table: str, seat: int | None = None, name: str = "", share: bool = False
    ) -> api.Done:
        """Take an open seat: this one, or any. With `share` a nonce for the dice will come."""
        body = api.Joining(seat=seat, name=name, share=share)
        return self.run(calls.doing(table, "join", body))

    def share(
        self, table: str, seat: int | None = None, *, hash: str = "", nonce: str = ""
    ) -> api.Done:
        """Send the hash of a nonce for the dice, or when all hashes are in the nonce."""
        body = api.Sharing(seat=seat, hash=hash, nonce=nonce)
        return self.run(calls.doing(table, "share", body))

    def begin(self, table: str) -> api.Done:
        """Start without the hashes or nonces that do not come."""
        return self.run(calls.doing(table, "begin", api.Empty()))

    def leave(self, table: str, seat: int | None = None) -> None:
        """Leave a seat before the start."""
        self.run(calls.leave(table, seat))

    def start(self, table: str, bot: str = "devil") -> api.Done:
        """Give the open seats of one's own table to bots of the house."""
        return self.run(calls.doing(table, "start", api.Starting(bot=bot)))

    def decide(self, table: str, ply: int, do: str, seat: int | None = None) -> api.Done:
        """Decide on what one saw at `ply`."""
        body = api.Deciding(ply=ply, do=do, seat=seat)
        done = self.run(calls.doing(table, "decide", body))
        self._decided[table] = done.ply
        return done

    def chat(self, table: str, text: str, seat: int | None = None) -> api.Done:
        """Say something."""
        return self.run(calls.doing(table, "chat", api.Talking(text=text, seat=seat)))

    def take(self, table: str, seat: int | None = None) -> api.Done:
        """Take a seat back that others have given to a bot meanwhile."""
        return self.run(calls.doing(table, "take", api.Own(seat=seat)))

    def resign(self, table: str, seat: int | None = None) -> api.Done:
        """Give the match up."""
        return self.run(calls.doing(table, "resign", api.Own(seat=seat)))

    def rematch(self, table: str) -> api.Done:
        """The same players again."""
        return self.run(calls.doing(table, "rematch", api.Empty()))

    def stream(self, table: str, seat: int | None = None) -> Iterator[api.Table]:
        """The table now and at every change, for ever; what breaks off is gone on with.

        `log` and `chat` are what is new. Raises Refusal when there is nothing to hear any more.
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
                        if (seen := following.read(line)) is not None:
                            yield seen
            except httpx.TransportError:
                wait = None
            time.sleep(following.broken() if wait is None else wait)
