"""The limits that every request meets when it arrives, before anything else looks at it.

`HeaderLimit`: on all headers together. Browsers send cookies to every port of a host, so honest people
bring those of other programs, too; but no honest request comes near the limit.

`RateLimiter`: on how many requests of its kind a client sends. The kind follows from method and address
alone, so there is none without a limit. A refused request is answered after a pause, in one sentence,
and its connection is closed: so a client that does not heed refusals costs the server little.

`client_turn`: of one client, one page and one write at a time are made, so that others go on meanwhile.
"""

import logging
import math
from asyncio import Semaphore
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from weakref import WeakValueDictionary

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diablerie.api import PREFIX
from diablerie.engine.text import say
from diablerie.table.authority import Authority
from diablerie.table.errors import Refused, TooMany
from diablerie.web.edges import errors
from diablerie.web.edges.errors import Unreadable, problem_response
from diablerie.web.edges.security import MEETING_PATH, with_headers
from diablerie.web.html import templates
from diablerie.web.people import identity

# -- turns -----------------------------------------------------------------------------------------

TURNS_OF_CLIENT = 1  # pages, and writes, that are made for one client at once

# Of clients who ask
_places: WeakValueDictionary[tuple[str, str], Semaphore] = WeakValueDictionary()


@asynccontextmanager
async def client_turn(client: str, kind: str = "page") -> AsyncIterator[Callable[[], None]]:
    """A context that at most TURNS_OF_CLIENT requests of a client and kind are in at once; "" never waits.

    It gives a function that ends the turn before the context does.
    """
    places = Semaphore(TURNS_OF_CLIENT)
    if client:
        places = _places.setdefault((client, kind), places)
    await places.acquire()
    with ExitStack() as left:
        left.callback(places.release)
        yield left.close


# -- rates -----------------------------------------------------------------------------------------

log = logging.getLogger("diablerie.web")
REFUSAL_SECONDS = 1.0  # seconds until a refusal is answered
MOST_REFUSALS_HELD = 64  # refusals of one client that wait; further ones are answered at once
REFUSAL_LOG_SECONDS = 60.0  # seconds between two lines of the log about refusals
UNCOUNTED_METHODS = ("GET", "HEAD")
UNLIMITED_FILES = ("/manifest.webmanifest", "/sw.js", "/push/key", "/favicon.ico", "/robots.txt")
ENDINGS = {  # of addresses that are read
    "/stream": "streams",
    "/frame": "frames",
    "/replay": "frames",
    ".json": "frames",
    ".jsonl": "downloads",
}


def rate_kind(method: str, path: str) -> str:
    """The kind of a request, one of `rate_limits.ARRIVAL_RATES`."""
    if path.startswith(PREFIX):
        return "streams" if path.endswith("/stream") else "programs"
    if path.startswith(MEETING_PATH):
        return "frames"
    if method not in UNCOUNTED_METHODS:
        return "forms"
    if path.startswith("/static/") or path in UNLIMITED_FILES:
        return "files"
    if path == "/healthz":
        return "health"
    return next((kind for end, kind in ENDINGS.items() if path.endswith(end)), "pages")


class RateLimiter:
    """ASGI middleware that refuses what is too much, and has a client's reads take turns."""

    def __init__(self, app: ASGIApp, authority: Authority) -> None:
        self.app = app
        self._authority = authority
        self._held: Counter[str] = Counter()
        self._refused = 0
        self._last_logged = -math.inf

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = identity.client(Request(scope))
        try:
            self._authority.limits.count_here(rate_kind(scope["method"], scope["path"]), client)
        except TooMany as error:
            await self._refuse(scope, receive, send, client, error)
            return
        if scope["method"] not in UNCOUNTED_METHODS:  # they take turns when they have been read
            await self.app(scope, receive, send)
            return
        async with client_turn(client) as end:

            async def sent(message: Message) -> None:
                end()  # the answer is made: whoever receives it slowly keeps nobody waiting
                await send(message)

            await self.app({**scope, "end_turn": end}, receive, sent)

    async def _refuse(
        self, scope: Scope, receive: Receive, send: Send, client: str, error: TooMany
    ) -> None:
        self._note()
        if self._held[client] < MOST_REFUSALS_HELD:
            self._held[client] += 1
            try:
                await self._authority.clock.sleep_async(REFUSAL_SECONDS)
            finally:
                self._held[client] -= 1
                if not self._held[client]:
                    del self._held[client]
        await refusal_response(scope, error)(
            scope, receive, with_headers(send, scope, refused=True)
        )

    def _note(self) -> None:
        """Log how many requests were refused, once a minute at most."""
        self._refused += 1
        now = self._authority.clock.monotonic()
        if now >= self._last_logged + REFUSAL_LOG_SECONDS:
            log.warning("requests were too many", extra={"refused": self._refused})
            self._refused = 0
            self._last_logged = now


def refusal_response(scope: Scope, error: Refused) -> Response:
    """The answer to a refused request: the sentence, or the problem document for a program.

    The connection is closed behind it.
    """
    request = Request(scope)
    if scope["path"].startswith(PREFIX) or not errors.wants_page(Headers(scope=scope)):
        response = errors.problem(request, error)
    else:  # a page would cost what the limit is to save
        text = templates.request_speech(request).plain(error.line)
        response = errors.with_retry_headers(PlainTextResponse(text, error.status), error)
    response.headers["connection"] = "close"
    return response


# -- headers ---------------------------------------------------------------------------------------

LONGEST_HEADERS = 16 * 1024  # bytes of all headers of a request
LONGEST_ADDRESS = 8 * 1024  # bytes of its path and query
HEADERS_READ = (b"accept", b"accept-language")  # which the refusal reads
SHORT_HEADER_BYTES = 200  # bytes of one of those


class HeaderLimit:
    """ASGI middleware that refuses requests whose headers or address are too long."""

    def __init__(self, app: ASGIApp, authority: Authority) -> None:
        self.app = app
        self._refuse = RateLimiter(_refuse_long, authority)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        fits = scope["type"] != "http" or not _excess(scope)
        await (self.app if fits else self._refuse)(scope, receive, send)


async def _refuse_long(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if name in HEADERS_READ and len(value) <= SHORT_HEADER_BYTES
    ]
    error = _excess(scope)
    assert error
    answer = problem_response({**scope, "headers": headers}, error)
    await answer(scope, receive, with_headers(send, scope, refused=True))


def _excess(scope: Scope) -> Unreadable | None:
    """What is too long in a request."""
    address = len(scope.get("raw_path") or scope["path"].encode()) + len(scope["query_string"])
    if address > LONGEST_ADDRESS:
        return Unreadable(414, say("This address is too long."))
    if sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEADERS:
        return Unreadable(
            431,
            say("Your browser sends too much with each request: delete the cookies of this site."),
        )
    return None
