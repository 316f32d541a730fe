"""The limit that every request has when it arrives, before anything else looks at it.

What kind of request it is follows from its method and address alone, so there is none without a
limit. A refused request is answered after a pause, in one sentence, and its connection is closed:
so a client that does not heed refusals costs the server little.
"""

import logging
import math
from collections import Counter

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diablerie.api import PREFIX
from diablerie.table.authority import Authority
from diablerie.table.errors import Refused, TooMany
from diablerie.web.edges import errors
from diablerie.web.edges.security import with_headers
from diablerie.web.edges.turns import turn
from diablerie.web.html import templates
from diablerie.web.people import identity

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
        self._told = -math.inf

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
        async with turn(client) as end:

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
        if now >= self._told + REFUSAL_LOG_SECONDS:
            log.warning("requests were too many", extra={"refused": self._refused})
            self._refused = 0
            self._told = now


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
