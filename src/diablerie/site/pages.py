"""The pages and tables of the server in one thread, without a socket: for a browser's web worker.

Requests go straight into the ASGI application. Cookies stay here, since a service worker may not
set them.
"""

import asyncio
from collections.abc import Callable, Mapping
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import anyio.to_thread

from diablerie.runtime.clock import SingleThreadClock
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import Driver
from diablerie.table.bots.turn_queue import TEMPO
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app

HOST = "localhost"
BROWSER = ("127.0.0.1", 1)  # the address of the only client


class Answer(NamedTuple):
    """A response: the status, the headers by their names in lower case, the body."""

    status: int
    headers: dict[str, str]
    body: bytes


class Pages:
    """A server for one browser. `step` lets bots play; nothing runs in the background."""

    def __init__(
        self,
        database: str = ":memory:",
        clock: SingleThreadClock | None = None,
        tempo: float = TEMPO,
        seed: int | None = None,
    ) -> None:
        """database: a SQLite file, or `:memory:`; tempo, seed: the bots', see `table.bots`."""
        self.clock = clock or SingleThreadClock()
        self.store = Store(database, clock=self.clock)
        self.authority = Authority(self.store, clock=self.clock)
        self._app = create_app(self.authority)
        self._cookies: dict[str, str] = {}
        Driver(self.authority, tempo=tempo, workers=1, seed=seed).start()
        WaitingTables(self.authority).start()

    def step(self) -> float:
        """Do what is due now; the seconds until something is due again, at most one."""
        while self.clock.step():
            pass
        return min(1.0, max(0.0, self.clock.due - self.clock.monotonic()))

    async def answer(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> Answer:
        """The whole response to a request. url: a path, with a query if any."""
        status, received, parts = 0, list[tuple[bytes, bytes]](), list[bytes]()
        sent = False

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()  # the browser stays
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Mapping[str, Any]) -> None:
            nonlocal status, received
            if message["type"] == "http.response.start":
                status, received = message["status"], list(message["headers"])
            else:
                parts.append(message.get("body", b""))

        await self._app(self._scope(method, url, headers or {}, body), receive, send)
        for name, value in received:
            if name == b"set-cookie":
                self._keep(value.decode("latin-1"))
        plain = {name.decode("latin-1"): value.decode("latin-1") for name, value in received}
        return Answer(status, plain, b"".join(parts))

    def _scope(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes
    ) -> dict[str, Any]:
        parts = urlsplit(url)
        sent = {"sec-fetch-site": "same-origin"} | {k.lower(): v for k, v in headers.items()}
        sent |= {"host": HOST, "content-length": str(len(body))}
        if self._cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": parts.path,
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": [(k.encode("latin-1"), v.encode("latin-1")) for k, v in sent.items()],
            "client": BROWSER,
            "server": (HOST, 80),
            "state": {},
        }

    def _keep(self, cookie: str) -> None:
        for name, morsel in SimpleCookie(cookie).items():
            if morsel["max-age"] == "0":
                self._cookies.pop(name, None)
            else:
                self._cookies[name] = morsel.value


def without_threads() -> None:
    """Have what the pages would do in threads done at once, for interpreters that have none."""

    async def run_sync(work: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
        return work(*arguments)

    anyio.to_thread.run_sync = run_sync  # type: ignore[assignment]
