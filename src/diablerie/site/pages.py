"""The pages and tables of the server in one thread, without a socket: for a browser's web worker.

Requests go straight into the ASGI application. Cookies stay here, since a service worker may not
set them.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from http.cookies import SimpleCookie
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from starlette.types import Message, Scope

from diablerie.engine.foreign_json import UnfitJson, read_json
from diablerie.engine.game import Game
from diablerie.games import ALL
from diablerie.runtime.clock import SingleThreadClock
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import BOT_SECONDS, Driver
from diablerie.table.bots.match_analysis import Analyst
from diablerie.table.bots.waiting_tables import WaitingTables
from diablerie.table.state.table_state import TableState
from diablerie.table.storage.store import Store
from diablerie.web.app import Services, create_app
from diablerie.web.edges.network_switch import NetworkSwitch

SITE_HOST = "localhost"
COOKIE_PAIR = re.compile(r"[\w.-]{1,100}=[!-+\--:<-~]{0,4000}", re.ASCII)  # a name and its value
ANALYSIS = 6.0  # seconds for the chances of a match; others wait during each pass


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
        tempo: float = BOT_SECONDS,
        seed: int | None = None,
        cookies: str = "",
    ) -> None:
        """database: a SQLite file, or `:memory:`; tempo, seed: the bots', see `table.bots`.

        cookies: a file that keeps the browser's cookies; "": they last as long as this object.
        """
        self.clock = clock or SingleThreadClock()
        self.set_aside = False  # whether there was a file that this version cannot use
        self.store = self._opened(database)
        self.authority = Authority(self.store, clock=self.clock, alone=True)
        analyst = Analyst(self.authority, seconds=ANALYSIS)
        network = NetworkSwitch(alone=True)
        self._app = create_app(self.authority, Services(analyst=analyst), network=network)
        self._jar = Path(cookies) if cookies else None
        self.jars: dict[str, dict[str, str]] = {"": {}} | self._kept()  # cookies, by guest
        self.changes = 0  # of tables, so far
        self.authority.listen(self._changed)
        analyst.start()
        Driver(self.authority, tempo=tempo, workers=1, seed=seed).start()
        WaitingTables(self.authority).start()

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies of the browser that has these pages, by name."""
        return self.jars[""]

    def _opened(self, database: str) -> Store:
        """The store; a database that cannot be used is renamed, and a new one begun."""
        try:
            return Store(database, clock=self.clock)
        except Exception:  # it is damaged, or of a later version, or cannot be upgraded
            file = Path(database)
            if not file.exists():
                raise
            self._set_aside(file)
            return Store(database, clock=self.clock)

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    def _set_aside(self, file: Path) -> None:
        """Rename a file."""
        file.replace(file.with_name(f"{file.name}.{int(self.clock())}"))
        self.set_aside = True

    def step(self) -> float:
        """Do one thing that is due, if any is; the seconds until the next is, at most one."""
        self.clock.step(self.clock.monotonic())
        return min(1.0, max(0.0, self.clock.due - self.clock.monotonic()))

    def leaving(self) -> asyncio.Event:
        """What to hand to `exchange` as `left`."""
        return asyncio.Event()

    def _changed(self, _: TableState) -> None:
        self.changes += 1

    async def answer(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> Answer:
        """The whole response to a request. url: a path, with a query if any."""
        begun = list[tuple[int, dict[str, str]]]()
        parts = list[bytes]()

        def begin(status: int, received: dict[str, str]) -> None:
            begun.append((status, received))

        await self.exchange(method, url, headers or {}, body, begin, parts.append)
        return Answer(*begun[0], b"".join(parts))

    async def exchange(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        begin: Callable[[int, dict[str, str]], None],
        write: Callable[[bytes], None],
        left: asyncio.Event | None = None,
        guest: str = "",
    ) -> None:
        """Answer a request: call `begin` with status and headers, then `write` with each part.

        `left` is set when the browser does not listen any more, which ends a stream. guest: the
        fingerprint of the browser that asks, see `site.guests`; "": the one that has these pages.
        """
        asked = False
        gone = left or asyncio.Event()

        async def receive() -> Message:
            nonlocal asked
            # The body came whole: who asks again waits until the browser listens no more.
            if asked:
                await gone.wait()
                return {"type": "http.disconnect"}
            asked = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                begin(message["status"], self._received(message["headers"], guest))
            elif message.get("body"):
                write(message["body"])

        await self._app(self._scope(method, url, headers, body, guest), receive, send)

    def _received(self, headers: Iterable[tuple[bytes, bytes]], guest: str) -> dict[str, str]:
        """Headers as text; the cookies among them stay here."""
        plain = dict[str, str]()
        for name, value in headers:
            if name == b"set-cookie":
                self._keep(value.decode("latin-1"), guest)
            else:
                plain[name.decode("latin-1")] = value.decode("latin-1")
        return plain

    def _scope(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, guest: str
    ) -> Scope:
        parts = urlsplit(url)
        sent = {"sec-fetch-site": "same-origin"} | {k.lower(): v for k, v in headers.items()}
        sent |= {"host": SITE_HOST, "content-length": str(len(body))}
        if cookies := self.jars.get(guest):
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
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
            "client": (guest, 0) if guest else None,  # who has these pages needs no limits
            "server": (SITE_HOST, 80),
            "state": {},
        }

    def _keep(self, cookie: str, guest: str) -> None:
        jar = self.jars.setdefault(guest, {})
        for name, morsel in SimpleCookie(cookie).items():
            if morsel["max-age"] == "0":
                jar.pop(name, None)
            else:
                jar[name] = morsel.value
        if self._jar:
            self._jar.write_text(json.dumps(self.jars), "utf-8")

    def _kept(self) -> dict[str, dict[str, str]]:
        """The cookies of the file; one that cannot be read is renamed, and none are known."""
        if not self._jar or not self._jar.exists():
            return {}
        try:
            return _jars(self._jar.read_bytes())
        except (OSError, ValueError):
            self._set_aside(self._jar)
            return {}


def _jars(text: bytes) -> dict[str, dict[str, str]]:
    """The cookies of a file, by guest. Raises ValueError if one could not be sent."""
    try:
        jars = read_json(text, dict[str, dict[str, str]])
    except UnfitJson:
        jars = {"": read_json(text, dict[str, str])}  # of 0.3.0
    for jar in jars.values():
        if not all(COOKIE_PAIR.fullmatch(f"{name}={value}") for name, value in jar.items()):
            raise ValueError("this is no cookie")
    return jars


async def rehearse(languages: str, landing: bool = True) -> None:
    """Open a table of the first game that the site has, and show it, in a database that is forgotten.

    After that everything has been read that every page needs, in these languages (as a browser
    asks for them). Nothing of the game is remembered. landing: whether to make the landing page
    first, which takes a third of the time and is of no use to whoever waits for a table.
    """
    game = next(filter(_has_rules, ALL.values()), None)
    if game is None:
        return
    headers = {"accept": "text/html", "accept-language": languages}
    sent = headers | {"content-type": "application/x-www-form-urlencoded"}
    fields = {"game": game.name, "here": 1, "bots": game.seats[0] - 1, "bot": "imp"}
    with closing(Pages()) as pages:
        if landing:
            await pages.answer("GET", "/", headers)
        opened = await pages.answer("POST", "/tables", sent, urlencode(fields).encode())
        await pages.answer("GET", opened.headers["location"], headers)


def _has_rules(game: Game) -> bool:
    """Whether the rules of a game are here: a site may be built of some games alone."""
    try:
        return bool(game.state.verbs.actor)
    except LookupError:
        return False


def without_threads() -> None:
    """Have the time that threads take measured, for interpreters that have none."""
    if not hasattr(time, "thread_time"):  # the only thread has all the time
        time.thread_time = time.perf_counter
