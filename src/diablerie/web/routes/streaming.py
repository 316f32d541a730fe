"""The stream of a table: server-sent events, a frame for each change this viewer can see.

What streams have in common is `Listening`; programs have theirs in web/api/streaming.py.
"""

import math
import struct
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from diablerie.table.errors import Preparing, Refused, Unavailable
from diablerie.table.presence.hub import Subscription
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges import errors
from diablerie.web.edges.requests import authority_of, browser_of, frame_of, table_of, viewpoint_of
from diablerie.web.frames.frame_cache import Browser
from diablerie.web.frames.frames import Sender, ServerSentEvent
from diablerie.web.people import identity

BEAT = 15.0  # seconds without news until a sign of life
PAUSE = 2.0  # seconds while the database cannot be read, or the rules are not ready
RETRY = b"retry: 1500\n\n"
ALIVE = ServerSentEvent(b"event: beat\ndata: .\n\n")
GONE = ServerSentEvent(
    b"event: gone\ndata: {}\n\n"
)  # table or seat is no longer there: load the page
GZIP = struct.pack("<BBBBIBB", 0x1F, 0x8B, 8, 0, 0, 0, 255)  # how a compressed stream begins
EVENTS = "text/event-stream"
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


async def event_stream(request: Request) -> Response:
    """GET /t/{id}/stream; for HEAD only what it would be."""
    if request.method == "HEAD":
        return Response(None, 200, HEADERS, EVENTS)
    return EventStream(request, identity.visitor(request), identity.client(request))


class Listening(Response, ABC):
    """A response that tells of a table for as long as the client listens.

    `media` is its type, `alive` a sign of life; `until` is when there is something else to tell
    without any news, by the table's clock.
    """

    media: str
    alive: ServerSentEvent
    until = math.inf

    def __init__(self, request: Request, visitor: Visitor | None, client: str) -> None:
        super().__init__()
        self.request, self.visitor, self.client = request, visitor, client
        self.zipped = "gzip" in request.headers.get("accept-encoding", "")

    @abstractmethod
    def now(self) -> ServerSentEvent:
        """What is to be told now, empty if that is nothing new. Raises Refused."""

    @abstractmethod
    def gone(self, error: Refused) -> ServerSentEvent:
        """The last that is told: the table or the seat is no longer there."""

    def refused(self, error: Refused) -> Response:
        """The answer if there is nothing to hear for this client."""
        return errors.problem_response(self.request.scope, error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with what is told, or with a refusal."""
        request, hub = self.request, authority_of(self.request).hub
        try:
            async with hub.subscribe(table_of(request), self.visitor, self.client) as news:
                first = [await run_in_threadpool(self._made)]
                headers = HEADERS | dict(self.headers)
                headers.pop("content-length")
                body = plain_events(self.events(news, first))
                if self.zipped:
                    body = gzip_events(self.events(news, first))
                    headers |= {"content-encoding": "gzip"}
                await StreamingResponse(body, 200, headers, self.media)(scope, receive, send)
        except Refused as error:
            await self.refused(error)(scope, receive, send)

    def _made(self) -> ServerSentEvent:
        """What is to be told now, compressed here, where nobody else waits for that."""
        told = self.now()
        if self.zipped and told.text:
            _ = told.squeezed
        return told

    async def events(
        self, news: Subscription, first: list[ServerSentEvent]
    ) -> AsyncIterator[ServerSentEvent]:
        """All that is told, from the first, which is taken out of its list: it is large."""
        clock = authority_of(self.request).clock
        yield first.pop()
        while not news.closing:
            fresh = await news.wait(min(BEAT, max(0.0, self.until - clock())))
            if not fresh and clock() < self.until:
                yield self.alive
                continue
            try:
                told = await run_in_threadpool(self._made)
            except (Unavailable, Preparing):  # for the moment: what is shown stays
                yield self.alive
                await clock.sleep_async(PAUSE)
                news.wake()  # what it was about is still to be told
                continue
            except Refused as error:
                yield self.gone(error)
                return
            if told.text or not fresh:
                yield told if told.text else self.alive
            del told  # nothing is kept while there is nothing to tell


class EventStream(Listening):
    """The events of a page, from what the client says it has."""

    media, alive = EVENTS, ALIVE

    sender: Sender | None = None
    browser: Browser | None = None

    def now(self) -> ServerSentEvent:
        """The event that brings the page to how the table is now."""
        self.browser = self.browser or browser_of(self.request)
        frame = frame_of(self.request, viewpoint_of(self.request), self.browser)
        self.until = math.inf if frame.until is None else frame.until
        moment = authority_of(self.request).clock()
        if self.sender:
            return self.sender.event(frame, moment)
        asked = self.request
        had = asked.headers.get("last-event-id") or asked.query_params.get("have", "")
        self.sender = Sender(frame if frame.id == had else None)
        return ServerSentEvent(RETRY + self.sender.event(frame, moment).text)

    def gone(self, error: Refused) -> ServerSentEvent:
        """The page is to be loaded anew."""
        return GONE


async def plain_events(events: AsyncIterator[ServerSentEvent]) -> AsyncIterator[bytes]:
    """The events as they are."""
    async for event in events:
        yield event.text
        del event


async def gzip_events(events: AsyncIterator[ServerSentEvent]) -> AsyncIterator[bytes]:
    """The events as one gzip stream.

    Each is compressed by itself: a stream needs no memory for it, and it is done once for many.
    """
    head = GZIP
    async for event in events:
        yield head + event.squeezed
        head = b""
        del event
