"""The stream of a table: server-sent events, a frame for each change this viewer can see.

What streams have in common is `Listening`; programs have theirs in web/api/streaming.py.
"""

import asyncio
import zlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from diablerie.table.errors import Refused, Unavailable
from diablerie.table.hub import News
from diablerie.table.visitors import Visitor
from diablerie.web import errors, frames, who
from diablerie.web.frames import Sender
from diablerie.web.requests import authority_of, model_of, table_of, viewpoint_of

BEAT = 15.0  # seconds without news until a sign of life
PAUSE = 2.0  # seconds while the database cannot be read
COMPILING = 1.0  # while the page shows how far the rules are
RETRY = b"retry: 1500\n\n"
ALIVE = b"event: beat\ndata: .\n\n"
GONE = b"event: gone\ndata: {}\n\n"  # the table or the seat is no longer there: load the page
EVENTS = "text/event-stream"
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


async def stream(request: Request) -> Response:
    """GET /t/{id}/stream; for HEAD only what it would be."""
    if request.method == "HEAD":
        return Response(None, 200, HEADERS, EVENTS)
    return Stream(request, who.visitor(request), who.client(request))


class Listening(Response, ABC):
    """A response that tells of a table for as long as the client listens.

    `media` is its type, `alive` a sign of life, `waits` whether it looks again without news.
    """

    media: str
    alive: bytes
    waits = False

    def __init__(self, request: Request, visitor: Visitor | None, client: str) -> None:
        super().__init__()
        self.request, self.visitor, self.client = request, visitor, client

    @abstractmethod
    def now(self) -> bytes:
        """What is to be told now, empty if that is nothing new. Raises Refused."""

    @abstractmethod
    def gone(self, error: Refused) -> bytes:
        """The last that is told: the table or the seat is no longer there."""

    def refused(self, error: Refused) -> Response:
        """The answer if there is nothing to hear for this client."""
        return errors.answer(self.request.scope, error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with what is told, or with a refusal."""
        request, hub = self.request, authority_of(self.request).hub
        try:
            async with hub.subscribe(table_of(request), self.visitor, self.client) as news:
                first = await run_in_threadpool(self.now)
                body, headers = self.events(news, first), HEADERS | dict(self.headers)
                headers.pop("content-length")
                if "gzip" in request.headers.get("accept-encoding", ""):
                    body, headers = squeezed(body), headers | {"content-encoding": "gzip"}
                await StreamingResponse(body, 200, headers, self.media)(scope, receive, send)
        except Refused as error:
            await self.refused(error)(scope, receive, send)

    async def events(self, news: News, first: bytes) -> AsyncIterator[bytes]:
        """All that is told, from the first."""
        yield first
        while not news.closing:
            fresh = await news.wait(COMPILING if self.waits else BEAT)
            try:
                told = await run_in_threadpool(self.now)
            except Unavailable:  # for the moment: what is shown stays
                yield self.alive
                await asyncio.sleep(PAUSE)
                news.wake()  # what it was about is still to be told
                continue
            except Refused as error:
                yield self.gone(error)
                return
            if told or not fresh:
                yield told or self.alive


class Stream(Listening):
    """The events of a page, from what the client says it has."""

    media, alive = EVENTS, ALIVE

    sender: Sender | None = None

    def now(self) -> bytes:
        """The event that brings the page to how the table is now."""
        frame = frames.frame(model_of(self.request, viewpoint_of(self.request)))
        self.waits = frame.waits
        if self.sender:
            return self.sender.event(frame)
        asked = self.request
        had = asked.headers.get("last-event-id") or asked.query_params.get("have", "")
        self.sender = Sender(frame if frame.id == had else None)
        return RETRY + self.sender.event(frame)

    def gone(self, error: Refused) -> bytes:
        """The page is to be loaded anew."""
        return GONE


async def squeezed(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The events as one gzip stream that is flushed after each: pictures shrink tenfold."""
    gzip = zlib.compressobj(5, zlib.DEFLATED, 31)
    async for event in events:
        yield gzip.compress(event) + gzip.flush(zlib.Z_SYNC_FLUSH)
