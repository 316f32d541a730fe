"""The stream of a table: server-sent events, a frame for each change this viewer can see."""

import asyncio
import zlib
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from diablerie.table.errors import Refused, Unavailable
from diablerie.table.hub import News
from diablerie.web import errors, frames, who
from diablerie.web.frames import Frame, Sender
from diablerie.web.requests import authority_of, model_of, viewpoint_of

BEAT = 15.0  # seconds without news until a sign of life
PAUSE = 2.0  # seconds while the database cannot be read
COMPILING = 1.0  # while the page shows how far the rules are
RETRY = b"retry: 1500\n\n"
ALIVE = b"event: beat\ndata: .\n\n"
GONE = b"event: gone\ndata: {}\n\n"  # the table or the seat is no longer there: load the page
EVENTS = "text/event-stream"
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


async def stream(request: Request) -> "Stream | Response":
    """GET /t/{id}/stream; for HEAD only what it would be."""
    if request.method == "HEAD":
        return Response(None, 200, HEADERS, EVENTS)
    return Stream(request)


def current(request: Request) -> Frame:
    """The frame as it is now. Raises Refused when there is nothing to see any more."""
    return frames.frame(model_of(request, viewpoint_of(request)))


class Stream:
    """The response: subscribes for as long as the client listens."""

    def __init__(self, request: Request) -> None:
        self.request = request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with frames, or with a refusal if there is nothing to hear for this client."""
        request, hub = self.request, authority_of(self.request).hub
        table = request.path_params["id"]
        try:
            async with hub.subscribe(table, who.visitor(request), who.client(request)) as news:
                first = await run_in_threadpool(current, request)
                body, headers = self.events(news, first), HEADERS
                if "gzip" in request.headers.get("accept-encoding", ""):
                    body, headers = squeezed(body), HEADERS | {"content-encoding": "gzip"}
                await StreamingResponse(body, 200, headers, EVENTS)(scope, receive, send)
        except Refused as error:
            await errors.answer(scope, error)(scope, receive, send)

    async def events(self, news: News, first: Frame) -> AsyncIterator[bytes]:
        """The events, from what the client says it has."""
        asked = self.request
        had = asked.headers.get("last-event-id") or asked.query_params.get("have", "")
        sender = Sender(first if first.id == had else None)
        yield RETRY + sender.event(first)
        waits = first.waits
        while not news.closing:
            fresh = await news.wait(COMPILING if waits else BEAT)
            try:
                latest = await run_in_threadpool(current, self.request)
            except Unavailable:  # for the moment: what is shown stays
                yield ALIVE
                await asyncio.sleep(PAUSE)
                news.wake()  # what it was about is still to be told
                continue
            except Refused:
                yield GONE
                return
            waits = latest.waits
            event = sender.event(latest) or (b"" if fresh else ALIVE)
            if event:
                yield event


async def squeezed(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The events as one gzip stream that is flushed after each: pictures shrink tenfold."""
    gzip = zlib.compressobj(5, zlib.DEFLATED, 31)
    async for event in events:
        yield gzip.compress(event) + gzip.flush(zlib.Z_SYNC_FLUSH)
